import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Invoice } from '#contract/invoices/invoices.ts';
import { quarterOf } from '#contract/invoices/quarters.ts';
import type { Order } from '#contract/orders/orders.ts';
import { ADDRESS } from '#server/testing/address.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { parseCsv } from '#server/testing/csv.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';
import { issueInvoice } from './issue.service.ts';

const shop = await testShop({
  pool: 25,
  env: { ...MANY_ORDERS, VAT_NUMBER: 'GB 123 4567 89', STORE_MARKET: 'uk', SHOP_NAME: 'Hearth & Oak', COMPANY_NAME: 'Oak Ltd' },
});
const { app, db } = shop;
const admin = await anAdmin(db);
const { checkout, orderOf } = cardDesk(shop);

async function place(buyer: SignedIn, lines: ReturnType<typeof aLine>[], payload: object = {}): Promise<Order> {
  const reply = await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload: aPayload(lines, { ...payload }) });
  expect(reply.statusCode).toBe(201);
  return reply.json();
}
const get = (who: SignedIn, url: string) => app.inject({ url, headers: who.headers });
const readOrder = async (who: SignedIn, id: string) => (await get(who, `/api/orders/${id}`)).json<Order>();
const readInvoice = async (who: SignedIn, id: string | undefined) => (await get(who, `/api/invoices/${id}`)).json<Invoice>();
const send = (who: SignedIn, url: string, payload: object) => app.inject({ method: 'POST', url, headers: who.headers, payload });
const countOf = (text: string) => Number(text.split('-')[1]);

test('a later number has a later time, also when its transaction began first', async () => {
  const buyer = await aCustomer(db);
  const { sessionId } = await checkout(buyer, [aLine(await aProduct(db))]);
  const held = await orderOf(sessionId);
  await db.transaction().execute(async (tx) => {
    await sql`select now()`.execute(tx);
    const [first] = (await place(await aCustomer(db), [aLine(await aProduct(db))])).invoices;
    const second = await issueInvoice(tx, shop.services.config, held.id);
    expect(countOf(second.number)).toBe(countOf(first?.number ?? '') + 1);
    expect(Date.parse(second.issuedAt)).toBeGreaterThanOrEqual(Date.parse(first?.issuedAt ?? ''));
  });
});

test('a cash order has its invoice at once: seller, buyer, lines with net and VAT, delivery, and what they add up to (§22.1)', async () => {
  const buyer = await aCustomer(db, { name: 'Nia Oak' });
  const [sofa, lamp] = [
    await aProduct(db, { name: 'Sofa', price: 12_345, sizes: [{ size: 'Large' }] }),
    await aProduct(db, { name: 'Lamp', price: 999 }),
  ];
  const order = await place(buyer, [aLine(sofa, { size: 'Large' }), aLine(lamp, { qty: 3 })]);
  const [summary] = order.invoices;
  expect(summary).toMatchObject({
    kind: 'invoice',
    number: expect.stringMatching(/^INV-\d{6}$/),
    vatRate: 2000,
    gross: 20_242,
    vat: 3_374,
    net: 16_868,
  });
  const invoice = await readInvoice(buyer, summary?._id);
  expect(invoice).toMatchObject({
    ...summary,
    seller: { name: 'Oak Ltd', vatNumber: 'GB123456789' },
    buyer: { name: 'Nia Oak', address: [ADDRESS.line1, ADDRESS.city, ADDRESS.state, ADDRESS.postalCode, ADDRESS.country] },
    order: { reference: order.reference, paymentMethod: 'Cash on Delivery' },
    lines: [
      { name: 'Sofa', details: 'Large', qty: 1, gross: 12_345 },
      { name: 'Lamp', qty: 3, price: 999, gross: 2_997 },
      { name: 'Delivery', qty: 1, gross: 4_900 },
    ],
    corrects: null,
  });
  const sum = (part: 'net' | 'vat' | 'gross') => invoice.lines.reduce((total, line) => total + line[part], 0);
  expect([sum('net'), sum('vat'), sum('gross')]).toEqual([invoice.net, invoice.vat, invoice.gross]);
  expect((await readOrder(buyer, order._id)).invoices).toEqual([summary]);
});

