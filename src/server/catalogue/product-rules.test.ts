import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Product } from '#contract/catalogue/catalogue.ts';
import { anAdmin, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const { db, url } = await testShop();
const admin = await anAdmin(db);
const GOOD = {
  name: 'Oslo',
  description: 'A sofa',
  fit: 'Hall',
  category: 'Sofa',
  subCategory: 'Two-seat',
  brand: 'Harrow',
  price: '100',
  countInStock: '5',
};
const sizesOf = (size: object) => JSON.stringify([{ size: 'L', quantity: 1, price: 1, ...size }]);

/** Sends the good form with other values; a field that is undefined is left out. */
async function send(fields: Record<string, string | undefined>, id?: string) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...GOOD, ...fields })) if (value !== undefined) form.append(name, value);
  const reply = await fetch(`${url}/api/products${id ? `/${id}` : ''}`, {
    method: id ? 'PUT' : 'POST',
    headers: admin.headers,
    body: form,
  });
  return { status: reply.status, body: (await reply.json()) as Product & { message: string; errors?: Record<string, string> } };
}

const PRICE = 'Price must be at least 1 penny.';
test.each([
  ['price', { price: '' }, 'Price is required.'],
  ['price', { price: '  ' }, 'Price is required.'],
  ['price', { price: undefined }, 'Price is required.'],
  ['price', { price: '0' }, PRICE],
  ['price', { price: '-1' }, PRICE],
  ['price', { price: '4.5' }, 'Price must be a whole number.'],
  ['price', { price: '0x10' }, 'Price must be a number.'],
  ['price', { price: '1e3' }, 'Price must be a number.'],
  ['price', { price: '100000001' }, 'Price can be at most 100000000 pence (£1,000,000.00).'],
  ['price', { price: '9'.repeat(400) }, 'Price must be a number.'],
  ['countInStock', { countInStock: '' }, 'Count in stock is required.'],
  ['countInStock', { countInStock: undefined }, 'Count in stock is required.'],
  ['countInStock', { countInStock: '-1' }, 'Count in stock cannot be below 0.'],
  ['countInStock', { countInStock: '2147483648' }, 'Count in stock can be at most 1,000,000.'],
  ['sizes.0.size', { sizes: sizesOf({ size: '' }) }, 'Size is required.'],
  ['sizes.0.size', { sizes: sizesOf({ size: undefined }) }, 'Size is required.'],
  ['sizes.0.quantity', { sizes: sizesOf({ quantity: '' }) }, 'Quantity is required.'],
  ['sizes.0.quantity', { sizes: sizesOf({ quantity: null }) }, 'Quantity is required.'],
  ['sizes.0.quantity', { sizes: sizesOf({ quantity: true }) }, 'Quantity must be a number.'],
  ['sizes.0.quantity', { sizes: sizesOf({ quantity: [] }) }, 'Quantity must be a number.'],
  ['sizes.0.quantity', { sizes: sizesOf({ quantity: 2 ** 31 }) }, 'Quantity can be at most 1,000,000.'],
  ['sizes.0.price', { sizes: sizesOf({ price: '' }) }, 'Size price is required.'],
  ['sizes.0.price', { sizes: sizesOf({ price: -1 }) }, 'Size price cannot be below 0.'],
  ['sizes.0.price', { sizes: sizesOf({ price: 2 ** 31 }) }, 'Size price can be at most 100000000 pence (£1,000,000.00).'],
  ['sizes.0.measurements.0.value', { sizes: sizesOf({ measurements: [{ name: 'Width' }] }) }, 'Measurement value is required.'],
  ['name', { name: 'Oslo\nsofa' }, 'Name must be one line of text.'],
  ['category', { category: 'So\u2028fa' }, 'Category must be one line of text.'],
  ['subCategory', { subCategory: 'Two\u0007seat' }, 'Subcategory must be one line of text.'],
  ['brand', { brand: 'Harrow\u0085& Lind' }, 'Brand must be one line of text.'],
  ['sizes.0.size', { sizes: sizesOf({ size: 'L\r\nXL' }) }, 'Size must be one line of text.'],
  [
    'sizes.0.measurements.0.name',
    { sizes: sizesOf({ measurements: [{ name: 'W\tH', value: '1' }] }) },
    'Measurement name must be one line of text.',
  ],
])('a product form says what is wrong with %s: %j (§5.5, §5.8)', async (field, fields, message) => {
  const wanted = [400, message, message];
  const made = await send(fields);
  expect([made.status, made.body.message, made.body.errors?.[field]]).toEqual(wanted);
  const { _id } = await aProduct(db);
  const edited = await send(fields, _id);
  expect([edited.status, edited.body.message, edited.body.errors?.[field]]).toEqual(wanted);
});

