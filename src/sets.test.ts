import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { isSetText, readSetParts, setPartsText, setsLeft } from '#contract/catalogue/set-parts.ts';
import type { Movements } from '#contract/stock/stock.ts';
import { csvRow } from '#server/platform/csv.ts';
import { anAdmin, aProduct, stockOf } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { importer } from '#server/testing/imports.ts';
import { differencesInLedger } from '#server/testing/stock-ledger.ts';
import { jsonText } from '#web/browser/form-of.ts';
import { render } from '#web/entry-server.tsx';
import { editAsForm } from './testing/edit-as-form.ts';

const shop = await testShop({ render, env: { STORE_MARKET: 'uk' } });
const { app, db } = shop;
const admin = await anAdmin(db);
const { headers } = admin;
const OAK = '#b58a5a';

const chair = await aProduct(db, { name: 'Ladder Chair', price: 12_000, stock: 9, colors: [OAK, '#000000'] });
const table = await aProduct(db, {
  name: 'Long Table',
  price: 50_000,
  stock: 2,
  deliveryClass: 'two-person',
  sizes: [{ size: '160 cm' }, { size: '200 cm' }],
});
const PARTS = `1 x ${table._id} | 160 cm; 4 x ${chair._id} | | ${OAK}`;

const save = (id: string, setParts: string) => editAsForm(app, headers, id, { setParts });

test('the parts of a set are text that the form, the CSV and the database read alike', async () => {
  const parts = readSetParts(`${PARTS}\n`);
  expect(parts).toEqual([
    { _id: table._id, qty: 1, size: '160 cm', colour: null },
    { _id: chair._id, qty: 4, size: null, colour: OAK },
  ]);
  expect(readSetParts(setPartsText(parts ?? []))).toEqual(parts);
  const { rows } = await sql`select part_id as "_id", qty, size, colour from parts_of(${`${PARTS}\n`})`.execute(db);
  expect(rows).toEqual(parts);
  const wrong = [
    'a chair',
    `0 x ${chair._id}`,
    `100 x ${chair._id}`,
    `4 x ${chair._id} | | oak`,
    `${PARTS}; ${PARTS}`,
    `60 x ${chair._id}; 50 x ${chair._id} | S`,
  ];
  expect(wrong.map(isSetText)).toEqual(wrong.map(() => false));
});

test('what the rule says of the parts’ stock is what the database keeps', async () => {
  const stock = { countInStock: 9, sizes: [] };
  const tables = {
    countInStock: 2,
    sizes: [
      { size: '160 cm', quantity: 2 },
      { size: '200 cm', quantity: 2 },
    ],
  };
  const stocks = new Map<string, typeof stock | typeof tables>([
    [chair._id, stock],
    [table._id, tables],
  ]);
  const texts = [
    PARTS,
    `2 x ${chair._id} | | ${OAK}; 3 x ${chair._id} | | #000000`,
    `1 x ${table._id}`,
    `1 x ${table._id} | 160 cm; 1 x ${table._id} | 200 cm`,
    `1 x ${chair._id} | S`,
  ];
  for (const text of texts) {
    const { rows } = await sql<{ left: number }>`select sets_in_stock(${text}) as "left"`.execute(db);
    expect([text, rows[0]?.left]).toEqual([text, setsLeft(readSetParts(text) ?? [], (id) => stocks.get(id))]);
  }
});

test('a product becomes a set by its form, shows its parts and what it saves, and follows them from the cache', async () => {
  const set = await aProduct(db, { name: 'Long Dining Set', price: 89_900, stock: 7 });
  const reply = await save(set._id, PARTS);
  expect([reply.statusCode, reply.json().countInStock]).toEqual([200, 2]);
  const page = async () => (await app.inject({ url: `/product/${set._id}` })).body.replaceAll('<!-- -->', '');
  const shown = await page();
  for (const text of ['In this set', 'Ladder Chair', 'Long Table', '£980.00', 'you save £81.00', 'Two-person delivery'])
    expect(shown).toContain(text);
  await app.inject({ method: 'DELETE', url: `/api/products/${table._id}`, headers });
  expect(await page()).toContain('Out of Stock');
  await app.inject({ method: 'POST', url: `/api/office/products/${table._id}/bring-back`, headers });
  // And back to a product with a stock of its own.
  expect((await save(set._id, '')).statusCode).toBe(200);
  expect(await page()).not.toContain('In this set');
});

test('what a product had leaves the ledger with the reason when it becomes a set; when it is no set any more it has what is typed', async () => {
  const lastMove = async (id: string) => (await app.inject({ url: `/api/products/${id}/stock`, headers })).json<Movements>().movements[0];
  const set = await aProduct(db, { name: 'Loft Set', stock: 7 });
  expect((await save(set._id, PARTS)).json().countInStock).toBe(2);
  expect(await lastMove(set._id)).toMatchObject({ reason: 'Edited', note: 'Became a set', count: { change: -7, left: 0 } });
  // Another program sends back the count that it was shown.
  const shown = await editAsForm(app, headers, set._id, { setParts: '' }, { stockBefore: jsonText({ countInStock: 2, sizes: {} }) });
  expect([shown.statusCode, await stockOf(db, set._id)]).toEqual([200, 0]);
  await save(set._id, PARTS);
  // On the form, the count starts at 0.
  await editAsForm(app, headers, set._id, { setParts: '', countInStock: '2' });
  expect(await stockOf(db, set._id)).toBe(2);
  await editAsForm(app, headers, set._id, { setParts: PARTS, stockNote: 'For the loft' });
  expect(await lastMove(set._id)).toMatchObject({ note: 'Became a set: For the loft', count: { change: -2, left: 0 } });
  const { carryOut } = importer(app, admin);
  const sheet = [
    ['_id', 'setParts'],
    [set._id, ''],
  ]
    .map(csvRow)
    .join('');
  expect(await carryOut(sheet)).toMatchObject({ changed: 1, errors: [] });
  expect(await stockOf(db, set._id)).toBe(0);
  expect(await differencesInLedger(db)).toEqual([]);
});

