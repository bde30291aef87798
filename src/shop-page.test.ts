import pg from 'pg';
import { expect, test, vi } from 'vitest';
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

test('a page of the shop that is made for the first time costs few statements, and its counts one of them', async () => {
  await app.inject({ url: '/api/products/facets' });
  expect(await cost('/api/products/facets?colourQuery=green')).toBe(1);
  expect(await cost('/api/products?colourQuery=green&fitQuery=study')).toBeLessThanOrEqual(3);
  expect(await cost('/shop?colour=green')).toBeLessThanOrEqual(4);
  expect(await cost('/shop?colour=green')).toBe(0);
});

/** The number beside In Stock Only. */
const inStock = async (url: string) => /In Stock Only<\/label><span[^>]*>(\d+)</.exec((await app.inject({ url })).body)?.[1];

test('a kept page of the shop counts what is in stock anew when something sells out, though it does not show that product', async () => {
  const url = '/shop?query=sofa';
  expect(await inStock(url)).toBe('14');
  const buyer = await aCustomer(db);
  const payload = aPayload([aLine(last, { qty: 1 })]);
  await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload });
  await services.invalidation.catchUp();
  expect(await inStock(url)).toBe('13');
});
