import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { readConfig } from '#server/platform/settings/config.ts';
import { aCustomer, aLine, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { render } from '#web/entry-server.tsx';

const { app, db, services } = await testShop({ render });
const last = await aProduct(db, { name: 'Last one', category: 'Sofa', stock: 1, colors: ['#3f9a3c'] });
for (let n = 0; n < 13; n += 1) await aProduct(db, { category: 'Sofa', stock: 5 });

/** How many statements a request makes. */
async function cost(url: string): Promise<number> {
  const said = vi.spyOn(pg.Client.prototype, 'query');
  await app.inject({ url });
  const { length } = said.mock.calls;
  said.mockRestore();
  return length;
}

test('a page of the shop that is made for the first time costs few statements, its counts three of them: how long the lists are, the values and the ranges (§12.7)', async () => {
  await app.inject({ url: '/api/products/facets' });
  expect(await cost('/api/products/facets?colourQuery=green')).toBe(3);
  expect(await cost('/api/products?colourQuery=green&fitQuery=study')).toBeLessThanOrEqual(3);
  expect(await cost('/shop?colour=green')).toBeLessThanOrEqual(5);
  expect(await cost('/shop?colour=green')).toBe(0);
});

test('a page that no cache keeps is compressed as well', async () => {
  const sent = (encoding: string) => app.inject({ url: '/checkout', headers: { 'accept-encoding': encoding } });
  const plain = await sent('identity');
  expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'accept-encoding']);
  for (const [encoding, unpacked] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const { headers, rawPayload } = await sent(encoding);
    expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'accept-encoding']);
    expect(rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
    expect(unpacked(rawPayload).toString()).toBe(plain.body);
  }
});

test('what is shared of a variant, and what search engines read, is that variant: its name, picture, price and stock (§2.7.2)', async () => {
  const pictures = ['three', 'two'].map((name) => `/images/${name}-1200.webp`);
  const { _id } = await aProduct(db, {
    name: 'Oslo Sofa',
    category: 'Seating',
    price: 129_900,
    stock: 9,
    colors: ['#b3aa9d', '#53595c'],
    images: pictures,
    sizes: [
      { size: 'Three-seat', quantity: 9 },
      { size: 'Two-seat', quantity: 0, price: 104_900 },
    ],
  });
  const shown = JSON.stringify({ [String(pictures[1])]: { kind: 'packshot', size: 'Two-seat' } });
  await db.updateTable('products').set({ shown }).where('id', '=', _id).execute();
  const { body } = await app.inject({ url: `/product/${_id}?size=two-seat&colour=slate` });
  const address = `/product/${_id}?size=two-seat&colour=slate`;
  const property = (name: string) => new RegExp(`<meta property="og:${name}" content="([^"]*)"`).exec(body)?.[1]?.replaceAll('&amp;', '&');
  expect([property('title'), property('url'), property('image')]).toEqual([
    expect.stringContaining('Oslo Sofa, two-seat, slate'),
    expect.stringMatching(new RegExp(`${address.replace('?', '\\?')}$`)),
    expect.stringMatching(/two-1200\.webp$/),
  ]);
  expect(body).toMatch(new RegExp(`<link rel="canonical" href="[^"]*/product/${_id}"`));
  const data = JSON.parse(/<script type="application\/ld\+json">([^<]*)</.exec(body)?.[1] ?? '') as { '@graph': object[] };
  expect(data['@graph'][0]).toMatchObject({
    name: 'Oslo Sofa, two-seat, slate',
    size: 'Two-seat',
    color: 'Slate',
    image: [expect.stringMatching(/two-1200\.webp$/), expect.stringMatching(/three-1200\.webp$/)],
    offers: { price: '1049.00', url: expect.stringContaining(address) as string, availability: 'https://schema.org/OutOfStock' },
  });
});

test('so does a product’s page', async () => {
  expect(await cost(`/product/${last._id}`)).toBeLessThanOrEqual(5);
});

