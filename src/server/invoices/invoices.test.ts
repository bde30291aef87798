import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { noteOf } from '#contract/invoices/invoice-text.ts';
import type { Invoice } from '#contract/invoices/invoices.ts';
import { quarterOf } from '#contract/invoices/quarters.ts';
import type { Order } from '#contract/orders/orders.ts';
import { listBrokenRuleTexts } from '#server/books/shop-rules.ts';
import { invoiceOnce } from '#server/orders/tax-point.service.ts';
import { ADDRESS } from '#server/testing/address.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { parseCsv } from '#server/testing/csv.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';
import { draftProForma } from './draft.service.ts';

const shop = await testShop({
  pool: 25,
  env: { ...MANY_ORDERS, VAT_NUMBER: 'GB 123 4567 89', STORE_MARKET: 'uk', SHOP_NAME: 'Hearth & Oak', COMPANY_NAME: 'Oak Ltd' },
});
const { app, db, services } = shop;
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
const put = (url: string, payload: object) => app.inject({ method: 'PUT', url, headers: admin.headers, payload });
/** Gives a cash order its invoice: the cash is recorded as received. */
async function invoiced({ _id }: Pick<Order, '_id'>): Promise<Order> {
  const reply = await put(`/api/orders/${_id}/cash`, { isPaid: true });
  expect(reply.statusCode).toBe(200);
  return reply.json();
}
/** Gives a cash order its invoice, and has it unpaid again. */
async function invoicedUnpaid(order: Pick<Order, '_id'>): Promise<Order> {
  await invoiced(order);
  return (await put(`/api/orders/${order._id}/cash`, { isPaid: false })).json();
}

