import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isGtin } from '#contract/catalogue/gtin.ts';
import { FeedFile } from '#server/catalogue/feed/feed-file.ts';
import { MOST_URLS, sitemapRoutes } from '#server/pages/sitemap.ts';
import { productsChanged } from '#server/platform/cache/catalogue-changes.ts';
import { FactsCache } from '#server/platform/cache/facts-cache.ts';
import { PageCache } from '#server/platform/cache/page-cache.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type ProductInput } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { render } from '#web/entry-server.tsx';

// What Google publishes for product data (support.google.com/merchants/answer/7052112) and for structured data (developers.google.com/search:
// product, merchant listing, product variants, shipping and return policies, breadcrumbs), as of November 2026. Bing and Meta read the same.

const { app, db, services } = await testShop({ render });
const admin = await anAdmin(db);
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

type Rule = RegExp | ((value: string) => boolean);
interface FeedRule {
  need: 'required' | 'optional';
  /** How often it may stand in an item. */
  most?: number;
  rule: Rule;
}

const upTo = (most: number): Rule => new RegExp(`^[^\\n]{1,${most}}$`, 'u');
const MONEY = /^(?!0+\.00)\d+\.\d{2} GBP$/;
const MOMENT = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(Z|[+-]\\d{4})';
const isAddress: Rule = (value) => /^https?:\/\/[\x21-\x7e]{1,1990}$/.test(value) && URL.canParse(value);

const FEED: Record<string, FeedRule> = {
  id: { need: 'required', rule: /^[\x21-\x7e]{1,50}$/ },
  title: { need: 'required', rule: upTo(150) },
  description: { need: 'required', rule: (value) => value.length >= 1 && value.length <= 5_000 },
  link: { need: 'required', rule: isAddress },
  image_link: {
    need: 'required',
    rule: (value) => (isAddress as (value: string) => boolean)(value) && /\.(jpe?g|webp|png|gif|bmp|tiff?)$/.test(value),
  },
  additional_image_link: { need: 'optional', most: 10, rule: isAddress },
  availability_date: { need: 'optional', rule: new RegExp(`^${MOMENT}$`) },
  availability: { need: 'required', rule: /^(in_stock|out_of_stock|preorder|backorder)$/ },
  price: { need: 'required', rule: MONEY },
  sale_price: { need: 'optional', rule: MONEY },
  sale_price_effective_date: { need: 'optional', rule: new RegExp(`^${MOMENT}/${MOMENT}$`) },
  brand: { need: 'required', rule: upTo(70) },
  gtin: { need: 'optional', rule: isGtin },
  mpn: { need: 'optional', rule: upTo(70) },
  identifier_exists: { need: 'optional', rule: /^(yes|no)$/ },
  condition: { need: 'required', rule: /^(new|refurbished|used)$/ },
  item_group_id: { need: 'optional', rule: /^[\x21-\x7e]{1,50}$/ },
  product_type: { need: 'optional', rule: upTo(750) },
  size: { need: 'optional', rule: upTo(100) },
  color: { need: 'optional', rule: upTo(100) },
  shipping_weight: { need: 'optional', rule: /^\d+(\.\d+)? (kg|g|lb|oz)$/ },
  is_bundle: { need: 'optional', rule: /^yes$/ },
  max_handling_time: { need: 'optional', rule: /^\d{1,3}$/ },
  shipping: { need: 'optional', most: 100, rule: () => true },
};
const SHIPPING: Record<string, FeedRule> = {
  country: { need: 'required', rule: /^[A-Z]{2}$/ },
  service: { need: 'optional', rule: upTo(100) },
  price: { need: 'required', rule: /^\d+\.\d{2} GBP$/ },
  min_transit_time: { need: 'optional', rule: /^\d{1,3}$/ },
  max_transit_time: { need: 'optional', rule: /^\d{1,3}$/ },
};

interface Element {
  name: string;
  text: string;
  children: Element[];
}

