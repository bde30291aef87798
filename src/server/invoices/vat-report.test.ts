import { expect, test } from 'vitest';
import { quarterOf } from '#contract/invoices/quarters.ts';
import type { Order } from '#contract/orders/orders.ts';
import { parseCsv } from '#server/testing/csv.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const { app, db } = await testShop({ env: { VAT_NUMBER: 'GB123456789' } });
const [admin, buyer] = [await anAdmin(db), await aCustomer(db)];
const QUARTER = quarterOf(new Date().toISOString());

const get = (quarter: string) => app.inject({ url: `/api/office/vat?quarter=${quarter}`, headers: admin.headers });
const cash = (id: string, isPaid: boolean) =>
  app.inject({ method: 'PUT', url: `/api/orders/${id}/cash`, headers: admin.headers, payload: { isPaid } });
const post = (url: string, payload: object, headers = buyer.headers) => app.inject({ method: 'POST', url, headers, payload });

test('the CSV of a quarter has every invoice and credit note of it, and what they come to (§22.5)', async () => {
  const [sofa, lamp] = [await aProduct(db, { price: 10_001 }), await aProduct(db, { price: 2_000 })];
  const order = (await post('/api/orders', aPayload([aLine(sofa), aLine(lamp)]))).json<Order>();
  const other = (await post('/api/orders', aPayload([aLine(lamp)]))).json<Order>();
  for (const { _id } of [order, other]) await cash(_id, true);
  await cash(order._id, false);
  await post(`/api/orders/${order._id}/cancel`, { lines: [1], reason: 'Another reason' });
  const reply = await get(QUARTER);
  expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8');
  const [head, ...rows] = await parseCsv(reply.body.replace('\ufeff', ''));
  expect(head?.slice(-4)).toEqual(['VAT rate', 'Net (pence)', 'VAT (pence)', 'Gross (pence)']);
  expect(rows).toEqual([
    ['INV-000001', 'Invoice', expect.any(String), order.reference, '', 'Cash on Delivery', '20%', '10001', '2000', '12001'],
    ['INV-000002', 'Invoice', expect.any(String), other.reference, '', 'Cash on Delivery', '20%', '1667', '333', '2000'],
    ['CN-000001', 'Credit note', expect.any(String), order.reference, 'INV-000001', 'Cash on Delivery', '20%', '-1667', '-333', '-2000'],
    [`Total of ${QUARTER}`, 'Total', '', '', '', '', '20%', '10001', '2000', '12001'],
  ]);
});

test('what remains of all orders in their CSV is what the books come to: less what was cancelled unpaid, and what went back', async () => {
  const sofa = await aProduct(db, { price: 30_000 });
  const order = (await post('/api/orders', aPayload([aLine(sofa)]))).json<Order>();
  await cash(order._id, true);
  await post(`/api/office/orders/${order._id}/refunds`, { amount: 8_470, reason: 'Goodwill' }, admin.headers);
  const { refunds } = (await app.inject({ url: `/api/orders/${order._id}`, headers: admin.headers })).json<Order>();
  await post(`/api/office/refunds/${refunds[0]?._id}/paid`, { paidBackBy: 'cash' }, admin.headers);
  const [head = [], ...rows] = await parseCsv((await app.inject({ url: '/api/orders/export', headers: admin.headers })).body);
  const cell = (row: string[], column: string) => row[head.indexOf(column)];
  const mine = rows.find((row) => cell(row, 'Reference') === order.reference) ?? [];
  expect([cell(mine, 'Total (pence)'), cell(mine, 'Refunded (pence)'), cell(mine, 'Remaining (pence)')]).toEqual([
    '30000',
    '8470',
    '21530',
  ]);
  const books = (await parseCsv((await get(QUARTER)).body)).find(([number]) => number === `Total of ${QUARTER}`);
  expect(rows.reduce((sum, row) => sum + Number(cell(row, 'Remaining (pence)')), 0)).toBe(Number(books?.at(-1)));
});

test('another quarter is empty, and what is no quarter is refused with words', async () => {
  expect(await parseCsv((await get('2019-Q1')).body)).toHaveLength(1);
  for (const quarter of ['', '2026', '2026-Q5', "2026-Q1' or 1=1"]) {
    const reply = await get(encodeURIComponent(quarter));
    expect([reply.statusCode, reply.json().message]).toEqual([400, 'Choose a quarter, such as 2026-Q4.']);
  }
});
