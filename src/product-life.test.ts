import { afterEach, expect, test } from 'vitest';
import type { OfficeCard, OfficeProduct } from '#contract/catalogue/catalogue.ts';
import { runJobs } from '#server/app/jobs.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { render } from '#web/entry-server.tsx';

const { app, db, services } = await testShop({ render });
const admin = await anAdmin(db);
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });
const GOOD = { description: 'A sofa for tests.', fit: 'Hall', brand: 'Harrow', price: '100', countInStock: '5', subCategory: 'Plain' };

async function send(method: 'POST' | 'PUT', url: string, fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...GOOD, ...fields })) form.append(name, value);
  const request = new Request('http://shop.test/', { method, body: form });
  return app.inject({
    method,
    url,
    headers: { ...admin.headers, 'content-type': request.headers.get('content-type') ?? '' },
    payload: Buffer.from(await request.arrayBuffer()),
  });
}

const office = (id: string) => get(`/api/office/products/${id}`, admin.headers);
const officeList = async (query: string) =>
  (await get(`/api/office/products?${query}`, admin.headers))
    .json<{ products: OfficeCard[] }>()
    .products.map(({ name, state }) => [name, state]);
const act = async (id: string, action: 'duplicate' | 'bring-back') =>
  app.inject({ method: 'POST', url: `/api/office/products/${id}/${action}`, headers: admin.headers });
const remove = (id: string) => app.inject({ method: 'DELETE', url: `/api/products/${id}`, headers: admin.headers });

/** Where shoppers, and an administrator who asks as they do, meet a product of this name. */
async function shownIn(id: string, name: string, category: string) {
  const lists = {
    list: `/api/products?categoryQuery=${category}`,
    'list for an administrator': `/api/products?pageNumber=1&categoryQuery=${category}`,
    search: `/api/products?search=${name}`,
    suggestions: `/api/products/suggestions?search=${name}`,
    'new arrivals': '/api/products/newarrivals',
    compare: `/api/products/compare?ids=${id}`,
    page: `/shop?search=${name}`,
    sitemap: '/sitemap.xml',
    feed: '/api/feed.xml',
  };
  const found = [];
  for (const [where, url] of Object.entries(lists)) {
    const { body } = await get(url, where.includes('administrator') ? admin.headers : {});
    if (body.includes(id)) found.push(where);
  }
  for (const url of [`/api/products/${id}`, `/product/${id}`]) if ((await get(url)).statusCode === 200) found.push(url.split('/')[1]);
  const facets = (await get('/api/products/facets')).json<{ categories: { value: string }[] }>();
  if (JSON.stringify(facets).toLowerCase().includes(category.toLowerCase())) found.push('facets');
  return found;
}
const EVERYWHERE = [
  'list',
  'list for an administrator',
  'search',
  'suggestions',
  'new arrivals',
  'compare',
  'page',
  'sitemap',
  'feed',
  'api',
  'product',
  'facets',
];

async function buy(id: string, name: string) {
  const buyer = await aCustomer(db);
  return app.inject({
    method: 'POST',
    url: '/api/orders',
    headers: buyer.headers,
    payload: aPayload([aLine({ _id: id, name, price: 100 })]),
  });
}

let count = 0;
async function create(fields: Record<string, string> = {}) {
  count += 1;
  const words = ['Quill', 'Raven', 'Sable', 'Thorn', 'Umber', 'Velvet', 'Willow'][count];
  const own = { name: `${words}wood`, category: `${words}kind`, newArrivals: 'true' };
  const reply = await send('POST', '/api/products', { ...own, ...fields });
  expect(reply.statusCode, reply.body).toBe(201);
  const product = reply.json<OfficeProduct>();
  // The feed has no piece without a picture.
  await db
    .updateTable('products')
    .set({ images: ['/images/ab-1200.webp'] })
    .where('id', '=', product._id)
    .execute();
  return { own, product };
}

afterEach(async () => {
  await db.updateTable('products').set({ isNewArrival: false }).execute();
});

test('a created product is live at once, as the specified call says (§2.12.4)', async () => {
  const { product, own } = await create();
  expect(product.state).toBe('live');
  expect(await shownIn(product._id, own.name, own.category)).toEqual(EVERYWHERE);
});