/** Reads XML; throws where it is not well-formed. */
function readXml(xml: string): Element {
  const top: Element = { name: '', text: '', children: [] };
  const open = [top];
  const unescaped = (text: string) => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  const body = xml.replace(/^<\?xml version="1.0" encoding="UTF-8"\?>\s*/, '');
  for (const [, close, name = '', text = ''] of body.matchAll(/<(\/?)([\w:]+)(?: [\w:]+="[^"<]*")*>([^<]*)/g)) {
    if (/[>"]|&(?!#\d+;)/.test(text)) throw new Error(`Not escaped: ${text}`);
    if (close) {
      if (open.pop()?.name !== name) throw new Error(`Not nested: ${name}`);
      continue;
    }
    const element = { name, text: unescaped(text), children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  }
  if (open.length !== 1) throw new Error(`Not closed: ${open.at(-1)?.name}`);
  return top;
}

const keeps = (rule: Rule, value: string) => (rule instanceof RegExp ? rule.test(value) : rule(value));

/** What is wrong with the attributes of an item. */
function flawsOf(element: Element, rules: Record<string, FeedRule>): string[] {
  const names = new Set(element.children.map(({ name }) => name.replace(/^g:/, '')));
  const unknown = [...names].filter((name) => !(name in rules)).map((name) => `${name} is unknown`);
  const wrong = Object.entries(rules).flatMap(([name, { need, most = 1, rule }]) => {
    const given = element.children.filter((child) => child.name === `g:${name}`);
    if (given.length === 0) return need === 'required' ? [`${name} is missing`] : [];
    return [
      given.length > most ? [`${name} stands ${given.length} times`] : [],
      given.filter(({ text, children }) => !(children.length > 0 || keeps(rule, text))).map(({ text }) => `${name}: ${text}`),
      given.flatMap((one) => (one.children.length > 0 ? flawsOf(one, SHIPPING) : [])),
    ].flat();
  });
  return [...unknown, ...wrong];
}

const textOf = (item: Element, name: string) => item.children.find((child) => child.name === `g:${name}`)?.text;

/** Rules between attributes of an item, and between items. */
const TOGETHER: Record<string, (item: Element, all: Element[]) => boolean> = {
  'an id is that of one item': (item, all) => all.filter((one) => textOf(one, 'id') === textOf(item, 'id')).length === 1,
  'a GTIN or an MPN, else identifier_exists is “no”': (item) =>
    Boolean(textOf(item, 'gtin') || textOf(item, 'mpn')) !== (textOf(item, 'identifier_exists') === 'no'),
  'a sale price is below the price': (item) =>
    textOf(item, 'sale_price') === undefined ||
    Number.parseFloat(textOf(item, 'sale_price') ?? '') < Number.parseFloat(textOf(item, 'price') ?? ''),
  'what is ordered in advance has the day from which it is there, and nothing else has': (item) =>
    (textOf(item, 'availability') === 'preorder') === (textOf(item, 'availability_date') !== undefined),
  'a sale begins before it ends': (item) => {
    const [from = '', to = ''] = (textOf(item, 'sale_price_effective_date') ?? '2026-01-01/2026-01-02').split('/');
    return Date.parse(from) < Date.parse(to);
  },
  'items of a group differ in size or colour, and in their address': (item, all) => {
    const group = textOf(item, 'item_group_id');
    const alike = (name: string) => (one: Element) => textOf(one, name) === textOf(item, name);
    const same = all.filter((one) => group && alike('item_group_id')(one) && one !== item);
    return !same.some((one) => (alike('size')(one) && alike('color')(one)) || alike('link')(one));
  },
};

async function readFeed(): Promise<Element[]> {
  await services.invalidation.catchUp();
  const reply = await get('/api/feed.xml');
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8']);
  const [rss] = readXml(reply.body).children;
  const channel = rss?.children[0];
  expect([rss?.name, channel?.name, channel?.children.slice(0, 3).map(({ name }) => name)]).toEqual([
    'rss',
    'channel',
    ['title', 'link', 'description'],
  ]);
  return channel?.children.filter(({ name }) => name === 'item') ?? [];
}

const picture = (name: string) => `/images/${name}-1200.webp`;
let count = 0;
/** A product with a picture. */
async function aShown(product: ProductInput) {
  count += 1;
  return aProduct(db, { images: [picture(`p${count}`)], brand: 'Feeder', category: 'Feeding', ...product });
}
const itemsOf = (items: Element[], id: string) => items.filter((item) => textOf(item, 'id')?.startsWith(id));

const sofa = await aShown({
  name: 'Ærø “Sofa” <& co>',
  description: `Line\u000b one\n${'long '.repeat(1_200)}`,
  price: 129_900,
  stock: 9,
  colors: ['#b3aa9d', '#53595c', '#53595d'],
  sizes: [
    { size: 'Three-seat', quantity: 9 },
    { size: 'Two-seat', quantity: 0, price: 104_900 },
  ],
});
const lamp = await aShown({ name: 'L'.repeat(190), price: 1_999, stock: 0, colors: ['#000000'] });
const bare = await aShown({ name: 'Without a picture', images: [] });
await db
  .updateTable('products')
  .set({ barcode: '4006381333931', sku: 'LAMP-1', weight: 2_450, costPrice: 7_713_111, supplier: 'Zyzzyva' })
  .where('id', '=', lamp._id)
  .execute();
await aShown({ name: 'One size', sizes: [{ size: 'L' }], images: Array.from({ length: 12 }, (_, at) => picture(`m${at}`)) });

test('every item of the feed keeps the published rules, and there is one for each size in each colour', async () => {
  const items = await readFeed();
  expect(items.flatMap((item) => flawsOf(item, FEED))).toEqual([]);
  for (const [name, holds] of Object.entries(TOGETHER)) expect([name, items.filter((item) => !holds(item, items))]).toEqual([name, []]);
  expect(itemsOf(items, bare._id)).toEqual([]);
  const [alone] = itemsOf(items, lamp._id);
  expect([textOf(alone as Element, 'gtin'), textOf(alone as Element, 'mpn'), textOf(alone as Element, 'shipping_weight')]).toEqual([
    '4006381333931',
    'LAMP-1',
    '2.45 kg',
  ]);
  expect([textOf(alone as Element, 'color'), textOf(alone as Element, 'item_group_id')]).toEqual(['Black', undefined]);
  const variants = itemsOf(items, sofa._id);
  expect(variants.map((item) => ['size', 'price', 'availability', 'item_group_id'].map((name) => textOf(item, name)))).toEqual(
    ['Three-seat', 'Two-seat'].flatMap((size) =>
      Array.from({ length: 3 }, () =>
        size === 'Two-seat' ? [size, '1049.00 GBP', 'out_of_stock', sofa._id] : [size, '1299.00 GBP', 'in_stock', sofa._id],
      ),
    ),
  );
  // Two colours of the same name have addresses that tell them apart.
  const [, , third] = variants;
  expect(textOf(third as Element, 'link')).toMatch(/\?size=three-seat&colour=53595d$/);
  expect((await get('/api/feed.xml')).body).not.toMatch(/7713111|77131\.11|Zyzzyva/);
});

test('the rules find what is wrong', () => {
  const tag = (name: string, text: string): Element => ({ name: `g:${name}`, text, children: [] });
  const item = { name: 'item', text: '', children: [tag('id', 'x'.repeat(51)), tag('price', '12 GBP'), tag('cost', '1')] };
  expect(flawsOf(item, FEED)).toEqual(
    expect.arrayContaining(['cost is unknown', `id: ${'x'.repeat(51)}`, 'price: 12 GBP', 'title is missing']),
  );
  expect(() => readXml('<a><b></a></b>')).toThrow('Not nested');
  expect(() => readXml('<a>1 & 2</a>')).toThrow('Not escaped');
});

test('the feed is kept until what it shows changes: a sale price, a product that is hidden, within 15 minutes a sale of the last piece', async () => {
  const first = await get('/api/feed.xml', { 'accept-encoding': 'gzip' });
  const { etag } = first.headers;
  expect(gunzipSync(first.rawPayload).toString()).toContain(sofa._id);
  expect((await get('/api/feed.xml', { 'if-none-match': String(etag) })).statusCode).toBe(304);
  const last = await aShown({ name: 'Last piece', price: 5_000, stock: 1 });
  const value = async (name: string) => {
    const [item] = itemsOf(await readFeed(), last._id);
    return item && textOf(item, name);
  };
  await db.updateTable('priceLog').set({ at: sql`at - interval '40 days'` }).where('productId', '=', last._id).execute();
  const sale = { saleFrom: null, saleTo: '2099-01-01T10:30:00.000Z', salePrice: 4_000, sizes: [] };
  const put = await app.inject({ method: 'PUT', url: `/api/office/products/${last._id}/sale`, headers: admin.headers, payload: sale });
  expect(put.statusCode, put.body).toBe(200);
  expect([await value('price'), await value('sale_price'), await value('availability')]).toEqual(['50.00 GBP', '40.00 GBP', 'in_stock']);
  expect(await value('sale_price_effective_date')).toMatch(/\/2099-01-01T10:30Z$/);
  expect((await readFeed()).flatMap((item) => flawsOf(item, FEED))).toEqual([]);
  const buyer = await aCustomer(db);
  const payload = aPayload([aLine({ ...last, price: 4_000 })]);
  const order = await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload });
  expect(order.statusCode, order.body).toBe(201);
  // A feed of a large shop costs seconds, so one that is not old shows what has been sold since.
  expect(await value('availability')).toBe('in_stock');
  vi.setSystemTime(Date.now() + 15 * 60_000);
  expect(await value('availability')).toBe('out_of_stock');
  vi.useRealTimers();
  await app.inject({ method: 'DELETE', url: `/api/products/${last._id}`, headers: admin.headers });
  expect(await value('id')).toBeUndefined();
});

test('a piece that is sold before it is here is ordered in advance, in the feed and on its page, until it comes', async () => {
  const comes = new Date(Date.now() + 3_600_000).toISOString();
  const { _id } = await aShown({ name: 'Coming sofa', stock: 3, readyFrom: comes });
  await productsChanged(db, [_id]);
  const availability = async () => {
    const [item] = itemsOf(await readFeed(), _id);
    return ['availability', 'availability_date'].map((name) => item && textOf(item, name));
  };
  expect(await availability()).toEqual(['preorder', `${comes.slice(0, 16)}Z`]);
  const page = (await get(`/product/${_id}`)).body;
  expect(page).toContain('https://schema.org/PreOrder');
  expect(page).toContain(`"availabilityStarts":"${comes}"`);
  // The hour is over: by the clock of the shop, and as PostgreSQL sees the piece by its own.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(comes) + 50 });
  onTestFinished(() => void vi.useRealTimers());
  await db.updateTable('products').set({ readyFrom: sql`now()` }).where('id', '=', _id).execute();
  expect(await availability()).toEqual(['in_stock', undefined]);
});

test('an item keeps its id when a colour gets another shade', async () => {
  const { _id } = await aShown({ name: 'Shaded' });
  const idsWith = async (hexCode: string) => {
    const colors = [
      { colorName: 'Oak', hexCode },
      { colorName: 'Black', hexCode: '#000000' },
    ];
    await db
      .updateTable('products')
      .set({ colors: JSON.stringify(colors) })
      .where('id', '=', _id)
      .execute();
    await productsChanged(db, [_id]);
    return itemsOf(await readFeed(), _id).map((item) => textOf(item, 'id'));
  };
  const before = await idsWith('#b58a5a');
  expect(before).toHaveLength(2);
  expect(await idsWith('#b58a5b')).toEqual(before);
});

test('a feed that cannot be made leaves no file', async () => {
  const config = {
    ...services.config,
    get delivery(): never {
      throw new Error('The delivery is unknown.');
    },
  };
  const feed = new FeedFile({ ...services, config, facts: new FactsCache() });
  const files = async () => {
    const folders = (await readdir(tmpdir())).filter((name) => name.startsWith('shop-feed-'));
    return (await Promise.all(folders.map((name) => readdir(join(tmpdir(), name)).catch(() => [])))).flat();
  };
  const before = await files();
  await expect(feed.open()).rejects.toThrow('The delivery is unknown.');
  expect(await files()).toHaveLength(before.length);
  await feed.close();
});

test.each(['draft', 'hidden', 'scheduled'])('a %s product is in no feed', async (state) => {
  const { _id } = await aShown({ name: `Not live: ${state}` });
  await db.updateTable('products').set({ state, liveFrom: '2099-01-01T00:00:00Z' }).where('id', '=', _id).execute();
  expect(itemsOf(await readFeed(), _id)).toEqual([]);
});

/** The required and the allowed properties of each type of structured data. Any other property is a mistake. */
interface TypeRule {
  required: string[];
  recommended: string[];
  values?: Record<string, RegExp>;
}
const NUMBER = /^\d+(\.\d+)?$/;
const SCHEMA_ORG: Record<string, TypeRule> = {
  Product: {
    required: ['name', 'image', 'offers'],
    recommended: ['description', 'brand', 'category', 'sku', 'gtin', 'size', 'color', 'aggregateRating', 'review', 'isVariantOf'],
    values: { name: /^.{1,150}/, gtin: /^\d{8,14}$/ },
  },
  ProductGroup: {
    required: ['name', 'variesBy', 'productGroupID'],
    recommended: ['hasVariant', 'url', 'description', 'brand', 'category', 'image', 'aggregateRating', 'review'],
    values: { variesBy: /^https:\/\/schema\.org\/(age|audience|color|gender|material|pattern|size)$/ },
  },
  Offer: {
    required: ['price', 'priceCurrency', 'availability', 'url'],
    recommended: ['itemCondition', 'availabilityStarts', 'priceValidUntil', 'shippingDetails', 'hasMerchantReturnPolicy'],
    values: {
      price: /^(?!0+\.00$)\d+\.\d{2}$/,
      priceCurrency: /^GBP$/,
      availability:
        /^https:\/\/schema\.org\/(InStock|OutOfStock|BackOrder|Discontinued|LimitedAvailability|OnlineOnly|PreOrder|PreSale|SoldOut)$/,
      itemCondition: /^https:\/\/schema\.org\/(New|Used|Refurbished|Damaged)Condition$/,
      priceValidUntil: /^\d{4}-\d\d-\d\d/,
    },
  },
  Brand: { required: ['name'], recommended: [] },
  OfferShippingDetails: { required: ['shippingDestination', 'shippingRate', 'deliveryTime'], recommended: ['shippingLabel'] },
  MonetaryAmount: { required: ['value', 'currency'], recommended: [], values: { value: NUMBER, currency: /^GBP$/ } },
  DefinedRegion: { required: ['addressCountry'], recommended: [], values: { addressCountry: /^[A-Z]{2}$/ } },
  ShippingDeliveryTime: { required: ['handlingTime', 'transitTime'], recommended: [] },
  QuantitativeValue: {
    required: ['minValue', 'maxValue', 'unitCode'],
    recommended: [],
    values: { minValue: /^\d+$/, maxValue: /^\d+$/, unitCode: /^(DAY|d)$/ },
  },
  MerchantReturnPolicy: {
    required: ['applicableCountry', 'returnPolicyCategory', 'merchantReturnDays'],
    recommended: ['returnMethod', 'returnFees', 'refundType'],
    values: {
      applicableCountry: /^[A-Z]{2}$/,
      returnPolicyCategory: /^https:\/\/schema\.org\/MerchantReturn(FiniteReturnWindow|NotPermitted|UnlimitedWindow)$/,
      merchantReturnDays: /^[1-9]\d*$/,
      returnMethod: /^https:\/\/schema\.org\/Return(AtKiosk|ByMail|InStore)$/,
      returnFees: /^https:\/\/schema\.org\/(FreeReturn|ReturnFeesCustomerResponsibility|ReturnShippingFees)$/,
      refundType: /^https:\/\/schema\.org\/(ExchangeRefund|FullRefund|StoreCreditRefund)$/,
    },
  },
  AggregateRating: {
    required: ['ratingValue', 'reviewCount'],
    recommended: ['bestRating', 'worstRating'],
    values: { ratingValue: NUMBER, reviewCount: /^[1-9]\d*$/ },
  },
  Review: {
    required: ['author', 'reviewRating'],
    recommended: ['datePublished', 'reviewBody'],
    values: { datePublished: /^\d{4}-\d\d-\d\d/ },
  },
  Person: { required: ['name'], recommended: [] },
  Rating: { required: ['ratingValue'], recommended: ['bestRating', 'worstRating'], values: { ratingValue: NUMBER } },
  BreadcrumbList: { required: ['itemListElement'], recommended: [] },
  ListItem: { required: ['position', 'name', 'item'], recommended: [], values: { position: /^[1-9]\d*$/ } },
};

type Node = Record<string, unknown> & { '@type': string };

/** What is wrong with structured data, and with all that stands in it. A group within a variant of it only names it. */
function schemaFlaws({ '@type': type, ...node }: Node, way = ''): string[] {
  const here = `${way}/${type}`;
  const rule = SCHEMA_ORG[type];
  if (!rule) return [`${here} is unknown`];
  const { required, recommended, values = {} } = rule;
  return [
    ...required.filter((name) => node[name] === undefined || node[name] === '').map((name) => `${here}.${name} is missing`),
    ...Object.keys(node)
      .filter((name) => ![...required, ...recommended].includes(name))
      .map((name) => `${here}.${name} is unknown`),
    ...Object.entries(values).flatMap(([name, form]) =>
      [node[name] ?? []]
        .flat()
        .filter((value) => !form.test(String(value)))
        .map((value) => `${here}.${name}: ${String(value)}`),
    ),
    ...Object.values(node)
      .flat()
      .flatMap((value) => (typeof value === 'object' && value ? schemaFlaws(value as Node, here) : [])),
  ];
}

async function dataOf(url: string): Promise<[Node, Node]> {
  const { body } = await get(url);
  const data = JSON.parse(/<script type="application\/ld\+json">([^<]*)</.exec(body)?.[1] ?? '') as { '@graph': [Node, Node] };
  return data['@graph'];
}

test('a product with sizes is a group with an offer for each size, its delivery and its returns, by the published rules', async () => {
  const graph = await dataOf(`/product/${sofa._id}`);
  expect(graph.flatMap((node) => schemaFlaws(node))).toEqual([]);
  const variants = graph[0].hasVariant as (Node & { offers: Node })[];
  expect([graph[0]['@type'], graph[0].productGroupID]).toEqual(['ProductGroup', sofa._id]);
  expect(variants.map(({ size, offers: { price, availability } }) => [size, price, availability])).toEqual([
    ['Three-seat', '1299.00', 'https://schema.org/InStock'],
    ['Two-seat', '1049.00', 'https://schema.org/OutOfStock'],
  ]);
  expect(new Set(variants.map(({ sku }) => sku)).size).toBe(2);
  for (const { offers } of variants)
    expect((await get(new URL(String(offers.url)).pathname + new URL(String(offers.url)).search)).statusCode).toBe(200);
  const [{ offers }] = variants as [Node & { offers: Node }];
  expect(offers).toMatchObject({
    shippingDetails: [{ shippingRate: { value: '0.00' }, shippingDestination: { addressCountry: 'GB' } }],
    hasMerchantReturnPolicy: { merchantReturnDays: 14, returnFees: 'https://schema.org/ReturnFeesCustomerResponsibility' },
  });
});

test('a size that the address names is a product of its group; one without sizes is a product; both by the published rules', async () => {
  const [named, crumbs] = await dataOf(`/product/${sofa._id}?size=two-seat`);
  expect([named, crumbs].flatMap((node) => schemaFlaws(node))).toEqual([]);
  expect(named).toMatchObject({
    '@type': 'Product',
    size: 'Two-seat',
    isVariantOf: { productGroupID: sofa._id },
    offers: { price: '1049.00' },
  });
  const [alone] = await dataOf(`/product/${lamp._id}`);
  expect(schemaFlaws(alone)).toEqual([]);
  expect(alone).toMatchObject({ '@type': 'Product', gtin: '4006381333931', sku: 'LAMP-1', offers: { '@type': 'Offer', price: '19.99' } });
});

test('readers of the feed are let in by robots.txt, and by nothing else of the API', async () => {
  const lines = (await get('/robots.txt')).body.split('\n');
  expect(lines).toEqual(expect.arrayContaining(['Disallow: /api/', 'Allow: /api/feed.xml']));
});

test('a sitemap of too many addresses is an index of parts, with each address once', async () => {
  expect(MOST_URLS).toBeLessThanOrEqual(45_000);
  expect(readXml((await get('/sitemap.xml')).body).children[0]?.name).toBe('urlset');
  const small = fastify();
  // Its own cache, since the same addresses have other answers.
  await small.register(sitemapRoutes, { ...services, cache: new PageCache(1_000_000), most: 12 });
  const read = async ({ pathname, search }: URL) => readXml((await small.inject({ url: pathname + search })).body).children[0];
  const index = await read(new URL('http://shop.test/sitemap.xml'));
  expect(index?.name).toBe('sitemapindex');
  const places = index?.children.map(({ children }) => new URL(children[0]?.text ?? '')) ?? [];
  expect(places.slice(0, 2).map(({ pathname, search }) => pathname + search)).toEqual(['/sitemap.xml?part=1', '/sitemap.xml?part=2']);
  const parts = await Promise.all(places.map(read));
  const addresses = parts.flatMap((part) => part?.children.map(({ children }) => children[0]?.text) ?? []);
  const live = await db
    .selectFrom('products')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow();
  expect([new Set(addresses).size, addresses.length, parts[0]?.children.length]).toEqual([live.count + 10, live.count + 10, 12]);
  for (const part of [String(places.length + 1), '0', '-1', 'x', '1e3'])
    expect((await small.inject({ url: `/sitemap.xml?part=${part}` })).statusCode).not.toBe(200);
  expect((await get('/sitemap.xml?part=2')).statusCode).toBe(404);
  await small.close();
});

test('the sitemap of a large shop is made once, in parts that are small in the cache', { tags: ['thorough'] }, async () => {
  await sql`
    insert into products (id, name, description, category, brand, price, count_in_stock)
    select gen_random_uuid(), 'Listed', 'x', 'x', 'x', 100, 1 from generate_series(1, 2500)`.execute(db);
  const alone = fastify();
  const cache = new PageCache(50_000_000);
  await alone.register(sitemapRoutes, { ...services, cache, most: MOST_URLS });
  for (const url of ['/sitemap.xml', '/sitemap.xml?part=1', '/sitemap.xml?part=2']) {
    const states = [await alone.inject({ url }), await alone.inject({ url })].map(({ headers }) => headers['server-timing']);
    expect(states.map(String)).toEqual([expect.stringContaining('miss'), expect.stringContaining('hit')]);
  }
  expect(cache.size).toBeLessThan(500_000);
  await alone.close();
});
