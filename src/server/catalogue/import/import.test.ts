import { expect, test } from 'vitest';
import type { ImportReport, Product } from '#contract/catalogue/catalogue.ts';
import { BYTE_ORDER_MARK, csvRow } from '#server/platform/csv.ts';
import { parseCsv } from '#server/testing/csv.ts';
import { anAdmin, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { importer } from '#server/testing/imports.ts';

const { app, db } = await testShop();
const admin = await anAdmin(db);
const { send, check, exported } = importer(app, admin);
const read = async (id: string) => (await app.inject({ url: `/api/products/${id}` })).json<Product>();
const changesOf = async (id: string) =>
  (await app.inject({ url: `/api/products/${id}/changes`, headers: admin.headers }))
    .json<{ change: string }[]>()
    .map(({ change }) => change);

/** A sheet with only these columns. */
const sheet = (columns: string[], ...rows: string[][]) => [columns, ...rows].map(csvRow).join('');
const everything = () => db.selectFrom('products').selectAll().orderBy('id').execute();

const URL = `/images/${'a'.repeat(64)}`;
const sofa = await aProduct(db, {
  name: '=Sofa, "Nord"\n(new)',
  description: "'=odd  ",
  fit: '',
  colors: ['#aabbcc'],
  images: [URL, `${URL.slice(0, -1)}b`],
  stock: 7,
  sizes: [
    { size: '+1', quantity: 3, price: 100, measurements: [{ name: 'Width', value: '80' }] },
    { size: 'L', quantity: 4 },
  ],
});
const lamp = await aProduct(db, { name: 'Lamp é 🛋️', price: 2_500, isNewArrival: true });

test('an export that is imported again changes nothing', async () => {
  const csv = await exported();
  expect(csv.startsWith(BYTE_ORDER_MARK)).toBe(true);
  expect(csv).toContain(`"'=Sofa, ""Nord""\n(new)"`);
  const before = await everything();
  const report = await check(csv);
  expect(report).toMatchObject({ isDone: false, added: 0, changed: 0, unchanged: 2, changes: [], errors: [] });
  expect((await send(csv, report.fingerprint)).json()).toMatchObject({ isDone: true, added: 0, changed: 0, unchanged: 2 });
  expect(await everything()).toEqual(before);
  expect(await changesOf(lamp._id)).toEqual([]);
});

test('a check changes nothing and reports what the import then does', async () => {
  const csv = sheet(['_id', 'price', 'countInStock', 'newArrivals'], [lamp._id, '2600', '9', 'false'], [sofa._id, '49999', '7', 'false']);
  const report = await check(csv);
  expect(report).toMatchObject({
    isDone: false,
    changed: 1,
    unchanged: 1,
    errors: [],
    changes: [
      {
        row: 2,
        name: lamp.name,
        change: 'price from “2500” to “2600”, countInStock set from 10 to 9, newArrivals from “true” to “false”',
      },
    ],
  });
  expect(await read(lamp._id)).toMatchObject({ price: 2_500, version: 1 });
  expect((await send(csv, report.fingerprint)).json()).toMatchObject({ isDone: true, changed: 1, unchanged: 1 });
  expect(await read(lamp._id)).toMatchObject({ name: lamp.name, price: 2_600, countInStock: 9, isNewArrival: false, version: 2 });
  expect(await changesOf(lamp._id)).toEqual([
    'Changed by import: price from £25.00 to £26.00, stock from 10 to 9, new arrival from yes to no',
  ]);
  expect((await check(csv)).unchanged).toBe(2);
});

test('sizes, colours and pictures are changed too, and a row without an id is a new product', async () => {
  const csv = sheet(
    [
      '_id',
      'name',
      'description',
      'fit',
      'category',
      'subCategory',
      'brand',
      'price',
      'countInStock',
      'newArrivals',
      'isRecommend',
      'sizes',
      'colors',
      'measurements',
      'images',
    ],
    [
      sofa._id,
      'Sofa',
      'Soft.',
      'Hall',
      'Sofa',
      '',
      'Alder',
      '1',
      '2',
      'true',
      'true',
      '[{"size":"XL","quantity":1,"price":5}]',
      '[]',
      '[]',
      URL,
    ],
    [
      '',
      'New Bench',
      'Hard.',
      'Hall',
      'Bench',
      '',
      'Alder',
      '1000',
      '4',
      '',
      '',
      '',
      '[{"colorName":"#000000","hexCode":"#000000"}]',
      '',
      '',
    ],
  );
  const report = await check(csv);
  expect(report).toMatchObject({ added: 1, changed: 1, errors: [] });
  expect(report.changes[1]).toEqual({ row: 3, name: 'New Bench', change: 'new' });
  await send(csv, report.fingerprint);
  expect(await read(sofa._id)).toMatchObject({
    name: 'Sofa',
    fit: 'Hall',
    isRecommend: true,
    colors: [],
    images: [URL],
    sizes: [{ size: 'XL', quantity: 1, price: 5, measurements: [] }],
  });
  const { id } = await db.selectFrom('products').select('id').where('name', '=', 'New Bench').executeTakeFirstOrThrow();
  expect(await read(id)).toMatchObject({ price: 1_000, countInStock: 4, sizes: [], colors: [{ hexCode: '#000000' }] });
  expect(await changesOf(id)).toEqual(['Created by import']);
});

test('each error names its row and column; products with errors are left out, and the others can be imported', async () => {
  const columns = ['_id', 'name', 'description', 'fit', 'category', 'brand', 'price', 'countInStock', 'newArrivals', 'sizes', 'images'];
  const good = ['', 'Good', 'x', 'x', 'x', 'x', '1', '1', 'true', '[]', ''];
  const flawed = (column: string, value: string) => good.map((cell, at) => (columns[at] === column ? value : cell));
  const csv = sheet(
    columns,
    good,
    flawed('name', ' '),
    flawed('price', '£4.99'),
    flawed('price', '4.5'),
    flawed('price', ''),
    flawed('countInStock', '-1'),
    flawed('newArrivals', 'perhaps'),
    flawed('sizes', '[{'),
    flawed('sizes', '[{"size":"S","quantity":1,"price":1},{"size":"S","quantity":1,"price":1}]'),
    flawed('sizes', '[{"size":"S","quantity":-1,"price":1}]'),
    flawed('images', '/images/elsewhere'),
    flawed('_id', '01890000-0000-7000-8000-000000000000'),
    flawed('_id', 'nonsense'),
    flawed('fit', ''),
    [...good, 'more'],
    [lamp._id, ...good.slice(1)],
    [lamp._id, ...good.slice(1)],
  );
  const report = await check(csv);
  expect(report.errors.map(({ row, column }) => [row, column])).toEqual([
    ...[
      [3, 'name'],
      [4, 'price'],
      [5, 'price'],
      [6, 'price'],
      [7, 'countInStock'],
      [8, 'newArrivals'],
      [9, 'sizes'],
      [10, 'sizes'],
      [11, 'sizes'],
    ],
    ...[
      [12, 'images'],
      [13, '_id'],
      [14, '_id'],
      [15, 'fit'],
      [16, ''],
      [18, '_id'],
    ],
  ]);
  expect(report.errors[1]?.message).toBe('Price must be a number.');
  const before = await everything();
  expect((await send(csv, report.fingerprint)).json()).toMatchObject({
    isDone: true,
    added: 1,
    changed: 1,
    leftOut: 15,
    errors: report.errors,
  });
  const after = await everything();
  expect(after.filter(({ id, name }) => id !== lamp._id && name !== 'Good')).toEqual(before.filter(({ id }) => id !== lamp._id));
  expect(await db.deleteFrom('products').where('name', '=', 'Good').where('id', '<>', lamp._id).execute()).toMatchObject([
    { numDeletedRows: 1n },
  ]);
});

test.each([
  ['', 'The file is empty.'],
  ['name,colour\nx,y\n', 'There is no column with this name.'],
  ['name,name\nx,y\n', 'Two columns have the same name.'],
  ['name\n"x\n', 'A quotation mark is never closed.'],
])('a file that is no sheet of products says why: %#', sayWhyNotRead);

test('a file of more than 50,000 products says so', { tags: ['thorough'] }, () =>
  sayWhyNotRead(`name\n${'x\n'.repeat(50_001)}`, 'A file may have at most 50,000 products.'),
);

async function sayWhyNotRead(csv: string, message: string): Promise<void> {
  const body = (await send(csv)).json<ImportReport & { message?: string }>();
  expect(body.message ?? body.errors[0]?.message).toContain(message);
  if (!csv) return;
  expect(body.isBroken).toBe(true);
  const reply = await send(csv, body.fingerprint);
  expect([reply.statusCode, reply.json()]).toEqual([400, { message: 'The file cannot be read to the end; nothing was imported.' }]);
}

test('a product that was sold, edited or deleted since the check is not overwritten', async () => {
  const csv = sheet(['_id', 'countInStock'], [lamp._id, '50']);
  const { fingerprint } = await check(csv);
  await db.updateTable('products').set({ countInStock: 8 }).where('id', '=', lamp._id).execute();
  const reply = await send(csv, fingerprint);
  expect([reply.statusCode, reply.json()]).toEqual([
    409,
    { message: 'The catalogue has changed since the check. Please check the file again.' },
  ]);
  expect((await everything()).find(({ id }) => id === lamp._id)).toMatchObject({ countInStock: 8 });
});

test('a file that is not text, or a request that is not a multipart form, is refused', async () => {
  expect((await send(new Blob([Buffer.from([0x6e, 0xff, 0xfe, 0x01])]))).statusCode).toBe(415);
  const workbook = await send(new Blob([Buffer.from('PK\u0003\u0004')]));
  expect([workbook.statusCode, workbook.json().message]).toEqual([
    415,
    'This is a workbook. Save it as “CSV UTF-8”, then choose that file.',
  ]);
  const reply = await app.inject({ method: 'POST', url: '/api/products/import', headers: admin.headers, payload: { file: 'x' } });
  expect(reply.statusCode).toBe(415);
});

test('a large catalogue is exported and imported again unchanged', { tags: ['thorough'] }, async () => {
  await db
    .insertInto('products')
    .columns(['id', 'name', 'description', 'category', 'brand', 'price', 'countInStock'])
    .expression((eb) =>
      eb
        .selectFrom(eb.fn<{ n: number }>('generate_series', [eb.lit(1), eb.lit(1_700)]).as('n'))
        .select((row) => [
          row.fn<string>('gen_random_uuid').as('id'),
          ...[row.val('Many').as('name'), row.val('x').as('text'), row.val('x').as('category'), row.val('x').as('brand')],
          ...[row.val(1).as('price'), row.val(1).as('stock')],
        ]),
    )
    .execute();
  const csv = await exported();
  expect(new Set((await parseCsv(csv)).map(([id]) => id)).size).toBe(1_704);
  expect(await check(csv)).toMatchObject({ added: 0, changed: 0, unchanged: 1_703, errors: [] });
});