test.each(['draft', 'hidden'])(
  'nobody sees or buys a product that becomes %s, in no list, page or cache, until it is live again',
  async (state) => {
    const { product, own } = await create();
    await shownIn(product._id, own.name, own.category);
    expect((await send('PUT', `/api/products/${product._id}`, { ...own, state })).json()).toMatchObject({ state });
    expect(await shownIn(product._id, own.name, own.category)).toEqual([]);
    expect((await buy(product._id, own.name)).statusCode).toBe(409);
    const cart = await app.inject({ method: 'POST', url: '/api/cart/check', payload: { orderItems: [aLine(product)] } });
    expect(cart.json()).toMatchObject({ lines: [{ isSold: false }] });
    expect((await office(product._id)).json()).toMatchObject({ state, name: own.name });
    expect(await officeList(`search=${own.name}`)).toEqual([[own.name, state]]);
    expect(await officeList(`stateQuery=${state}`)).toContainEqual([own.name, state]);
    // An edit that says nothing of the state, as the specified one, leaves it.
    expect((await send('PUT', `/api/products/${product._id}`, { ...own, price: '200' })).json()).toMatchObject({ state, price: 200 });
    await send('PUT', `/api/products/${product._id}`, { ...own, price: '100', state: 'live' });
    expect(await shownIn(product._id, own.name, own.category)).toEqual(EVERYWHERE);
    expect((await buy(product._id, own.name)).statusCode).toBe(201);
  },
);

test('a scheduled product goes live at its moment, and needs one', async () => {
  expect((await send('POST', '/api/products', { name: 'x', category: 'x', state: 'scheduled' })).json()).toMatchObject({
    errors: { liveFrom: 'Enter the day and time when the product goes live.' },
  });
  const { product, own } = await create({ state: 'scheduled', liveFrom: '2096-12-04 09:00' });
  expect(product).toMatchObject({ state: 'scheduled', liveFrom: '2096-12-04T09:00:00.000Z' });
  await runJobs(services);
  expect(await shownIn(product._id, own.name, own.category)).toEqual([]);
  const soon = new Date(Date.now() + 50).toISOString();
  await send('PUT', `/api/products/${product._id}`, { ...own, state: 'scheduled', liveFrom: soon });
  await expect
    .poll(
      async () => {
        await runJobs(services);
        await services.invalidation.catchUp();
        return shownIn(product._id, own.name, own.category);
      },
      { timeout: 30_000 },
    )
    .toEqual(EVERYWHERE);
  const past = await create({ state: 'scheduled', liveFrom: '2020-01-01' });
  expect(past.product.state).toBe('live');
});

test('a deleted product can be brought back as what it was, for 30 days', async () => {
  const { product, own } = await create({ state: 'hidden' });
  const live = await aProduct(db, { name: 'Deleted Desk' });
  for (const id of [product._id, live._id]) expect((await remove(id)).statusCode).toBe(200);
  expect((await remove(product._id)).statusCode).toBe(404);
  expect((await office(product._id)).statusCode).toBe(404);
  expect(await officeList(`search=${own.name}`)).toEqual([]);
  expect(await officeList('stateQuery=deleted&sortBy=name')).toEqual([
    ['Deleted Desk', 'deleted'],
    [own.name, 'deleted'],
  ]);
  expect((await act(product._id, 'bring-back')).json()).toMatchObject({ state: 'hidden' });
  expect((await act(live._id, 'bring-back')).json()).toMatchObject({ state: 'live' });
  expect((await get(`/api/products/${live._id}`)).statusCode).toBe(200);
  await remove(live._id);
  const longAgo = new Date(Date.now() - 31 * 86_400_000).toISOString();
  await db.updateTable('products').set({ deletedAt: longAgo }).where('id', '=', live._id).execute();
  expect(await officeList('stateQuery=deleted')).toEqual([]);
  expect((await act(live._id, 'bring-back')).statusCode).toBe(404);
});

test('a copy is a draft with all that its original says, and without its stock', async () => {
  const measurements = [{ name: 'Width', value: '80' }];
  const sofa = await aProduct(db, { name: 'Original', sizes: [{ size: 'L', price: 900, measurements }], colors: ['#aabbcc'], rating: 4 });
  const reply = await act(sofa._id, 'duplicate');
  expect(reply.statusCode).toBe(201);
  const copy = reply.json<OfficeProduct>();
  expect(copy).toMatchObject({
    name: 'Original (copy)',
    state: 'draft',
    countInStock: 0,
    rating: 0,
    category: 'Sofa',
    sizes: [{ size: 'L', price: 900, quantity: 0, measurements: [{ name: 'Width', value: '80' }] }],
    colors: [{ hexCode: '#aabbcc' }],
  });
  expect((await get(`/api/products/${copy._id}`)).statusCode).toBe(404);
});

