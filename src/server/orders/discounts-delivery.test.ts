import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Invoice } from '#contract/invoices/invoices.ts';
import type { Order } from '#contract/orders/orders.ts';
import type { SettingsSection } from '#contract/settings/settings.schema.ts';
import { listBrokenRuleTexts } from '#server/books/shop-rules.ts';
import { expireHold } from '#server/payments/payments.jobs.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, aPromotion, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

// Standard delivery is £49.00 and free from £500.00; express is £99.00.
const shop = await testShop({ env: { STORE_MARKET: 'uk', VAT_NUMBER: 'GB123456789' } });
const { app, db, services } = shop;
const { checkout, notify, orderOf } = cardDesk(shop);
const admin = await anAdmin(db);
const lamp = await aProduct(db, { price: 10_000, stock: 900 });

const place = async (who: SignedIn, payload: object, lines = [aLine(lamp)]) =>
  app.inject({ method: 'POST', url: '/api/orders', headers: who.headers, payload: aPayload(lines, { ...payload }) });
const read = async (id: string) => (await app.inject({ url: `/api/orders/${id}`, headers: admin.headers })).json<Order>();
const invoiceOf = async ({ invoices }: Order) =>
  (await app.inject({ url: `/api/invoices/${invoices[0]?._id}`, headers: admin.headers })).json<Invoice>();
