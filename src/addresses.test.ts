import { expect, test } from 'vitest';
import { aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { rawRequests } from '#server/testing/raw-requests.ts';
import { render } from '#web/entry-server.tsx';

const shop = await testShop({ render });
const { db } = shop;
const raw = rawRequests(shop.url);

test.each([
  '/..%2f..%2fpackage.json',
  '/%2e%2e/%2e%2e/package.json',
  '/../../../package.json',
  '/....//....//package.json',
  '/%5c..%5c..%5cpackage.json',
  '/%00',
  '/..;/..;/package.json',
  '/%252e%252e%252fpackage.json',
])('no path leads out of the public folders: %s', async (path) => {
  for (const folder of ['', '/assets', '/images', '/favicon.svg', '/api/docs/static', '/api/docs']) {
    const answer = await raw(folder + path);
    expect([folder, answer.body.includes('"furniture-shop"'), answer.status < 500]).toEqual([folder, false, true]);
  }
});

test.each([
  '//evil.example',
  '//evil.example/shop?currPage=99',
  '/\\evil.example',
  '/%2f%2fevil.example/',
  '/shop/?currPage=99',
  '/./shop?currPage=999',
  '///evil.example/%2e%2e',
  '/login?redirect=//evil.example',
  '/shop?currPage=99&search=//evil.example',
  '/product/%0d%0aLocation:%20https://evil.example',
])('no address of the shop redirects to another site: %s', async (path) => {
  const { headers, status } = await raw(path);
  expect(status).toBeLessThan(500);
  if (headers.location) expect(headers.location).toMatch(/^\/(?![/\\])/);
});

test.each([
  '//',
  '///',
  '//shop',
  '//evil.example',
  '//h:99999/shop',
  '/\\',
  '/\\evil.example',
  '/shop//',
  '/./shop',
  '/x/../shop',
  '/SHOP',
  '/Cart',
  '/%E0%A4%A',
  '/product/%zz',
  '/%',
  '/%ED%A0%80',
  '/shop%00',
  'http://h:99999//',
  '*',
])('an unknown address is the 404 page: %s (§2.1.4)', async (path) => {
  const page = await raw(path);
  expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect(page.body).toMatch(/Sorry, Page not Found|Product not found/);
  expect(page.body).not.toContain('Our Creations');
});

test.each(['/api/products/%zz', '/api/%E0%A4%A', '/api//products', '/api/\\', '/images/%', '/stripe/%ff', '/API/products/../x'])(
  'a malformed address is a Problem below the machines’ paths, and a page elsewhere: %s',
  async (path) => {
    const answer = await raw(path);
    expect(answer.status).toBe(404);
    if (/^\/(api|images|stripe)/.test(path)) expect(typeof JSON.parse(answer.body).message).toBe('string');
  },
);

test('an address of any length that names nothing is the 404 page, or a Problem below the machines’ paths (§2.1.4)', async () => {
  for (const folder of ['/', '/product/', '/images/', '/api/products/'])
    for (const length of [101, 3_000, 15_000]) {
      const { status, body } = await raw(folder + 'x'.repeat(length));
      expect([folder, length, status]).toEqual([folder, length, 404]);
      if (!/^\/(api|images)/.test(folder)) expect(body).toMatch(/Sorry, Page not Found|Product not found/);
    }
});

test('a slash at the end changes nothing, nor does an address with scheme and host (§2.1.4)', async () => {
  const sofa = await aProduct(db);
  for (const path of ['/shop', '/cart', `/product/${sofa._id}`, '/api/products', `/api/products/${sofa._id}`, '/healthz']) {
    const [plain, slashed, absolute] = [await raw(path), await raw(`${path}/`), await raw(`http://shop.example${path}`)];
    expect([path, plain.status]).toEqual([path, 200]);
    expect([path, slashed.status, slashed.body === plain.body, absolute.body === plain.body]).toEqual([path, 200, true, true]);
  }
});

test('a page for any number, unit, bound and sign is a page, not an error (§12.6)', { tags: ['thorough'] }, async () => {
  const numbers = ['0', '40000', '1,000', '3.5', '99999999999999999999'];
  const units = ['mm', 'm', '"', "'", ''];
  const searches = numbers.flatMap((number, index) =>
    units.map((unit) => `${['', 'under ', 'over ', '-'][index % 4]}${number}${unit} wide sofa`),
  );
  const filters = numbers.flatMap((value) => ['minWidth', 'maxHeight', 'minPrice', 'maxPrice'].map((name) => ({ [name]: value })));
  for (const params of [...searches.map((search) => ({ search })), ...filters]) {
    const { status } = await raw(`/shop?${new URLSearchParams(params as Record<string, string>)}`);
    expect([params, status]).toEqual([params, 200]);
  }
});
