import { expect, test } from 'vitest';
import type { OfficeProduct } from '#contract/catalogue/catalogue.ts';
import { csvRow } from '#server/platform/csv.ts';
import { anAdmin } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { importer } from '#server/testing/imports.ts';

const { app, db } = await testShop();
const admin = await anAdmin(db);
const { check, carryOut } = importer(app, admin);

async function read(name: string): Promise<OfficeProduct> {
  const { id } = await db.selectFrom('products').select('id').where('name', '=', name).executeTakeFirstOrThrow();
  return (await app.inject({ url: `/api/office/products/${id}`, headers: admin.headers })).json<OfficeProduct>();
}
const file = (head: readonly string[], rows: Record<string, string>[]) =>
  csvRow([...head]) + rows.map((row) => csvRow(head.map((heading) => row[heading] ?? ''))).join('');

/** The columns that Shopify publishes for its export of products. */
const SHOPIFY = [
  'Handle|Title|Body (HTML)|Vendor|Product Category|Type|Tags|Published|Option1 Name|Option1 Value|Option2 Name',
  'Option2 Value|Option3 Name|Option3 Value|Variant SKU|Variant Grams|Variant Inventory Tracker|Variant Inventory Qty',
  'Variant Inventory Policy|Variant Fulfillment Service|Variant Price|Variant Compare At Price|Variant Requires Shipping',
  'Variant Taxable|Variant Barcode|Image Src|Image Position|Image Alt Text|Gift Card|SEO Title|SEO Description',
  'Variant Image|Variant Weight Unit|Cost per item|Status',
].flatMap((line) => line.split('|'));

test('an export of Shopify is checked first, then its products come with their variants as sizes, and its pictures are fetched', async () => {
  const csv = file(SHOPIFY, [
    {
      Handle: 'oslo',
      Title: 'Shopify Sofa',
      'Body (HTML)': '<p>A sofa &amp; more.</p><p>Of oak.</p>',
      Vendor: 'Alder',
      Type: 'Sofa',
      Published: 'true',
      'Option1 Name': 'Seats',
      'Option1 Value': 'Two',
      'Option2 Name': 'Colour',
      'Option2 Value': 'Oak',
      'Variant SKU': 'S-2',
      'Variant Grams': '41500',
      'Variant Inventory Tracker': 'shopify',
      'Variant Inventory Qty': '3',
      'Variant Price': '899.00',
      'Variant Barcode': "'4006381333931",
      'Image Src': 'https://cdn.example.com/1.jpg',
      'Cost per item': '400.00',
      Status: 'active',
    },
    {
      Handle: 'oslo',
      'Option1 Value': 'Three',
      'Option2 Value': 'Oak',
      'Variant Inventory Tracker': 'shopify',
      'Variant Inventory Qty': '-1',
      'Variant Price': '1099.50',
      'Image Src': 'http://cdn.example.com/2.jpg',
    },
    { Handle: 'oslo', 'Image Src': 'https://cdn.example.com/3.jpg' },
    {
      Handle: 'lamp',
      Title: 'Shopify Lamp',
      Vendor: '',
      'Product Category': 'Home > Lighting > Lamps',
      'Option1 Name': 'Title',
      'Option1 Value': 'Default Title',
      'Variant Inventory Tracker': 'shopify',
      'Variant Inventory Qty': '7',
      'Variant Price': '19.99',
      Status: 'draft',
    },
    { Handle: 'free', Title: 'Free thing', 'Option1 Value': 'Default Title', 'Variant Price': '0.00', Status: 'active' },
  ]);
  const report = await check(csv);
  expect(report).toMatchObject({
    added: 2,
    leftOut: 1,
    changes: [
      { row: 2, name: 'Shopify Sofa', change: 'new' },
      { row: 5, name: 'Shopify Lamp' },
    ],
  });
  expect(report.errors).toEqual([{ row: 6, column: 'Variant Price', message: 'Price is required.' }]);
  expect(await db.selectFrom('products').select('id').execute()).toEqual([]);
  await carryOut(csv);
  expect(await read('Shopify Sofa')).toMatchObject({
    description: 'A sofa & more.\nOf oak.',
    category: 'Sofa',
    brand: 'Alder',
    price: 89_900,
    countInStock: 3,
    state: 'live',
    sizes: [
      { size: 'Two / Oak', price: 89_900, quantity: 3, sku: 'S-2', barcode: '4006381333931', weight: 41_500, costPrice: 40_000 },
      { size: 'Three / Oak', price: 109_950, quantity: 0 },
    ],
  });
  expect(await read('Shopify Lamp')).toMatchObject({ price: 1_999, countInStock: 7, category: 'Lamps', state: 'draft', sizes: [] });
  const jobs = await db.selectFrom('jobs').select('payload').where('name', '=', 'fetchPicture').orderBy('id').execute();
  expect(jobs.map(({ payload }) => (payload as { address: string }).address)).toEqual(
    [1, 2, 3].map((n) => `https://cdn.example.com/${n}.jpg`),
  );
  expect(await carryOut(csv)).toMatchObject({ added: 0, unchanged: 2 });
});

