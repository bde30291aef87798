import { expect, test } from 'vitest';
import type { Product } from '#contract/catalogue/catalogue.ts';
import { csvRow } from '#server/platform/csv.ts';
import { parseCsv } from '#server/testing/csv.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type ProductInput } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { importer } from '#server/testing/imports.ts';

const { app, db } = await testShop();
const admin = await anAdmin(db);
const { check, carryOut, exported, send } = importer(app, admin);
const read = async (id: string) => (await app.inject({ url: `/api/products/${id}` })).json<Product>();
const stockOf = async (id: string) => {
  const { countInStock, sizes } = await read(id);
  return [countInStock, ...sizes.map(({ quantity }) => quantity)];
};

/** One product's export with some cells overwritten. */
async function fileOf(id: string) {
  const [head = [], ...rows] = await parseCsv(await exported());
  const row = rows.find(([key]) => key === id) ?? [];
  return (typed: Record<string, string> = {}) => csvRow(head) + csvRow(head.map((column, at) => typed[column] ?? row[at] ?? ''));
}

async function buy(product: { _id: string; name: string; price: number }, line: { qty: number; size?: string }) {
  const buyer = await aCustomer(db);
  const reply = await app.inject({
    method: 'POST',
    url: '/api/orders',
    headers: buyer.headers,
    payload: aPayload([aLine(product, line)]),
  });
  expect(reply.statusCode).toBe(201);
}
const sized = (fields: ProductInput = {}) => aProduct(db, { sizes: [{ size: 'S' }, { size: 'L' }], ...fields });
const sizesCell = (...sizes: [string, number][]) =>
  JSON.stringify(sizes.map(([size, quantity]) => ({ size, quantity, price: 0, measurements: [] })));

test('a file exported before a sale does not put the sold pieces back', async () => {
  const sofa = await sized();
  const file = await fileOf(sofa._id);
  await buy(sofa, { qty: 2, size: 'L' });
  expect(await check(file())).toMatchObject({ changed: 0, unchanged: 1, errors: [] });
  expect(await carryOut(file({ name: 'Renamed' }))).toMatchObject({ isDone: true, changed: 1, errors: [] });
  expect([(await read(sofa._id)).name, ...(await stockOf(sofa._id))]).toEqual(['Renamed', 8, 10, 8]);
});

test('stock typed into the file is applied and shown as a difference', async () => {
  const sofa = await sized();
  const file = await fileOf(sofa._id);
  await buy(sofa, { qty: 3, size: 'S' });
  const csv = file({ countInStock: '15', sizes: sizesCell(['S', 12], ['L', 9]) });
  const { changes } = await check(csv);
  expect(changes[0]?.change).toBe('countInStock +5, from 7 to 12, sizes (S +2, L −1)');
  await carryOut(csv);
  expect(await stockOf(sofa._id)).toEqual([12, 9, 9]);
});

test('pieces sold between the check and the import stay sold, and the import goes on', async () => {
  const sofa = await sized();
  const csv = (await fileOf(sofa._id))({ countInStock: '11' });
  const { fingerprint } = await check(csv);
  await buy(sofa, { qty: 4, size: 'L' });
  expect((await send(csv, fingerprint)).json()).toMatchObject({ isDone: true, changed: 1, errors: [] });
  expect(await stockOf(sofa._id)).toEqual([7, 10, 6]);
});

test('importing the same file again moves no stock and duplicates no product', async () => {
  const sofa = await sized();
  const file = await fileOf(sofa._id);
  const csv = file({ countInStock: '15', sizes: sizesCell(['S', 10], ['L', 10], ['XL', 3]) });
  await carryOut(csv);
  await buy(sofa, { qty: 1, size: 'XL' });
  expect(await carryOut(csv)).toMatchObject({ changed: 0, unchanged: 1, errors: [] });
  expect(await stockOf(sofa._id)).toEqual([14, 10, 10, 2]);
  await carryOut(file({ countInStock: '16', sizes: sizesCell(['S', 10], ['L', 10], ['XL', 3]) }));
  expect(await stockOf(sofa._id)).toEqual([15, 10, 10, 2]);
  const columns = ['name', 'description', 'fit', 'category', 'brand', 'price', 'countInStock', 'newArrivals', 'isRecommend'];
  const bench = csvRow(['New Bench', 'x', 'x', 'x', 'x', '1', '1', 'true', 'false']);
  const two = csvRow(columns) + bench + bench;
  expect(await carryOut(two)).toMatchObject({ added: 2 });
  expect(await carryOut(two)).toMatchObject({ added: 0, unchanged: 2 });
  const made = await db.selectFrom('products').select('id').where('name', '=', 'New Bench').execute();
  expect(made).toHaveLength(2);
  for (const { id } of made) await app.inject({ method: 'DELETE', url: `/api/products/${id}`, headers: admin.headers });
  expect(await carryOut(two)).toMatchObject({ added: 2 });
});

test('changes made only in the shop stay; a cell changed on both sides is refused, unless both agree', async () => {
  const sofa = await aProduct(db, { name: 'Before', price: 1_000 });
  const file = await fileOf(sofa._id);
  await carryOut((await fileOf(sofa._id))({ price: '1500' }));
  expect(await carryOut(file({ name: 'After' }))).toMatchObject({ changed: 1 });
  expect(await read(sofa._id)).toMatchObject({ name: 'After', price: 1_500 });
  const { errors } = await check(file({ price: '1200' }));
  expect(errors).toEqual([
    {
      row: 2,
      column: 'price',
      message: 'Since the export this was changed in the shop too, where it is now “1500”. Put that into the file, or export again.',
    },
  ]);
  expect(await check(file({ price: '1500' }))).toMatchObject({ errors: [], changed: 0 });
});

test('sizes changed on both sides are refused; changes of one side are merged', async () => {
  const sofa = await sized();
  const file = await fileOf(sofa._id);
  await carryOut((await fileOf(sofa._id))({ sizes: sizesCell(['S', 10], ['L', 10], ['XL', 4]) }));
  await carryOut(file({ sizes: sizesCell(['S', 13], ['L', 10]) }));
  expect(await stockOf(sofa._id)).toEqual([10, 13, 10, 4]);
  const { errors } = await check(file({ sizes: sizesCell(['S', 13]) }));
  expect(errors[0]).toMatchObject({ row: 2, column: 'sizes', message: expect.stringContaining('in the shop too') });
});

test('a difference that would make stock negative is refused with the number left', async () => {
  const sofa = await aProduct(db, { stock: 5 });
  const file = await fileOf(sofa._id);
  await buy(sofa, { qty: 4 });
  const { errors } = await check(file({ countInStock: '2' }));
  expect(errors[0]).toMatchObject({ column: 'countInStock', message: expect.stringContaining('1 left, so 3 cannot be taken off') });
});

test('a spreadsheet’s reformatting is not a change', async () => {
  const sofa = await sized({ isNewArrival: true, colors: ['#aabbcc'] });
  const file = await fileOf(sofa._id);
  const sizes = JSON.stringify(JSON.parse(sizesCell(['S', 10], ['L', 10])), null, 2);
  expect(await check(file({ newArrivals: 'TRUE', isRecommend: 'FALSE', price: ' 49999 ', sizes }))).toMatchObject({
    changed: 0,
    unchanged: 1,
    errors: [],
  });
});