test('with an address for pictures a page shows all of them from there, and may load nothing else from it', async () => {
  const cdn = await testShop({ render, env: { PICTURES_URL: 'https://img.example/shop/' } });
  const own = `/images/${'ab'.repeat(16)}-1200.webp`;
  const { _id } = await aProduct(cdn.db, { images: [own] });
  const { body, headers } = await cdn.app.inject({ url: `/product/${_id}` });
  const there = `https://img.example/shop${own}`;
  expect(body).toContain(`<meta property="og:image" content="${there}"/>`);
  expect(body).toContain(`"image":["${there}"]`);
  expect(body).toContain(`src="${there.replace('1200', '640')}"`);
  expect(body).toContain(`${there.replace('1200.webp', '320.avif')} 320w`);
  // What the browser draws with is told where they are; the API's own addresses stay the shop's.
  expect(body).toContain('"pictures":"https://img.example/shop"');
  expect((await cdn.app.inject({ url: `/api/products/${_id}` })).json()).toMatchObject({ images: [own] });
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("img-src 'self' blob: data: https://img.example;");
  expect(policy).toContain("connect-src 'self' https://img.example;");
  expect(policy.match(/img\.example/g)).toHaveLength(2);
  // The next page of a shop without that setting, in the same process, has its own addresses again.
  expect((await app.inject({ url: `/product/${last._id}` })).body).not.toContain('img.example');
  const wrong = { PICTURES_URL: 'ftp://img.example' };
  expect(() => readConfig(wrong)).toThrow('PICTURES_URL must begin with http:// or https://');
});

/** The number beside In Stock Only. */
const inStock = async (url: string) => /In Stock Only<\/label><span[^>]*>(\d+)</.exec((await app.inject({ url })).body)?.[1];

test('a kept page of the shop counts what is in stock anew when something sells out, though it does not show that product (§12.7)', async () => {
  const url = '/shop?query=sofa';
  expect(await inStock(url)).toBe('14');
  const buyer = await aCustomer(db);
  const payload = aPayload([aLine(last, { qty: 1 })]);
  await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload });
  await services.invalidation.catchUp();
  expect(await inStock(url)).toBe('13');
});

test('a kept page of a product shows what goes with it while that is in stock (§19.1)', async () => {
  const ofRange = { brand: 'Pori', fit: 'Study' };
  const chair = await aProduct(db, { ...ofRange, name: 'Pori Chair', category: 'Chair' });
  const desk = await aProduct(db, { ...ofRange, name: 'Pori Desk', category: 'Desk', stock: 1 });
  const isShown = async () => {
    await services.invalidation.catchUp();
    return (await app.inject({ url: `/product/${chair._id}` })).body.includes('Pori Desk');
  };
  expect(await isShown()).toBe(true);
  const { headers } = await aCustomer(db);
  const order = (await app.inject({ method: 'POST', url: '/api/orders', headers, payload: aPayload([aLine(desk)]) })).json<{
    _id: string;
  }>();
  expect(await isShown()).toBe(false);
  await app.inject({ method: 'POST', url: `/api/orders/${order._id}/cancel`, headers, payload: { reason: 'Another reason' } });
  expect(await isShown()).toBe(true);
});

test('each page marks its own link in the header', async () => {
  const links = ['/', '/newarrivals', '/shop', '/shop?query=Sofa', '/shop?query=Wardrobe', '/privacy', '/shop?search=oak'];
  const currentLinkOf = (body: string) => /<header .*<\/header>/s.exec(body)?.[0].match(/aria-current="page"[^>]*>([^<]*)/)?.[1];
  const current = await Promise.all(links.map(async (url) => currentLinkOf((await app.inject({ url })).body)));
  expect(current).toEqual(['Home', 'New Arrivals', 'All Products', 'Sofa', 'Wardrobe', undefined, undefined]);
});

test('a product’s page is not kept for sizes, colours and pages of reviews that it does not have: there is no end of them', async () => {
  const { _id } = await aProduct(db, { sizes: [{ size: 'Two-seat' }, { size: 'Three-seat' }], colors: ['#53595c'] });
  const again = async (search: string) => {
    const ask = async () => (await app.inject({ url: `/product/${_id}?${search}` })).headers['server-timing'];
    return [search, await ask(), await ask()];
  };
  for (const known of ['size=three-seat', 'colour=slate', 'reviewSort=lowest'])
    expect(await again(known)).toEqual([known, 'cache;desc=miss', 'cache;desc=hit']);
  for (const invented of ['size=zz1', 'size=two-seat&colour=pink', 'reviewPage=987654'])
    expect(await again(invented)).toEqual([invented, 'cache;desc=miss', 'cache;desc=miss']);
});
