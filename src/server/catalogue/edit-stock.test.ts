import { expect, test } from 'vitest';
import type { z } from 'zod';
import type { Product } from '#contract/catalogue/catalogue.ts';
import type { Size } from '#contract/catalogue/product-form.schema.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const { app, db } = await testShop();
const admin = await anAdmin(db);
const read = async (id: string) => (await app.inject({ url: `/api/products/${id}` })).json<Product>();

/** Sends the form as it was filled from a product, with what was typed over it. */
async function save(filled: Product, typed: Partial<Pick<Product, 'name' | 'countInStock'>> & { sizes?: z.input<typeof Size>[] }) {
  const { name, description, category, subCategory, brand, price, countInStock, sizes } = { ...filled, ...typed };
  const form = new FormData();
  for (const [field, value] of Object.entries({ name, description, category, subCategory, brand, price, countInStock }))
    form.append(field, String(value));
  form.append('sizes', JSON.stringify(sizes));
  form.append('version', String(filled.version));
  const before = Object.fromEntries(filled.sizes.map(({ size, quantity }) => [size, quantity]));
  form.append('stockBefore', JSON.stringify({ countInStock: filled.countInStock, sizes: before }));
  const request = new Request('http://shop.test/', { method: 'PUT', body: form });
  return app.inject({
    method: 'PUT',
    url: `/api/products/${filled._id}`,
    headers: { ...admin.headers, 'content-type': request.headers.get('content-type') ?? '' },
    payload: Buffer.from(await request.arrayBuffer()),
  });
}

async function filledThenSold(stock: number, sold: number): Promise<Product> {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { stock, sizes: [{ size: 'L' }, { size: 'S' }] });
  const filled = await read(sofa._id);
  const payload = aPayload([aLine(sofa, { qty: sold, size: 'L' })]);
  expect((await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload })).statusCode).toBe(201);
  return filled;
}
const stockOf = async (id: string) => {
  const { countInStock, sizes } = await read(id);
  return [countInStock, ...sizes.map(({ quantity }) => quantity)];
};

test('what is sold while a product is edited stays sold', async () => {
  const filled = await filledThenSold(10, 3);
  expect((await save(filled, { name: 'Renamed' })).statusCode).toBe(200);
  expect((await read(filled._id)).name).toBe('Renamed');
  expect(await stockOf(filled._id)).toEqual([7, 7, 10]);
});

test('pieces that are added by an edit come on top of what is left', async () => {
  const filled = await filledThenSold(10, 3);
  const sizes = filled.sizes.map((size) => ({ ...size, quantity: size.quantity + 5 }));
  const added = [...sizes, { size: 'XL', quantity: 2, price: 0, measurements: [] }];
  expect((await save(filled, { countInStock: 20, sizes: added })).statusCode).toBe(200);
  expect(await stockOf(filled._id)).toEqual([17, 12, 15, 2]);
});

test('an edit that would leave less than nothing is refused with what is left', async () => {
  const filled = await filledThenSold(10, 8);
  const reply = await save(filled, { countInStock: 5 });
  expect([reply.statusCode, reply.json()]).toEqual([
    409,
    { message: 'Pieces were sold while you edited: only 2 are left. Reload the product to see the current stock.' },
  ]);
  expect(await stockOf(filled._id)).toEqual([2, 2, 10]);
});

test('an edit is recorded as what it changes: sizes with measurements that stay are not named, nor in the refusal of a colleague', async () => {
  const measured = (value: string) => [{ name: 'Width', value }];
  const { _id } = await aProduct(db, { sizes: [{ size: 'L', measurements: measured('90') }] });
  const url = `/api/products/${_id}`;
  const lastChange = async () =>
    (await app.inject({ url: `${url}/changes`, headers: admin.headers })).json<{ change: string }[]>()[0]?.change;
  const filled = await read(_id);
  expect(filled.sizes[0]?.measurements[0]).toHaveProperty('inches');
  await save(filled, { name: 'Renamed' });
  expect(await lastChange()).toBe(`Changed: name from “${filled.name}” to “Renamed”`);
  expect((await save(filled, { name: 'Twice' })).json().message).toContain(`(Ada Admin: Changed: name from “${filled.name}” to “Renamed”)`);
  const sizes = filled.sizes.map((size) => ({ ...size, measurements: measured('95') }));
  await save(await read(_id), { name: 'Renamed', sizes });
  expect(await lastChange()).toMatch(/^Changed: size “L”: measurements from .+ to .+$/);
});
