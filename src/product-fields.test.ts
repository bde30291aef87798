import { afterEach, expect, test } from 'vitest';
import type { OfficeProduct } from '#contract/catalogue/catalogue.ts';
import { PRODUCT_FIELDS, PRODUCT_LISTS, type ProductField } from '#contract/catalogue/product-fields.ts';
import { generate } from '#server/generator/generate.ts';
import { csvRow } from '#server/platform/csv.ts';
import { parseCsv } from '#server/testing/csv.ts';
import { anAdmin, aProduct } from '#server/testing/factories.ts';
import { testDatabase, testShop } from '#server/testing/harness.ts';
import { importer } from '#server/testing/imports.ts';
import { fieldsOf, NEW_PRODUCT, type ProductFields, productBody } from '#web/admin/catalogue/product-fields.ts';
import { formOf } from '#web/browser/form-of.ts';

const { app, db } = await testShop();
const admin = await anAdmin(db);
const { carryOut, check, exported } = importer(app, admin);

const read = async (id: string) => (await app.inject({ url: `/api/office/products/${id}`, headers: admin.headers })).json<OfficeProduct>();
const lastChange = async (id: string) =>
  (await app.inject({ url: `/api/products/${id}/changes`, headers: admin.headers })).json<{ change: string }[]>()[0]?.change;

/** Sends the admin form as its screen does. */
async function save(fields: ProductFields, edited?: OfficeProduct): Promise<OfficeProduct> {
  const [method, url] = edited ? (['PUT', `/api/products/${edited._id}`] as const) : (['POST', '/api/products'] as const);
  const body = formOf(productBody(fields, [], null, edited));
  const request = new Request('http://shop.test/', { method, body });
  const headers = { ...admin.headers, 'content-type': request.headers.get('content-type') ?? '' };
  const reply = await app.inject({ method, url, headers, payload: Buffer.from(await request.arrayBuffer()) });
  expect(reply.statusCode, reply.body).toBe(edited ? 200 : 201);
  return reply.json<OfficeProduct>();
}

const part = await aProduct(db, { stock: 4 });
// Each test exports and imports the whole catalogue.
afterEach(async () => {
  await db.deleteFrom('products').where('id', '!=', part._id).execute();
});

/** Values of fields that have rules of their own. */
const RULED: Partial<Record<string, readonly string[]>> = {
  barcode: ['', '4006381333931', '5012345678900'],
  goesWith: ['', '019a0000-0000-7000-8000-000000000001', '019a0000-0000-7000-8000-000000000002, 019a0000-0000-7000-8000-000000000001'],
  boxes: ['', '120 x 60 x 20', '80 x 40 x 10'],
  setParts: ['', `4 x ${part._id}`, `1 x ${part._id}`],
};

/** A value of a field; each `turn` has another. */
function sample(field: ProductField, turn: number): string | number | boolean {
  const ruled = RULED[field.name];
  if (ruled) return ruled[turn] ?? '';
  if (field.kind === 'flag') return turn % 2 === 1;
  if (field.kind === 'choice') return field.options[turn] ?? '';
  if (field.kind === 'moment') return `2026-0${turn}-01T09:00:00.000Z`;
  return field.kind === 'money' || field.kind === 'count' ? field.least + turn : `${field.title} ${turn}`;
}

/** The form with every field filled in. */
function filled(turn: number, tested?: string): ProductFields {
  const typed = PRODUCT_FIELDS.map((field) => {
    // A set has no stock of its own, so only the test of its parts makes one.
    const value = field.name === 'setParts' && tested !== 'setParts' ? '' : sample(field, turn);
    return [field.name, typeof value === 'number' ? String(value) : value];
  });
  return { ...NEW_PRODUCT, ...Object.fromEntries(typed) };
}

const cellOf = async (id: string, column: string) => {
  const [head = [], ...rows] = await parseCsv(await exported());
  return rows.find(([first]) => first === id)?.[head.indexOf(column)];
};

test.each(PRODUCT_FIELDS)('a new product keeps its $name from the form to the CSV, and an import changes it', async (field) => {
  const { name, column } = field;
  const product = await save(filled(1, name));
  expect(product[column]).toBe(sample(field, 1));
  expect(await cellOf(product._id, name)).toBe(String(sample(field, 1)));
  const sheet = [['_id', name].map(String), [product._id, String(sample(field, 2))]].map(csvRow).join('');
  expect(await carryOut(sheet)).toMatchObject({ changed: 1, errors: [] });
  expect((await read(product._id))[column]).toBe(sample(field, 2));
  expect(await lastChange(product._id)).toMatch(new RegExp(`^Changed by import: ${field.change}( from [^,]+ to [^,]+)?$`));
  expect(await check(await exported())).toMatchObject({ changed: 0, errors: [] });
});

test.each(PRODUCT_FIELDS)('an edit that changes the $name changes nothing else, and says so', async (field) => {
  const product = await save(filled(1, field.name));
  const edited = await save({ ...fieldsOf(product), [field.name]: filled(2, field.name)[field.name] }, product);
  expect(edited).toEqual({ ...product, [field.column]: sample(field, 2), ...derivedFrom(edited) });
  expect(await lastChange(product._id)).toMatch(new RegExp(`^Changed: ${field.change}( from [^,]+ to [^,]+)?$`));
});

/** What follows from the fields, and from the moment. */
const derivedFrom = ({ version, updatedAt, fromPrice, toPrice, piecesLeft, care, load, parts, setParts, countInStock }: OfficeProduct) => ({
  ...(setParts && { parts, countInStock }),
  version,
  updatedAt,
  fromPrice,
  toPrice,
  piecesLeft,
  care,
  load,
});

test.each(PRODUCT_FIELDS.filter(({ optional }) => optional))(
  'a new product may be without its $name',
  async ({ name, column, kind, ...field }) => {
    const options = 'options' in field ? field.options : [];
    const product = await save({ ...filled(1), [name]: '' });
    const empty = kind === 'choice' ? options[0] : kind === 'line' || kind === 'text' ? '' : null;
    expect(product[column]).toBe(empty);
    expect(await cellOf(product._id, name)).toBe(empty ?? '');
    expect(await check(await exported())).toMatchObject({ changed: 0, errors: [] });
  },
);

test('the columns of the CSV are the fields and the lists', async () => {
  const [head] = await parseCsv(await exported());
  const names = [...PRODUCT_FIELDS, ...PRODUCT_LISTS].map(({ name }) => name);
  expect(head).toEqual(['_id', ...names, '_exported']);
});

test('generated products fill every field', async () => {
  const { db: own, pool } = await testDatabase(3);
  await generate(pool, { products: 500, orders: 0, seed: 1 });
  const rows = await own
    .selectFrom('products')
    .select(PRODUCT_FIELDS.map(({ column }) => column))
    .execute();
  for (const { column } of PRODUCT_FIELDS.filter(({ name }) => name !== 'setParts'))
    expect([column, rows.some((row) => row[column])]).toEqual([column, true]);
});