test('a later number has a later time, also when its transaction began first', async () => {
  const buyer = await aCustomer(db);
  const [slow, quick] = [await place(buyer, [aLine(await aProduct(db))]), await place(buyer, [aLine(await aProduct(db))])];
  let first: Order['invoices'][number] | undefined;
  await db.transaction().execute(async (tx) => {
    await sql`select now()`.execute(tx);
    [first] = (await invoiced(quick)).invoices;
    await invoiceOnce(tx, shop.services.config, { id: slow._id, awaitsInvoice: true });
  });
  const [second] = (await readOrder(buyer, slow._id)).invoices;
  expect(countOf(second?.number ?? '')).toBe(countOf(first?.number ?? '') + 1);
  expect(Date.parse(second?.issuedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(first?.issuedAt ?? ''));
});

test('an invoice has seller, buyer, lines with net and VAT, delivery, and what they add up to', async () => {
  const buyer = await aCustomer(db, { name: 'Nia Oak' });
  const [sofa, lamp] = [
    await aProduct(db, { name: 'Sofa', price: 12_345, sizes: [{ size: 'Large' }] }),
    await aProduct(db, { name: 'Lamp', price: 999 }),
  ];
  const order = await invoiced(await place(buyer, [aLine(sofa, { size: 'Large' }), aLine(lamp, { qty: 3 })]));
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

test('a pro forma has the same VAT on its own page and beside its order, also once the shop has given up its VAT number', async () => {
  const buyer = await aCustomer(db);
  const { _id, invoices } = await place(buyer, [aLine(await aProduct(db, { price: 12_000 }))]);
  const { rates, net, vat, gross } = await draftProForma(db, { ...services.config, vat: undefined }, _id);
  expect(invoices).toMatchObject([{ rates, net, vat, gross }]);
});

test('a cash order has a pro forma until it is paid or the first of it leaves; its invoice leaves out what was cancelled before (§22.1, §22.9)', async () => {
  const buyer = await aCustomer(db);
  const [chair, lamp] = [await aProduct(db, { name: 'Chair', price: 3_333 }), await aProduct(db, { name: 'Lamp', price: 1_001 })];
  const lines = [aLine(chair, { qty: 3 }), aLine(lamp)];
  const placed = await place(buyer, lines);
  const { _id, reference } = placed;
  const proForma = { _id, kind: 'pro_forma', number: reference, vatRate: 2000, gross: 15_900, vat: 2_650 };
  expect(placed.invoices).toMatchObject([proForma]);
  expect((await readOrder(buyer, _id)).invoices).toEqual(placed.invoices);
  const paper = await readInvoice(buyer, _id);
  expect(paper).toMatchObject({ ...proForma, seller: { name: 'Oak Ltd' }, lines: [{ qty: 3 }, { qty: 1 }, { name: 'Delivery' }] });
  expect(noteOf(paper)).toContain('This is not a VAT invoice.');
  const pdf = await get(buyer, `/api/invoices/${_id}/pdf`);
  expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  const cancel = (pieces: object[]) => send(admin, `/api/office/orders/${_id}/cancel`, { pieces, reason: 'Another reason' });
  await cancel([
    { line: 0, qty: 2 },
    { line: 1, qty: 1 },
  ]);
  expect((await readOrder(buyer, _id)).invoices).toMatchObject([{ kind: 'pro_forma', gross: 8_233 }]);
  expect((await put(`/api/orders/${_id}/stage`, { stage: 'dispatched' })).statusCode).toBe(200);
  const [invoice, ...others] = (await readOrder(buyer, _id)).invoices;
  expect([invoice?.kind, invoice?.gross, others]).toEqual(['invoice', 8_233, []]);
  expect((await readInvoice(buyer, invoice?._id)).lines.map(({ name, qty, gross }) => [name, qty, gross])).toEqual([
    ['Chair', 1, 3_333],
    ['Delivery', 1, 4_900],
  ]);
  expect((await get(buyer, `/api/invoices/${_id}`)).statusCode).toBe(404);
  // Neither a dispatch that is taken back nor a later delivery makes another one; what is cancelled now has a credit note.
  await put(`/api/orders/${_id}/stage`, { stage: 'packing' });
  await cancel([{ line: 0, qty: 1 }]);
  expect((await readOrder(buyer, _id)).invoices).toMatchObject([{ number: invoice?.number }, { kind: 'credit_note', gross: 8_233 }]);
  const [at, sent] = [await place(buyer, lines), await place(buyer, lines)];
  for (const isDelivered of [true, false, true]) await put(`/api/orders/${at._id}/deliver`, { isDelivered });
  await send(admin, `/api/office/orders/${sent._id}/parcels`, { lines: [{ line: 1, qty: 1 }] });
  for (const { _id: id } of [at, sent]) expect((await readOrder(buyer, id)).invoices).toMatchObject([{ kind: 'invoice', gross: 15_900 }]);
  // One that is cancelled before has neither.
  const gone = await place(buyer, lines);
  await send(buyer, `/api/orders/${gone._id}/cancel`, { reason: 'Another reason' });
  expect((await readOrder(buyer, gone._id)).invoices).toEqual([]);
  expect((await get(buyer, `/api/invoices/${gone._id}`)).statusCode).toBe(404);
  expect(await listBrokenRuleTexts(db)).toEqual([]);
});

test('what was cancelled before the invoice is not credited later, at any rate (§22.3)', async () => {
  const buyer = await aCustomer(db);
  const [lamp, book] = [await aProduct(db, { price: 10_000 }), await aProduct(db, { price: 5_000, vatClass: 'zero' })];
  const { _id } = await place(buyer, [aLine(lamp, { qty: 2 }), aLine(book)]);
  await send(admin, `/api/office/orders/${_id}/cancel`, { pieces: [{ line: 0, qty: 1 }], reason: 'Another reason' });
  const [before] = (await invoiced({ _id })).invoices;
  expect(before?.rates.map(({ rate, gross }) => [rate, gross])).toEqual([
    [2000, 13_266],
    [0, 6_634],
  ]);
  await send(admin, `/api/office/orders/${_id}/refunds`, { lines: [{ line: 1, qty: 1 }], reason: 'Goodwill' });
  expect((await readOrder(buyer, _id)).invoices[1]?.rates).toEqual([{ rate: 0, net: 5_000, vat: 0, gross: 5_000 }]);
  expect(await listBrokenRuleTexts(db)).toEqual([]);
});

test('orders dispatched together have their invoices, also while others are paid at the same time', async () => {
  const buyer = await aCustomer(db);
  const chair = await aProduct(db, { stock: 100 });
  const orders: Order[] = [];
  for (let n = 0; n < 16; n += 1) orders.push(await place(buyer, [aLine(chair)]));
  const ids = orders.map(({ _id }) => _id);
  const replies = await Promise.all([
    put('/api/orders/deliver', { ids, isDelivered: true }),
    ...[...ids].reverse().map((id) => put(`/api/orders/${id}/cash`, { isPaid: true })),
  ]);
  expect(replies.map(({ statusCode }) => statusCode)).toEqual(replies.map(() => 200));
  for (const id of ids) expect((await readOrder(buyer, id)).invoices).toMatchObject([{ kind: 'invoice' }]);
  expect(await listBrokenRuleTexts(db)).toEqual([]);
});

test('an invoice is read by the owner of its order and by administrators; for anyone else it does not exist (§22.4)', async () => {
  const [buyer, other] = [await aCustomer(db), await aCustomer(db)];
  const awaiting = await place(buyer, [aLine(await aProduct(db))]);
  const { invoices } = await invoiced(await place(buyer, [aLine(await aProduct(db))]));
  for (const url of [awaiting._id, invoices[0]?._id].flatMap((id) => [`/api/invoices/${id}`, `/api/invoices/${id}/pdf`])) {
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
  const placed = await place(buyer, [aLine(lamp), aLine(heater), aLine(book, { qty: 2 })]);
  const { _id, reference, shippingPrice } = await invoicedUnpaid(placed);
  expect(placed.invoices[0]?.rates).toEqual((await readOrder(buyer, _id)).invoices[0]?.rates);
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
  const { _id } = await invoicedUnpaid(await place(buyer, [aLine(chair, { qty: 2 }), aLine(lamp)]));
  await send(buyer, `/api/orders/${_id}/cancel`, { lines: [1], reason: 'Another reason' });
  await invoiced({ _id });
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

test('a step that is refused leaves no gap in the numbers, and a race of 20 orders has 20 numbers in a row (§22.1)', async () => {
  const buyer = await aCustomer(db);
  const chair = await aProduct(db, { stock: 100 });
  const before = countOf((await invoiced(await place(buyer, [aLine(chair)]))).invoices[0]?.number ?? '');
  const orders: Order[] = [];
  for (let n = 0; n < 20; n += 1) orders.push(await place(buyer, [aLine(chair)]));
  const dispatch = ({ _id }: Order) => put(`/api/orders/${_id}/stage`, { stage: 'dispatched' });
  const cancel = ({ _id }: Order) => send(buyer, `/api/orders/${_id}/cancel`, { reason: 'Another reason' });
  await Promise.all(orders.flatMap((order) => [dispatch(order), dispatch(order)]));
  const late = await Promise.all(orders.map(cancel));
  expect(late.map(({ statusCode }) => statusCode)).toEqual(orders.map(() => 409));
  const issued = await Promise.all(orders.map(({ _id }) => readOrder(buyer, _id)));
  const numbers = issued.map(({ invoices }) => countOf(invoices[0]?.number ?? '')).sort((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, n) => before + 1 + n));
});

test('an invoice stays what it was when settings and products change, and nobody can rewrite or remove it (§22.4)', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { name: 'First name', price: 12_000 });
  const { invoices } = await invoiced(await place(buyer, [aLine(sofa)]));
  const id = invoices[0]?._id ?? '';
  const [before, pdf] = [await readInvoice(buyer, id), (await get(buyer, `/api/invoices/${id}/pdf`)).rawPayload];
  const { config } = shop.services;
  const { company, vat } = config;
  Object.assign(config, { company: { ...company, name: 'Elm Ltd' }, vat: undefined });
  try {
    await db.updateTable('products').set({ name: 'Second name', price: 1 }).where('id', '=', sofa._id).execute();
    expect(await readInvoice(buyer, id)).toEqual(before);
    expect((await get(buyer, `/api/invoices/${id}/pdf`)).rawPayload.equals(pdf)).toBe(true);
    const plain = await invoiced(await place(buyer, [aLine({ ...sofa, price: 1 })]));
    const untaxed = await readInvoice(buyer, plain.invoices[0]?._id);
    expect(untaxed).toMatchObject({ vatRate: null, vat: 0, net: untaxed.gross, seller: { name: 'Elm Ltd', vatNumber: '' } });
  } finally {
    Object.assign(config, { company, vat });
  }
  await expect(db.updateTable('invoices').set({ gross: 1, net: 1, vat: 0 }).where('id', '=', id).execute()).rejects.toThrow('append-only');
  await expect(db.deleteFrom('invoices').where('id', '=', id).execute()).rejects.toThrow('append-only');
});