/** The columns that WooCommerce publishes for its export of products. */
const WOO = [
  'ID|Type|SKU|GTIN, UPC, EAN, or ISBN|Name|Published|Is featured?|Visibility in catalog|Short description|Description',
  'Date sale price starts|Date sale price ends|Tax status|Tax class|In stock?|Stock|Low stock amount|Backorders allowed?',
  'Sold individually?|Weight (kg)|Length (cm)|Width (cm)|Height (cm)|Allow customer reviews?|Purchase note|Sale price',
  'Regular price|Categories|Tags|Shipping class|Images|Download limit|Download expiry days|Parent|Grouped products|Upsells',
  'Cross-sells|External URL|Button text|Position|Brands|Attribute 1 name|Attribute 1 value(s)|Attribute 1 visible',
].flatMap((line) => line.split('|'));

test('an export of WooCommerce comes with its variations as sizes, wherever they stand', async () => {
  const csv = file(WOO, [
    {
      ID: '10',
      Type: 'variable',
      SKU: 'W',
      Name: 'Woo Sofa',
      Published: '1',
      Description: 'Soft.\\nWide.',
      Categories: 'Furniture > Sofas, Sale',
      'Width (cm)': '180',
      'Length (cm)': '90',
      'Weight (kg)': '41.5',
      'Attribute 1 name': 'Seats',
      'Attribute 1 value(s)': 'Two, Three',
      Brands: 'Alder',
    },
    {
      ID: '12',
      Type: 'simple',
      SKU: 'L',
      Name: 'Woo Lamp',
      Published: '-1',
      'Is featured?': '1',
      'In stock?': '1',
      Stock: '',
      'Regular price': '19.99',
    },
    {
      ID: '13',
      Type: 'variation',
      SKU: 'W-2',
      Name: 'Woo Sofa - Two',
      Published: '1',
      Stock: '4',
      'Regular price': '899',
      Parent: 'W',
      'Attribute 1 value(s)': 'Two',
    },
    {
      ID: '14',
      Type: 'variation',
      SKU: 'W-3',
      Name: 'Woo Sofa - Three',
      Published: '1',
      Stock: '2',
      'Regular price': '1099',
      Parent: 'id:10',
      'Attribute 1 value(s)': 'Three',
    },
  ]);
  expect(await carryOut(csv)).toMatchObject({ added: 2, errors: [] });
  expect(await read('Woo Sofa')).toMatchObject({
    description: 'Soft.\nWide.',
    category: 'Sofas',
    brand: 'Alder',
    price: 89_900,
    countInStock: 6,
    weight: 41_500,
    measurements: [{ name: 'Width' }, { name: 'Depth' }],
    sizes: [
      { size: 'Two', price: 89_900, quantity: 4, sku: 'W-2' },
      { size: 'Three', price: 109_900, quantity: 2, sku: 'W-3' },
    ],
  });
  expect(await read('Woo Lamp')).toMatchObject({
    price: 1_999,
    countInStock: 1,
    isRecommend: true,
    state: 'draft',
    category: 'Furniture',
    brand: 'Unbranded',
  });
});

const shopifyRow = (handle: string, typed: Record<string, string> = {}) => ({
  Handle: handle,
  Title: handle,
  Vendor: 'Alder',
  'Option1 Value': 'Default Title',
  'Variant Inventory Tracker': 'shopify',
  'Variant Inventory Qty': '2',
  'Variant Price': '10.00',
  ...typed,
});
const wooRow = (name: string, typed: Record<string, string> = {}) => ({
  Type: 'simple',
  Name: name,
  Published: '1',
  Stock: '2',
  'Regular price': '10',
  ...typed,
});
const wooVariation = (parent: string, option: string, typed: Record<string, string> = {}) =>
  wooRow(`${parent} ${option}`, { Type: 'variation', Parent: parent, 'Attribute 1 value(s)': option, ...typed });

test.each([
  ['active', 'true', 'live'],
  ['active', 'false', 'hidden'],
  ['draft', 'false', 'draft'],
  ['archived', 'true', 'hidden'],
  ['', 'true', 'live'],
  ['constructor', 'true', 'draft'],
  ['unlisted', 'true', 'draft'],
])('a product of Shopify that is “%s”, published “%s”, becomes %s', async (status, published, state) => {
  const name = `Shopify ${status} ${published}`;
  await carryOut(file(SHOPIFY, [shopifyRow(name, { Status: status, Published: published })]));
  expect((await read(name)).state).toBe(state);
});