test('an invoice is read by the owner of its order and by administrators; for anyone else it does not exist (§22.4)', async () => {
  const [buyer, other] = [await aCustomer(db), await aCustomer(db)];
  const { invoices } = await place(buyer, [aLine(await aProduct(db))]);
  for (const url of [`/api/invoices/${invoices[0]?._id}`, `/api/invoices/${invoices[0]?._id}/pdf`]) {
    expect([(await get(buyer, url)).statusCode, (await get(admin, url)).statusCode]).toEqual([200, 200]);
    const refused = await get(other, url);
    expect([refused.statusCode, refused.json().message]).toEqual([404, 'Invoice not found']);
    expect((await app.inject({ url })).statusCode).toBe(401);
  }
});

test('a card order has its invoice when it is paid, and none before; a payment that comes twice does not make another (§22.1)', async () => {
  const buyer = await aCustomer(db);
  const { url, sessionId } = await checkout(buyer, [aLine(await aProduct(db, { price: 60_000 }))]);
  const { id } = await orderOf(sessionId);
  const countInvoices = async () => (await db.selectFrom('invoices').select('id').where('orderId', '=', id).execute()).length;
  expect(await countInvoices()).toBe(0);
  await pay(url);
  await pay(url);
  expect(await countInvoices()).toBe(1);
  expect((await readOrder(buyer, id)).invoices).toMatchObject([{ gross: 60_000, vat: 10_000, net: 50_000 }]);
});

test('an order of several rates keeps them: invoice, delivery, credit notes and the export agree at each rate, to the penny (§22.2, §22.3)', async () => {
  const buyer = await aCustomer(db);
  const [lamp, heater, book] = [
    await aProduct(db, { name: 'Lamp', price: 10_001 }),
    await aProduct(db, { name: 'Heater', price: 2_000, vatClass: 'reduced' }),
    await aProduct(db, { name: 'Book', price: 1_000, vatClass: 'zero' }),
  ];
  const { _id, reference, shippingPrice } = await place(buyer, [aLine(lamp), aLine(heater), aLine(book, { qty: 2 })]);
  await db.updateTable('products').set({ vatClass: 'standard' }).where('id', '=', book._id).execute();
  const [summary] = (await readOrder(buyer, _id)).invoices;
  const invoice = await readInvoice(buyer, summary?._id);
  expect(invoice.lines.map(({ name, details, gross, vat }) => [name, details, gross, vat])).toEqual([
    ['Lamp', 'VAT 20%', 10_001, 1_667],
    ['Heater', 'VAT 5%', 2_000, 95],
    ['Book', 'VAT 0%', 2_000, 0],
    ['Delivery', 'VAT 20%', 3_500, 583],
    ['Delivery', 'VAT 5%', 700, 34],
    ['Delivery', 'VAT 0%', 700, 0],
  ]);
  expect(shippingPrice).toBe(4_900);
  expect(summary?.rates).toEqual([
    { rate: 2000, net: 11_251, vat: 2_250, gross: 13_501 },
    { rate: 500, net: 2_571, vat: 129, gross: 2_700 },
    { rate: 0, net: 2_700, vat: 0, gross: 2_700 },
  ]);
  await send(buyer, `/api/orders/${_id}/cancel`, { lines: [2], reason: 'Another reason' });
  await send(buyer, `/api/orders/${_id}/cancel`, { reason: 'Another reason' });
  const [, first, second] = (await readOrder(buyer, _id)).invoices;
  expect(first?.rates).toEqual([{ rate: 0, net: 2_000, vat: 0, gross: 2_000 }]);
  expect(second?.rates.map(({ gross, vat }) => [gross, vat])).toEqual([
    [13_501, 2_250],
    [2_700, 129],
    [700, 0],
  ]);
  const rows = (await parseCsv((await get(admin, `/api/office/vat?quarter=${quarterOf(new Date().toISOString())}`)).body)).filter(
    (row) => row[3] === reference,
  );
  expect(rows.map((row) => row[6])).toEqual(['20%', '5%', '0%', '0%', '20%', '5%', '0%']);
  for (const column of [7, 8, 9]) expect(rows.reduce((sum, row) => sum + Number(row[column]), 0)).toBe(0);
});