const usesOf = async (id: string) => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from redemptions where promotion_id = ${id} and is_used`.execute(db);
  return rows[0]?.n;
};
const freeDelivery = (change: object = {}) => aPromotion(db, { kind: 'free_delivery', value: 0, ...change });

test('where the goods are free, the invoice still has the delivery, at the rates of the goods', async () => {
  const blanket = await aProduct(db, { price: 30_000, vatClass: 'zero' });
  const { code } = await aPromotion(db, { value: 100 });
  const order = (await place(await aCustomer(db), { discount: { code } }, [aLine(lamp), aLine(blanket)])).json<Order>();
  expect(order).toMatchObject({ subTotalPrice: 40_000, discount: 40_000, totalPrice: 4_900 });
  const { gross, vat, rates } = await invoiceOf(order);
  expect([gross, vat, rates.map(({ rate, gross }) => [rate, gross])]).toEqual([
    4_900,
    204,
    [
      [2_000, 1_225],
      [0, 3_675],
    ],
  ]);
  expect(await listBrokenRuleTexts(db)).toEqual([]);
});

test('the books are wrong if an invoice does not come to its order’s total, or is missing', async () => {
  const order = (await place(await aCustomer(db), {})).json<Order>();
  const pay = (paidAt: string | null) => db.updateTable('orders').set({ paidAt }).where('id', '=', order._id).execute();
  await pay('2026-11-01T12:00:00Z');
  expect(await listBrokenRuleTexts(db)).toEqual([`Broken: “An order that is paid or has left has its invoice”, by ${order.reference}`]);
  await pay(null);
  await app.inject({ method: 'PUT', url: `/api/orders/${order._id}/cash`, headers: admin.headers, payload: { isPaid: true } });
  const ship = (shippingPrice: number) =>
    db
      .updateTable('orders')
      .set({ shippingPrice, totalPrice: 10_000 + shippingPrice })
      .where('id', '=', order._id)
      .execute();
  await ship(4_899);
  expect(await listBrokenRuleTexts(db)).toEqual([
    `Broken: “The invoices of an order come to its total, and without their credit notes to no more than is left of it”, by ${order.reference}`,
    `Broken: “What the cash box took for an order is what it was paid in cash”, by ${order.reference}`,
  ]);
  await ship(4_900);
  expect(await listBrokenRuleTexts(db)).toEqual([]);
});

test('free goods can be paid by card where their delivery costs something, and each way that is offered comes to 30 pence', async () => {
  const { code } = await aPromotion(db, { value: 100 });
  const buyer = await aCustomer(db);
  const { url, sessionId } = await checkout(buyer, [aLine(lamp)], { discount: { code } });
  await pay(url);
  const { id } = await orderOf(sessionId);
  const order = await read(id);
  expect(order).toMatchObject({ isPaid: true, discount: 10_000, totalPrice: 4_900 });
  expect((await invoiceOf(order)).gross).toBe(4_900);

  const all = await aPromotion(db, { value: 100, leastSubtotal: 50_000 });
  const sofas = [aLine(lamp, { qty: 6 })];
  const pageOf = (more: object) => checkout(buyer, sofas, { discount: { code: all.code }, ...more });
  expect((await pageOf({})).reply.json().message).toBe('Card payment starts at £0.30.');
  const express = await pageOf({ shippingMethod: 'express' });
  const page = await (await fetch(express.url)).text();
  expect(page).toContain('Express delivery');
  expect(page).not.toContain('Standard delivery');
  await pay(express.url);
  expect(await orderOf(express.sessionId)).toMatchObject({ orderState: 'placed', totalPrice: 9_900, shippingMethod: 'express' });
});

test('a code for free delivery is not used up by an express order, in cash or by card', async () => {
  const { code, _id } = await freeDelivery({ mostUses: 1 });
  const discount = { code, isFreeDelivery: true };
  const [buyer, other] = [await aCustomer(db), await aCustomer(db)];
  const express = (await place(buyer, { discount, shippingMethod: 'express' })).json<Order>();
  expect([express.shippingPrice, express.discounts, await usesOf(_id)]).toEqual([9_900, [], 0]);
  expect((await read(express._id)).discounts).toEqual([]);
  const chosenThere = await checkout(other, [aLine(lamp)], { discount });
  expect(await usesOf(_id)).toBe(1);
  await pay(chosenThere.url, { shipping: '1' });
  expect(await orderOf(chosenThere.sessionId)).toMatchObject({ shippingPrice: 9_900, orderState: 'placed' });
  expect(await usesOf(_id)).toBe(0);
  const standard = (await place(buyer, { discount })).json<Order>();
  expect([standard.shippingPrice, await usesOf(_id)]).toEqual([0, 1]);
});

test('an express payment that comes late does not need its code for free delivery again', async () => {
  const { code } = await freeDelivery({ mostUses: 1 });
  const late = await checkout(await aCustomer(db), [aLine(lamp)], { discount: { code }, shippingMethod: 'express' });
  await expireHold(services, { orderId: (await orderOf(late.sessionId)).id });
  expect((await place(await aCustomer(db), { discount: { code } })).statusCode).toBe(201);
  await notify('checkout.session.completed', late.sessionId, { status: 'complete', payment_status: 'paid', payment_intent: null });
  expect(await orderOf(late.sessionId)).toMatchObject({ orderState: 'placed', shippingPrice: 9_900 });
});

test('who was shown free delivery is refused only if the usual way now costs something', async () => {
  const shown = { discount: { isFreeDelivery: true } };
  const buyer = await aCustomer(db);
  expect((await place(buyer, shown)).json()).toMatchObject({ message: 'Delivery is no longer free. Please check the total.' });
  expect((await place(buyer, shown, [aLine(lamp, { qty: 5 })])).json()).toMatchObject({ shippingPrice: 0, totalPrice: 50_000 });
});

test('a cash order whose delivery costs more than was shown is refused, and nothing is stored; who sends no price of delivery orders as ever (§10.6)', async () => {
  const buyer = await aCustomer(db);
  const { delivery } = services.config;
  const before = delivery.methods;
  const count = async () => (await db.selectFrom('orders').select('id').where('userId', '=', buyer._id).execute()).length;
  const [{ price = 0 } = {}] = before;
  try {
    Object.assign(delivery, { methods: before.map((method) => ({ ...method, price: method.price + 5_000 })) });
    const refused = await place(buyer, { deliveryPrice: price });
    const message = 'Delivery now costs £99.00. Please check the total, and reload the page if it still shows another price.';
    expect([refused.statusCode, refused.json()]).toEqual([409, expect.objectContaining({ message, errors: { deliveryPrice: message } })]);
    expect(await count()).toBe(0);
    expect((await place(buyer, { deliveryPrice: price + 5_000 })).json()).toMatchObject({ shippingPrice: price + 5_000 });
  } finally {
    Object.assign(delivery, { methods: before });
  }
  // Cheaper than shown, and the payload of the specification, whose prices are all the cart’s sum.
  expect((await place(buyer, { deliveryPrice: price + 5_000 })).json()).toMatchObject({ shippingPrice: price });
  expect((await place(buyer, { shippingPrice: 1 })).json()).toMatchObject({ shippingPrice: price });
});

test('an order with free delivery that goes to another area says nothing of a price that it would not have paid', async () => {
  const url = '/api/settings/delivery';
  const { version, values } = (await app.inject({ url, headers: admin.headers })).json<SettingsSection>();
  const highlands = { name: 'Highlands', postcodes: 'IV', surcharge: 30, extraDays: 5, without: '', refusal: '' };
  const saved = await app.inject({
    method: 'PUT',
    url,
    headers: admin.headers,
    payload: { version, values: { ...values, areas: [highlands] } },
  });
  expect(saved.statusCode, saved.body).toBe(200);
  const { code } = await freeDelivery();
  const paidFrom = async (discount: object) => {
    const { url: page, sessionId } = await checkout(await aCustomer(db), [aLine(lamp)], { postcode: 'LS1', discount });
    await pay(page, { postal_code: 'IV1 1AA' });
    const { events } = await read((await orderOf(sessionId)).id);
    return events.find(({ kind }) => kind === 'paid')?.detail;
  };
  expect(await paidFrom({})).toMatch(/another delivery area than the cart’s postcode, and delivery there costs £79\.00$/);
  expect(await paidFrom({ code })).toMatch(/another delivery area than the cart’s postcode$/);
});