test('what the other shop sells without counting it is one piece, and the report says so', async () => {
  const untracked = { 'Variant Inventory Tracker': '', 'Variant Inventory Qty': '0' };
  expect((await check(file(SHOPIFY, [shopifyRow('untracked', untracked)]))).changes).toMatchObject([
    { change: 'new, 1 in stock where the other shop does not count' },
  ]);
  await carryOut(file(SHOPIFY, [shopifyRow('untracked', untracked)]));
  expect((await read('untracked')).countInStock).toBe(1);
  // A file without the column says nothing of tracking.
  const without = SHOPIFY.filter((heading) => heading !== 'Variant Inventory Tracker');
  await carryOut(file(without, [shopifyRow('counted', { 'Variant Inventory Qty': '6' })]));
  expect((await read('counted')).countInStock).toBe(6);
});

test('an export of WooCommerce without its ID column loses no product', async () => {
  const head = WOO.filter((heading) => heading !== 'ID');
  expect(
    (
      await check(
        file(
          head,
          ['One', 'Two', 'Three'].map((name) => wooRow(name)),
        ),
      )
    ).added,
  ).toBe(3);
});

test('variations may come before their product; one whose product is missing, or that is not published, is no size', async () => {
  const csv = file(WOO, [
    wooVariation('EARLY', 'S'),
    wooVariation('id:77', 'M', { Images: 'https://cdn.example.com/m.jpg' }),
    wooRow('Early Sofa', { Type: 'variable', ID: '77', SKU: 'EARLY', Stock: '', 'Regular price': '' }),
    wooVariation('EARLY', 'L', { Published: '0' }),
    wooVariation('EARLY', 'XL', { Published: '-1' }),
    wooVariation('LOST', 'S'),
    wooVariation('', 'S'),
  ]);
  const report = await carryOut(csv);
  expect(report).toMatchObject({
    added: 1,
    leftOut: 2,
    errors: [
      { row: 7, column: 'Parent', message: 'The file has no product “LOST” for this variation.' },
      { row: 8, column: 'Parent', message: 'This variation names no product.' },
    ],
  });
  expect((await read('Early Sofa')).sizes.map(({ size }) => size)).toEqual(['S', 'M']);
});

test('variations that share the stock of their product all have it, and the product has it once', async () => {
  await carryOut(
    file(WOO, [
      wooRow('Shared Sofa', { Type: 'variable', SKU: 'SHARED', Stock: '5', 'Regular price': '' }),
      wooVariation('SHARED', 'S', { Stock: 'parent' }),
      wooVariation('SHARED', 'M', { Stock: 'parent' }),
      wooVariation('SHARED', 'L', { Stock: '3' }),
    ]),
  );
  const { countInStock, sizes } = await read('Shared Sofa');
  expect([countInStock, ...sizes.map(({ quantity }) => quantity)]).toEqual([8, 5, 5, 3]);
});

test('names of characters and numbers of them are read, and what only looks like one stays', async () => {
  const html = '<h2>L&eacute;a &ndash; &#8220;80&#xd7;40&#8221;</h2><p>1 < 2 &unknown; &amp;lt; &#99999999;</p>';
  await carryOut(file(WOO, [wooRow('Tables &amp; more', { Description: html, Categories: 'All > Beds &amp; Sofas' })]));
  expect(await read('Tables & more')).toMatchObject({
    description: 'Léa – “80×40”\n1 < 2 &unknown; &lt; �',
    category: 'Beds & Sofas',
  });
});

test('a product with too many variants is left out in words, and takes no memory for all of them', async () => {
  const many = Array.from({ length: 60 }, (_, n) => shopifyRow('many', { 'Option1 Value': `Size ${n}` }));
  expect(await check(file(SHOPIFY, [...many, shopifyRow('few')]))).toMatchObject({
    added: 1,
    errors: [{ row: 52, message: 'A product can have at most 50 sizes.' }],
  });
});

test('more products than a file may have end the reading, also in names of variations', async () => {
  const rows = Array.from({ length: 50_001 }, (_, n) => `variation,,x,1,1,p${n}\n`).join('');
  expect(await check(`Type,SKU,Name,Published,Regular price,Parent\n${rows}`)).toMatchObject({
    isBroken: true,
    errors: [{ row: 50_002, message: 'A file may have at most 50,000 products.' }],
  });
});

test('a file of another shop may have hundreds of columns', async () => {
  const head = [...SHOPIFY, ...Array.from({ length: 300 }, (_, n) => `Metafield ${n}`)];
  expect(await check(file(head, [shopifyRow('wide')]))).toMatchObject({ added: 1, errors: [] });
});

test.each([
  ['<br', 'Description'],
  ['<', 'Description'],
  ['\u00a0', 'Description'],
])('a description of nothing but %j is read in time that grows with its length', async (part, column) => {
  const before = performance.now();
  await check(file(WOO, [wooRow('Slow', { [column]: part.repeat(200_000 / part.length) })]));
  expect(performance.now() - before).toBeLessThan(2_000);
});
