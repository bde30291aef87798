import { expect, test } from 'vitest';
import type { CountReport, StockList } from '#contract/stock/stock.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { differencesInLedger } from '#server/testing/stock-ledger.ts';

const { app, db } = await testShop();
const admin = await anAdmin(db);
const { headers } = admin;

const list = async (query: string) => (await app.inject({ url: `/api/stock?${query}`, headers })).json<StockList>();
const placesOf = async (id: string) => (await list(`search=${id}`)).products.flatMap(({ places }) => places);
const buy = async (line: ReturnType<typeof aLine>) => {
  const buyer = await aCustomer(db);
  expect((await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload: aPayload([line]) })).statusCode).toBe(
    201,
  );
};
const enter = (sheet: string, lines: object[]) =>
  app.inject({ method: 'POST', url: '/api/stock/counts', headers, payload: { sheet, lines } });

test('the list says what is for sale, what is set aside for orders, and what runs low by its own level (§11.6)', async () => {
  const category = `Chest ${Date.now()}`;
  const chest = await aProduct(db, {
    category,
    stock: 30,
    sizes: [
      { size: 'L', quantity: 10 },
      { size: 'S', quantity: 10 },
    ],
  });
  const lamp = await aProduct(db, { category, stock: 8 });
  await buy(aLine(chest, { size: 'S', qty: 3 }));
  const query = `categoryQuery=${encodeURIComponent(category)}`;
  const { products } = await list(query);
  expect(products.find(({ _id }) => _id === chest._id)).toMatchObject({
    countInStock: 27,
    sizesSum: 17,
    places: [
      { size: 'L', quantity: 10, aside: 0, isLow: false, countedAt: null },
      { size: 'S', quantity: 7, aside: 3, isLow: false, countedAt: null },
    ],
  });
  const idsOf = async (show: string) => (await list(`${query}&show=${show}`)).products.map(({ _id }) => _id);
  expect([await idsOf('low'), await idsOf('differs'), await idsOf('out')]).toEqual([[], [chest._id], []]);
  await db.updateTable('products').set({ lowStock: 8 }).where('id', 'in', [chest._id, lamp._id]).execute();
  expect((await idsOf('low')).sort()).toEqual([chest._id, lamp._id].sort());
});

test('a count changes stock by its difference, so that what is sold meanwhile stays sold, and the same sheet counts once (§11.6)', async () => {
  const sofa = await aProduct(db, {
    stock: 10,
    sizes: [
      { size: 'L', quantity: 6 },
      { size: 'S', quantity: 4 },
    ],
  });
  const sheet = crypto.randomUUID();
  const lines = [
    { productId: sofa._id, size: 'L', expected: 6, counted: 4, reason: 'damaged' },
    { productId: sofa._id, size: 'S', expected: 4, counted: 4 },
  ];
  await buy(aLine(sofa, { size: 'L' }));
  expect((await enter(sheet, lines)).json()).toEqual({ same: 1, changed: 1 });
  const quantities = async () => (await placesOf(sofa._id)).map(({ quantity, aside, countedAt }) => [quantity, aside, countedAt !== null]);
  expect(await quantities()).toEqual([
    [3, 1, true],
    [4, 0, true],
  ]);
  expect((await enter(sheet, lines)).json()).toEqual({ same: 2, changed: 0 });
  // Counted again for the same sheet: one more was found.
  expect((await enter(sheet, [{ ...lines[0], counted: 5, reason: 'found' }])).json()).toEqual({ same: 0, changed: 1 });
  expect((await quantities())[0]).toEqual([4, 1, true]);
  const ledger = (await app.inject({ url: `/api/products/${sofa._id}/stock`, headers })).json<{
    movements: { reason: string; actor: string }[];
  }>();
  expect(ledger.movements.map(({ reason, actor }) => [reason, actor]).slice(0, 3)).toEqual([
    ['Found again', 'Ada Admin'],
    ['Damaged', 'Ada Admin'],
    ['Ordered', ''],
  ]);
  expect(await differencesInLedger(db)).toEqual([]);
});

test('a count that cannot be right is refused with the product’s name, and changes nothing', async () => {
  const sofa = await aProduct(db, {
    name: 'Wren sofa',
    stock: 5,
    sizes: [
      { size: 'L', quantity: 5 },
      { size: 'S', quantity: 5 },
    ],
  });
  const chair = await aProduct(db, { stock: 5 });
  const refusal = async (...lines: object[]) => {
    const reply = await enter(crypto.randomUUID(), lines);
    return [reply.statusCode, reply.json<{ message: string }>().message];
  };
  const fine = { productId: chair._id, size: null, expected: 5, counted: 1 };
  expect(await refusal(fine, { productId: sofa._id, size: 'L', expected: 9, counted: 1 })).toEqual([
    409,
    'Wren sofa (L): 1 were counted, but more than that have been sold since the sheet was made. Please count it again.',
  ]);
  expect(await refusal(fine, { productId: sofa._id, size: 'XL', expected: 1, counted: 1 })).toEqual([
    409,
    'The sizes of Wren sofa have changed since the sheet was made. Please load the list again.',
  ]);
  expect((await refusal(fine, ...['L', 'S'].map((size) => ({ productId: sofa._id, size, expected: 5, counted: 1 }))))[1]).toContain(
    'Wren sofa: its count in stock is 5, fewer than its sizes add up to.',
  );
  expect((await refusal({ ...fine, counted: -1 }))[0]).toBe(400);
  expect((await placesOf(chair._id))[0]?.quantity).toBe(5);
});

