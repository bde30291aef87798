import { expect, test } from 'vitest';
import type { OfficeProduct } from '#contract/catalogue/catalogue.ts';
import { OFFICE_COLUMNS } from '#contract/catalogue/product-fields.ts';
import { aCustomer, aLine, anAdmin, aPayload } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { render } from '#web/entry-server.tsx';

const { app, db } = await testShop({ render });
const admin = await anAdmin(db);

/** Values that stand nowhere else, so that an answer with one of them is found. */
const SECRET = { supplier: 'Zyzzyva Timber', supplierReference: 'QX-77131', costPrice: '7713111' };
const OF_SIZE = 7_713_122;
const PUBLIC = { sku: 'SOFA-1', barcode: '4006381333931', weight: '41500', boxes: '120 x 60 x 20', seoTitle: 'A sofa of ash' };

async function send(method: 'POST' | 'PUT', url: string, fields: Record<string, string>) {
  const form = new FormData();
  const good = { name: 'Secretive', description: 'A sofa.', fit: 'Hall', category: 'Sofa', subCategory: 'Plain', brand: 'Alder' };
  for (const [name, value] of Object.entries({ ...good, price: '9900000', countInStock: '5', ...fields })) form.append(name, value);
  const request = new Request('http://shop.test/', { method, body: form });
  return app.inject({
    method,
    url,
    headers: { ...admin.headers, 'content-type': request.headers.get('content-type') ?? '' },
    payload: Buffer.from(await request.arrayBuffer()),
  });
}

const sizes = JSON.stringify([{ size: 'L', quantity: 5, price: 0, sku: 'SOFA-1-L', costPrice: OF_SIZE }]);
const reply = await send('POST', '/api/products', { ...SECRET, ...PUBLIC, sizes, isRecommend: 'true', newArrivals: 'true' });
const product = reply.json<OfficeProduct>();

test('cost price and supplier are in no answer, page or feed for shoppers', async () => {
  expect(reply.statusCode, reply.body).toBe(201);
  expect(product).toMatchObject({
    ...PUBLIC,
    supplier: SECRET.supplier,
    costPrice: 7_713_111,
    weight: 41_500,
    sizes: [{ costPrice: OF_SIZE }],
  });
  expect(OFFICE_COLUMNS).toEqual(expect.arrayContaining(Object.keys(SECRET)));
  const customer = await aCustomer(db);
  const line = { ...aLine({ _id: product._id, name: 'Secretive', price: 9_900_000 }, { size: 'L' }) };
  const order = await app.inject({ method: 'POST', url: '/api/orders', headers: customer.headers, payload: aPayload([line]) });
  const { id } = { id: product._id };
  const asked: [url: string, headers?: Record<string, string>][] = [
    ...['', '?search=secretive', '/newarrivals', '/facets', '/suggestions?search=secretive', '/room', `/compare?ids=${id}`].map(
      (path): [string] => [`/api/products${path}`],
    ),
    ...[`/${id}`, `/${id}/related`, `/${id}/reviews`].map((path): [string, Record<string, string>] => [
      `/api/products${path}`,
      admin.headers,
    ]),
    ...['/', '/shop', '/newarrivals', `/product/${id}`, '/sitemap.xml', '/api/feed.xml'].map((path): [string] => [path]),
    ['/api/orders/myorders', customer.headers],
    [`/api/orders/${order.json<{ _id: string }>()._id}`, customer.headers],
  ];
  for (const [url, headers = {}] of asked) {
    const { body } = await app.inject({ url, headers });
    for (const secret of [...Object.values(SECRET), String(OF_SIZE)]) expect([url, body.includes(secret)]).toEqual([url, false]);
  }
  const page = (await app.inject({ url: `/product/${id}` })).body;
  for (const shown of ['A sofa of ash', 'One box: 120 × 60 × 20 cm', 'Weight: 41.5 kg', 'SOFA-1']) expect(page).toContain(shown);
});

test('a wrong barcode or box is refused with what to write; the specified edit keeps all that it does not name', async () => {
  const wrong = await send('PUT', `/api/products/${product._id}`, { barcode: '4006381333932', boxes: '120 x 60 x 20\n1200 x 600 x 200' });
  expect(wrong.json()).toMatchObject({
    errors: {
      barcode: 'A barcode has 8, 12, 13 or 14 digits, and this one has a wrong digit. Compare it with the label.',
      boxes: 'Write one box per line, in centimetres, such as 120 x 60 x 20.',
    },
  });
  const sizes = JSON.stringify([{ size: 'L', quantity: '4', price: '0', measurements: [] }]);
  const edited = (await send('PUT', `/api/products/${product._id}`, { sizes })).json<OfficeProduct>();
  expect(edited).toMatchObject({ ...PUBLIC, supplier: SECRET.supplier, costPrice: 7_713_111, weight: 41_500 });
  expect(edited.sizes).toMatchObject([{ quantity: 4, sku: 'SOFA-1-L', costPrice: OF_SIZE }]);
});

test('the shop’s name of a colour stands on the order as it was when it was placed', async () => {
  const colors = JSON.stringify([{ colorName: 'Harris tweed', hexCode: '#7a5a7a' }]);
  await send('PUT', `/api/products/${product._id}`, { colors });
  const customer = await aCustomer(db);
  const line = aLine({ _id: product._id, name: 'Secretive', price: 9_900_000 }, { size: 'L', color: '#7a5a7a' });
  const placed = await app.inject({ method: 'POST', url: '/api/orders', headers: customer.headers, payload: aPayload([line]) });
  await send('PUT', `/api/products/${product._id}`, { colors: '[{"colorName":"#7a5a7a","hexCode":"#7a5a7a"}]' });
  const { _id } = placed.json<{ _id: string }>();
  const order = (await app.inject({ url: `/api/orders/${_id}`, headers: customer.headers })).json();
  expect(order.orderItems).toMatchObject([{ colourName: 'Harris tweed', color: '#7a5a7a' }]);
});