test.each(['newArrivals', 'isRecommend'])('%s is true or false, and nothing else', async (field) => {
  for (const value of ['yes', '1', 'on', 'TRUE', 'no', '0', 'maybe']) {
    const { status, body } = await send({ [field]: value });
    expect([status, body.errors?.[field]]).toEqual([400, expect.stringMatching(/^(New arrivals|Recommend) must be true or false\.$/)]);
  }
  const shown = field === 'newArrivals' ? 'isNewArrival' : 'isRecommend';
  expect((await send({ [field]: 'true' })).body[shown]).toBe(true);
  expect((await send({ [field]: 'false' })).body[shown]).toBe(false);
  expect((await send({ [field]: undefined })).body[shown]).toBe(false);
});

test('a size of price 0 is sold at the product’s price, and all sizes together have an upper limit', async () => {
  const made = await send({ sizes: sizesOf({ price: '0', quantity: '3' }) });
  expect([made.status, made.body.sizes]).toEqual([
    201,
    [
      {
        size: 'L',
        quantity: 3,
        price: 0,
        measurements: [],
        sku: '',
        barcode: '',
        weight: null,
        wasPrice: null,
        costPrice: null,
        model: null,
      },
    ],
  ]);
  const many = ['S', 'L'].map((size) => ({ size, quantity: 600_000, price: 1 }));
  const refused = await send({ sizes: JSON.stringify(many) });
  expect([refused.status, refused.body.message]).toEqual([400, 'All sizes together can have at most 1,000,000 pieces.']);
});

test('stock that an edit adds to what is there stays below the upper limit (§5.8)', async () => {
  const { _id } = await aProduct(db, { stock: 900_000 });
  const stockBefore = JSON.stringify({ countInStock: 0, sizes: {} });
  const reply = await send({ countInStock: '900000', stockBefore }, _id);
  expect([reply.status, reply.body.message]).toEqual([
    400,
    'Together with the 900000 in stock now, this would be more than 1,000,000 pieces.',
  ]);
});

test('marks that a client leaves empty, or sends as one of the words for nothing, are not set', async () => {
  for (const nothing of ['', 'null', 'undefined']) {
    const made = await send({ newArrivals: nothing, isRecommend: nothing });
    expect([made.status, made.body.isNewArrival, made.body.isRecommend]).toEqual([201, false, false]);
    expect((await send({ version: nothing }, made.body._id)).status).toBe(200);
  }
});

test.each(['constructor', 'toString', '__proto__'])('a size may be called %s', async (size) => {
  const made = await send({ sizes: sizesOf({ size }) });
  expect([made.status, made.body.sizes[0]?.size]).toEqual([201, size]);
  const stockBefore = `{"countInStock":5,"sizes":{"${size}":1}}`;
  const edited = await send({ sizes: sizesOf({ size, quantity: 4 }), stockBefore }, made.body._id);
  expect([edited.status, edited.body.sizes[0]?.quantity]).toEqual([200, 4]);
});

test('the database itself refuses a product without a price (§5.5)', async () => {
  await expect(aProduct(db, { price: 0 })).rejects.toThrow('at least 1 penny');
  const { _id } = await aProduct(db);
  await expect(db.updateTable('products').set({ price: 0 }).where('id', '=', _id).execute()).rejects.toThrow('at least 1 penny');
});

test('the database keeps the state of a product and its time in step, whichever of the two is set', async () => {
  const { _id } = await aProduct(db, {});
  const after = async (set: string) => {
    await sql`update products set ${sql.raw(set)} where id = ${_id}`.execute(db);
    const { state, stateBefore, deletedAt } = await db
      .selectFrom('products')
      .select(['state', 'stateBefore', 'deletedAt'])
      .where('id', '=', _id)
      .executeTakeFirstOrThrow();
    return [state, stateBefore, deletedAt !== null];
  };
  expect(await after("state = 'hidden'")).toEqual(['hidden', null, true]);
  expect(await after("state = 'deleted'")).toEqual(['deleted', 'hidden', true]);
  expect(await after("state = 'live'")).toEqual(['live', 'hidden', false]);
  // As earlier versions delete.
  expect(await after('deleted_at = now()')).toEqual(['deleted', 'live', true]);
  expect(await after("state = 'draft'")).toEqual(['draft', 'live', true]);
});