test('fit and colours can be changed after creation, a colour has a name of the shop’s, and the history says what changed', async () => {
  const { product, own } = await create({ colors: '[{"colorName":"#c4a478","hexCode":"#c4a478"}]' });
  expect(product.colors[0]).toEqual({ colorName: '#c4a478', hexCode: '#c4a478', name: 'Oak' });
  const colors = JSON.stringify([
    { colorName: 'Harris tweed, heather', hexCode: '#7a5a7a' },
    { colorName: '#000000', hexCode: '#000000' },
  ]);
  const reply = await send('PUT', `/api/products/${product._id}`, { ...own, fit: 'Bedroom', colors, price: '250' });
  expect(reply.json<OfficeProduct>().colors.map(({ name }) => name)).toEqual(['Harris tweed, heather', 'Black']);
  expect((await get('/api/products?search=heather')).body).toContain(product._id);
  const changes = (await get(`/api/products/${product._id}/changes`, admin.headers)).json<{ change: string }[]>();
  expect(changes[0]?.change).toBe(
    'Changed: fit from “Hall” to “Bedroom”, price from £1.00 to £2.50, ' +
      'colours from Oak #c4a478 to Harris tweed, heather #7a5a7a, Black #000000',
  );
});

test('only administrators read and move what is not in the shop', async () => {
  const { product } = await create({ state: 'draft' });
  const customer = await aCustomer(db);
  for (const [headers, status] of [
    [{}, 401],
    [customer.headers, 403],
  ] as const) {
    expect((await get(`/api/office/products/${product._id}`, headers)).statusCode).toBe(status);
    expect((await app.inject({ method: 'POST', url: `/api/office/products/${product._id}/duplicate`, headers })).statusCode).toBe(status);
  }
  expect((await get('/api/office/categories', admin.headers)).json()).toContain(product.category);
});

test('the address of a deleted product is 410 with pieces of its category, and leads to a successor once one is chosen', async () => {
  const old = await aProduct(db, { name: 'Old Stool', category: 'Stoolkind' });
  const other = await aProduct(db, { name: 'Other Stool', category: 'Stoolkind' });
  const url = `/product/${old._id}`;
  const choose = (id: string, product: string) =>
    app.inject({ method: 'PUT', url: `/api/office/products/${id}/successor`, headers: admin.headers, payload: { product } });
  expect((await choose(old._id, '')).statusCode).toBe(404);
  await remove(old._id);
  const gone = await get(url);
  expect(gone.statusCode).toBe(410);
  for (const text of ['Sorry, Page not Found', 'Back to the home page', 'Other Stool', '<meta name="robots" content="noindex"/>'])
    expect(gone.body).toContain(text);
  expect((await get(`/api/products/${old._id}`)).statusCode).toBe(404);
  const wrong = await choose(old._id, 'the other stool');
  expect([wrong.statusCode, wrong.json().message]).toEqual([400, 'Enter the address of a product page in the shop, or leave it empty.']);
  expect((await choose(old._id, `https://shop.test/product/${other._id}?size=large`)).json()).toEqual({
    successor: { _id: other._id, name: 'Other Stool' },
  });
  const moved = await get(`${url}?size=small`);
  expect([moved.statusCode, moved.headers.location]).toEqual([301, `/product/${other._id}`]);
  const { products } = (await get('/api/office/products?stateQuery=deleted&search=stool', admin.headers)).json<{
    products: OfficeCard[];
  }>();
  expect(products.map(({ successor }) => successor?.name)).toEqual(['Other Stool']);
  // A successor that is deleted too leads on to its own.
  const newest = await aProduct(db, { name: 'Newest Stool', category: 'Stoolkind' });
  await remove(other._id);
  expect((await get(url)).statusCode).toBe(410);
  await choose(other._id, newest._id);
  expect((await get(url)).headers.location).toBe(`/product/${newest._id}`);
  // Two that lead to each other end.
  await act(other._id, 'bring-back');
  await remove(newest._id);
  await choose(newest._id, other._id);
  await remove(other._id);
  await db.updateTable('products').set({ successorId: newest._id }).where('id', '=', other._id).execute();
  expect((await get(url)).statusCode).toBe(410);
  await act(old._id, 'bring-back');
  expect((await get(url)).statusCode).toBe(200);
});