test('what cannot be a set is refused in words', async () => {
  const [plain, sized, coloured] = [
    await aProduct(db),
    await aProduct(db, { sizes: [{ size: 'S' }] }),
    await aProduct(db, { colors: [OAK] }),
  ];
  const set = await aProduct(db, { name: 'A Set', setParts: PARTS });
  const gone = '019a0000-0000-7000-8000-000000000001';
  const cases: [string, string, string][] = [
    [plain._id, 'chairs', 'Write at most 12 parts as pieces and the number of the product'],
    [plain._id, `1 x ${plain._id}`, 'A set cannot be a part of itself.'],
    [plain._id, `1 x ${gone}`, 'One of the parts is not a product, or was deleted.'],
    [plain._id, `1 x ${set._id}`, 'A Set is a set itself. Choose its parts instead.'],
    [plain._id, `1 x ${table._id}`, 'Choose a size of Long Table.'],
    [plain._id, `1 x ${table._id} | 9 cm`, 'Long Table has no size 9 cm.'],
    [plain._id, `1 x ${chair._id}`, 'Choose a colour of Ladder Chair.'],
    [plain._id, `1 x ${chair._id} | | #ffffff`, 'Ladder Chair has no colour #ffffff.'],
    [sized._id, `1 x ${chair._id} | | ${OAK}`, 'A set has no sizes of its own.'],
    [coloured._id, `1 x ${chair._id} | | ${OAK}`, 'A set has no colours of its own.'],
    [chair._id, `1 x ${table._id} | 160 cm`, 'A set has no colours of its own.'],
  ];
  for (const [id, text, message] of cases) {
    const reply = await save(id, text);
    expect([text, reply.statusCode, reply.json<{ errors: { setParts: string } }>().errors.setParts]).toEqual([
      text,
      400,
      expect.stringContaining(message),
    ]);
  }
  const part = await aProduct(db, { name: 'Part' });
  await aProduct(db, { name: 'Outer', setParts: `1 x ${part._id}` });
  expect((await save(part._id, `1 x ${plain._id}`)).json().message).toBe('This product is a part of Outer, so it cannot be a set.');
});

test('a price list makes sets, and names what cannot be one by its row', async () => {
  const { check, carryOut } = importer(app, admin);
  const other = await aProduct(db, { name: 'By CSV', stock: 1 });
  const sheet = (text: string) =>
    [
      ['_id', 'setParts'],
      [other._id, text],
    ]
      .map(csvRow)
      .join('');
  expect(await check(sheet(`1 x ${table._id}`))).toMatchObject({
    changed: 0,
    errors: [{ row: 2, message: 'Choose a size of Long Table.' }],
  });
  expect(await carryOut(sheet(PARTS))).toMatchObject({ changed: 1, errors: [] });
  expect(await stockOf(db, other._id)).toBe(2);
  const words = (text: string) =>
    [
      ['ID', 'Set of'],
      [other._id, text],
    ]
      .map(csvRow)
      .join('');
  expect(await carryOut(words(`2 x ${chair._id} | | ${OAK}`))).toMatchObject({ changed: 1, errors: [] });
  expect(await stockOf(db, other._id)).toBe(4);
});

test('the feed has a set as a bundle, ready with its slowest part, at its own price and stock', async () => {
  const slow = await aProduct(db, { name: 'Slow Lamp', leadWeeks: 6 });
  await aProduct(db, { name: 'Fed Set', price: 70_000, images: ['/images/set.webp'], setParts: `${PARTS}; 1 x ${slow._id}` });
  const feed = (await app.inject({ url: '/api/feed.xml' })).body;
  const item = feed.split('<item>').find((text) => text.includes('Fed Set')) ?? '';
  for (const text of ['is_bundle>yes<', 'availability>in_stock<', 'price>700.00 GBP<', 'max_handling_time>30<'])
    expect(item).toContain(text);
});

test('sets are not counted: the stock list and its sheet have their parts', async () => {
  const set = await aProduct(db, { name: 'Uncounted Set', setParts: PARTS });
  const list = (await app.inject({ url: '/api/stock?search=Uncounted', headers })).json();
  expect(list.products).toEqual([]);
  const payload = { sheet: set._id, lines: [{ productId: set._id, size: null, expected: 2, counted: 9, reason: 'counted' }] };
  const reply = await app.inject({ method: 'POST', url: '/api/stock/counts', headers, payload });
  expect([reply.statusCode, reply.json().message]).toEqual([409, 'Uncounted Set is a set. Please count its parts instead.']);
});