async function send(text: string, fingerprint?: string) {
  const body = new FormData();
  body.append('file', new File([text], 'count.csv', { type: 'text/csv' }));
  if (fingerprint) body.append('fingerprint', fingerprint);
  const request = new Request('http://shop.test/', { method: 'POST', body });
  const sent = { ...headers, 'content-type': request.headers.get('content-type') ?? '' };
  return app.inject({ method: 'POST', url: '/api/stock/counts/import', headers: sent, payload: Buffer.from(await request.arrayBuffer()) });
}

test('a count sheet is downloaded, filled, checked and entered; again it changes nothing; semicolons and words are read (§11.6)', async () => {
  const category = `Rug ${Date.now()}`;
  const rug = await aProduct(db, { name: 'Rug, "round"', category, stock: 9 });
  const runner = await aProduct(db, { name: 'Runner', category, stock: 3 });
  const sheet = (await app.inject({ url: `/api/stock/sheet?categoryQuery=${encodeURIComponent(category)}`, headers })).body;
  const [head, one = '', two = ''] = sheet.replace(/[\r\n]+$/, '').split(/\r?\n/);
  expect(head).toBe('\ufeffProduct ID,Product,Category,Size,For sale,Set aside,Should be there,Counted,Reason,Sheet');
  expect([one, two].map((row) => row.replace(/,[^,]*$/, ''))).toEqual([
    `${rug._id},"Rug, ""round""",${category},,9,0,9,,`,
    `${runner._id},Runner,${category},,3,0,3,,`,
  ]);
  const filled = [head, one.replace(',9,,', ',9,7,Lost or stolen'), two].join('\n');
  const checked = (await send(filled)).json<CountReport>();
  expect(checked).toMatchObject({
    isDone: false,
    same: 0,
    changed: 1,
    errors: [],
    differences: [{ row: 2, name: 'Rug, "round"', expected: 9, counted: 7, change: -2, reason: 'Lost or stolen' }],
  });
  expect((await placesOf(rug._id))[0]?.quantity).toBe(9);
  expect((await send(filled, checked.fingerprint)).json()).toMatchObject({ isDone: true, changed: 1, errors: [] });
  expect((await placesOf(rug._id))[0]?.quantity).toBe(7);
  expect((await send(filled, checked.fingerprint)).statusCode).toBe(409);
  expect((await send(filled)).json()).toMatchObject({ same: 1, changed: 0 });
  const withSemicolons = [head, two.replace(',3,,', ',3,4,')].join('\n').replaceAll(',', ';');
  expect((await send(withSemicolons)).json()).toMatchObject({ errors: [], changed: 1, differences: [{ change: 1 }] });
});

test('errors of a count sheet say the row, the column and what to write', async () => {
  const errorsOf = async (text: string) => (await send(text)).json<CountReport>().errors;
  const head = 'Product ID,Product,Size,Should be there,Counted,Reason,Sheet';
  const sheet = crypto.randomUUID();
  expect(await errorsOf(`${head}\na,A,,3,some,,${sheet}\nb,B,,3,2,Eaten,${sheet}\nc,C,,3,,,\nd,D,,3,2,,x`)).toEqual([
    { row: 2, column: 'Counted', message: 'Write a whole number from 0, such as 12.' },
    { row: 3, column: 'Reason', message: 'Write one of: Counted, Damaged, Lost or stolen, Found again, Earlier mistake.' },
    { row: 5, column: 'Sheet', message: 'Leave this column as downloaded: it says which sheet this is.' },
  ]);
  expect((await errorsOf(`${head}\na,A,,3,,,${sheet}`))[0]?.message).toBe('Nothing was counted: the column is empty.');
  expect((await errorsOf('Product\nA'))[0]).toMatchObject({ row: 1, column: 'Product ID' });
  // A product that is gone is left out, the others are entered.
  const lamp = await aProduct(db, { stock: 3 });
  const text = `${head}\n${crypto.randomUUID()},Gone,,3,2,,${sheet}\n${lamp._id},Lamp,,3,2,,${sheet}`;
  const { fingerprint } = (await send(text)).json<CountReport>();
  expect((await send(text, fingerprint)).json()).toMatchObject({ isDone: true, changed: 1, errors: [{ row: 2 }] });
});

test('only administrators see and change the stock', async () => {
  const customer = await aCustomer(db);
  for (const url of ['/api/stock', '/api/stock/sheet'] as const)
    expect((await app.inject({ url, headers: customer.headers })).statusCode).toBe(403);
  const payload = { sheet: crypto.randomUUID(), lines: [] };
  expect((await app.inject({ method: 'POST', url: '/api/stock/counts', headers: customer.headers, payload })).statusCode).toBe(403);
});