test('what is cancelled or refunded has credit notes, whose VAT adds up to the invoice’s once all of it is back (§22.3)', async () => {
  const buyer = await aCustomer(db);
  const [chair, lamp] = [await aProduct(db, { name: 'Chair', price: 3_333 }), await aProduct(db, { name: 'Lamp', price: 1_001 })];
  const { _id } = await place(buyer, [aLine(chair, { qty: 2 }), aLine(lamp)]);
  await send(buyer, `/api/orders/${_id}/cancel`, { lines: [1], reason: 'Another reason' });
  const cash = { method: 'PUT', url: `/api/orders/${_id}/cash`, headers: admin.headers, payload: { isPaid: true } } as const;
  expect((await app.inject(cash)).statusCode).toBe(200);
  await send(admin, `/api/office/orders/${_id}/refunds`, { lines: [{ line: 0, qty: 1 }], reason: 'Damaged or faulty' });
  const left = (await readOrder(admin, _id)).refundable;
  await send(admin, `/api/office/orders/${_id}/refunds`, { amount: left, reason: 'Goodwill' });
  const [invoice, ...credits] = (await readOrder(buyer, _id)).invoices;
  expect(credits.map(({ kind, gross }) => [kind, gross])).toEqual([
    ['credit_note', 1_001],
    ['credit_note', 3_333],
    ['credit_note', left],
  ]);
  const sum = (part: 'net' | 'vat' | 'gross') => credits.reduce((total, credit) => total + credit[part], 0);
  expect([sum('net'), sum('vat'), sum('gross')]).toEqual([invoice?.net, invoice?.vat, invoice?.gross]);
  expect(await readInvoice(buyer, credits[1]?._id)).toMatchObject({
    corrects: { number: invoice?.number },
    reason: 'Damaged or faulty',
    lines: [{ name: '1 × Chair', gross: 3_333 }],
    seller: { vatNumber: 'GB123456789' },
  });
});

test('a refused order leaves no gap in the numbers, and a race of 20 orders has 20 numbers in a row (§22.1)', async () => {
  const scarce = await aProduct(db, { stock: 20 });
  const before = countOf((await place(await aCustomer(db), [aLine(await aProduct(db))])).invoices[0]?.number ?? '');
  const buyers = await Promise.all(Array.from({ length: 25 }, () => aCustomer(db)));
  const replies = await Promise.all(
    buyers.map(({ headers }) => app.inject({ method: 'POST', url: '/api/orders', headers, payload: aPayload([aLine(scarce)]) })),
  );
  const placed = replies.filter(({ statusCode }) => statusCode === 201).map((reply) => reply.json<Order>());
  expect([placed.length, replies.length - placed.length]).toEqual([20, 5]);
  const numbers = placed.map(({ invoices }) => countOf(invoices[0]?.number ?? '')).sort((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, n) => before + 1 + n));
});

test('an invoice stays what it was when settings and products change, and nobody can rewrite or remove it (§22.4)', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { name: 'First name', price: 12_000 });
  const { invoices } = await place(buyer, [aLine(sofa)]);
  const id = invoices[0]?._id ?? '';
  const [before, pdf] = [await readInvoice(buyer, id), (await get(buyer, `/api/invoices/${id}/pdf`)).rawPayload];
  const { config } = shop.services;
  const { company, vat } = config;
  Object.assign(config, { company: { ...company, name: 'Elm Ltd' }, vat: undefined });
  try {
    await db.updateTable('products').set({ name: 'Second name', price: 1 }).where('id', '=', sofa._id).execute();
    expect(await readInvoice(buyer, id)).toEqual(before);
    expect((await get(buyer, `/api/invoices/${id}/pdf`)).rawPayload.equals(pdf)).toBe(true);
    const plain = await place(buyer, [aLine({ ...sofa, price: 1 })]);
    const untaxed = await readInvoice(buyer, plain.invoices[0]?._id);
    expect(untaxed).toMatchObject({ vatRate: null, vat: 0, net: untaxed.gross, seller: { name: 'Elm Ltd', vatNumber: '' } });
  } finally {
    Object.assign(config, { company, vat });
  }
  await expect(db.updateTable('invoices').set({ gross: 1, net: 1, vat: 0 }).where('id', '=', id).execute()).rejects.toThrow('append-only');
  await expect(db.deleteFrom('invoices').where('id', '=', id).execute()).rejects.toThrow('append-only');
});
