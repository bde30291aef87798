import { expect, test } from 'vitest';
import type { Invoice } from '#contract/invoices/invoices.ts';
import type { Order } from '#contract/orders/orders.ts';
import { eraseCustomer } from '#server/accounts/privacy.service.ts';
import { pay } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const shop = await testShop({ env: { VAT_NUMBER: 'GB 123 4567 89', STORE_MARKET: 'uk' } });
const { app, db } = shop;
const business = { company: 'Acme Ltd', vatNumber: 'GB 987 6543 21', orderNumber: 'PO-17' };
const place = async (who: SignedIn, payload: object, key = '') =>
  app.inject({ method: 'POST', url: '/api/orders', payload, headers: { ...who.headers, ...(key && { 'idempotency-key': key }) } });
const read = async <T>(who: SignedIn, url: string) => (await app.inject({ url, headers: who.headers })).json<T>();

test('a business has its name, VAT number and order number on its invoice, paid in cash or by card (§22.8)', async () => {
  const buyer = await aCustomer(db, { name: 'Nia Oak' });
  const payload = aPayload([aLine(await aProduct(db))], { business: { ...business, company: ' Acme Ltd ' } });
  const order = (await place(buyer, payload)).json<Order>();
  expect(order.business).toEqual(business);
  const invoice = await read<Invoice>(buyer, `/api/invoices/${order.invoices[0]?._id}`);
  expect(invoice.buyer).toMatchObject({ name: 'Nia Oak', business });
  const body = { orderItems: [aLine(await aProduct(db))], postcode: 'LS1 4AP', business };
  const opened = await app.inject({ method: 'POST', url: '/stripe/create-checkout-session', headers: buyer.headers, payload: body });
  const { url, orderId } = opened.json<{ url: string; orderId: string }>();
  await pay(url);
  const paid = await read<Order>(buyer, `/api/orders/${orderId}`);
  expect((await read<Invoice>(buyer, `/api/invoices/${paid.invoices[0]?._id}`)).buyer.business).toEqual(business);
  const pdf = await app.inject({ url: `/api/invoices/${paid.invoices[0]?._id}/pdf`, headers: buyer.headers });
  expect(pdf.statusCode).toBe(200);
});

test('the office’s CSV has the business; an erased customer’s orders have none (§18.8, §22.8)', async () => {
  const [buyer, admin] = [await aCustomer(db), await anAdmin(db)];
  const { _id, reference } = (await place(buyer, aPayload([aLine(await aProduct(db))], { business }))).json<Order>();
  const csv = (await app.inject({ url: `/api/orders/export?search=${reference}`, headers: admin.headers })).body;
  expect(csv).toContain('Acme Ltd,GB 987 6543 21,PO-17');
  await eraseCustomer(db, buyer.email, true);
  expect((await read<Order>(admin, `/api/orders/${_id}`)).business).toBeNull();
});

test('empty fields are no business, wrong ones are refused at their field, and another business makes another order', async () => {
  const buyer = await aCustomer(db);
  const payload = aPayload([aLine(await aProduct(db))]);
  const empty = (await place(buyer, { ...payload, business: { company: ' ', vatNumber: '', orderNumber: null } }, 'one key')).json<Order>();
  expect(empty.business).toBeNull();
  expect((await place(buyer, payload, 'one key')).json<Order>()._id).toBe(empty._id);
  expect((await place(buyer, { ...payload, business }, 'one key')).statusCode).toBe(409);
  for (const [field, value] of [
    ['vatNumber', 'GB<script>'],
    ['company', 'x'.repeat(101)],
    ['orderNumber', 'two\nlines'],
    ['company', 7],
  ] as const) {
    const reply = await place(buyer, { ...payload, business: { ...business, [field]: value } });
    expect([reply.statusCode, Object.keys(reply.json<{ errors: object }>().errors)]).toEqual([400, [`business.${field}`]]);
  }
  expect((await place(buyer, { ...payload, business: 'Acme' })).statusCode).toBe(400);
});
