import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import type { Order, OrderList } from '#contract/orders/orders.ts';
import type { PhoneQuote } from '#contract/phone/phone.ts';
import { runJobs } from '#server/app/jobs.ts';
import { checkBooks } from '#server/books/compare.service.ts';
import { listBrokenRuleTexts } from '#server/books/shop-rules.ts';
import { closeCorrection } from '#server/payments/difference.service.ts';
import { ADDRESS } from '#server/testing/address.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, aPromotion, PASSWORD, type SignedIn, stockOf } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { makeJobsDue } from '#server/testing/jobs.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { forceOrder } from '#server/testing/orders.ts';
import { demote, whileWaiting } from '#server/testing/while-waiting.ts';

const shop = await testShop({ pool: 15, env: { STORE_MARKET: 'uk', VAT_NUMBER: 'GB123456789', RATE_LIMIT_FACTOR: '1000' } });
const { app, db, services } = shop;
const { checkout, orderOf, stripe, reconcile, notify } = cardDesk(shop);
const admin = await anAdmin(db, { name: 'Ada Admin' });

let sofa: Awaited<ReturnType<typeof aProduct>>;
let email: string;
let count = 0;

beforeEach(async () => {
  count += 1;
  email = `ring-${count}@example.com`;
  const sizes = [
    { size: 'S', quantity: 3, price: 60_000 },
    { size: 'L', quantity: 2, price: 75_000 },
  ];
  sofa = await aProduct(db, { name: 'Sofa', price: 60_000, stock: 5, sizes });
});

const send = (who: SignedIn, method: 'POST' | 'PUT', url: string, payload?: object, headers: object = {}) =>
  app.inject({ method, url, headers: { ...who.headers, ...headers }, ...(payload && { payload }) });
const aLarge = (more: object = {}) => ({ product: sofa._id, size: 'L', qty: 1, ...more });
const form = (more: object = {}) => ({
  email,
  fullName: 'Rita Ring',
  phone: '07700 900123',
  shippingAddress: ADDRESS,
  lines: [aLarge()],
  payment: 'cash',
  expected: 75_000,
  ...more,
});
const place = (more: object = {}, headers: object = {}) => send(admin, 'POST', '/api/office/orders', form(more), headers);
const placed = async (more: object = {}) => (await place(more)).json<Order>();
const quote = (more: object = {}) =>
  send(admin, 'POST', '/api/office/orders/quote', { lines: [aLarge()], postalCode: 'LS1 4AP', country: 'United Kingdom', ...more });
const read = async (id: string, who = admin) => (await app.inject({ url: `/api/orders/${id}`, headers: who.headers })).json<Order>();
const sizesOf = async () =>
  (await db.selectFrom('productSizes').select('quantity').where('productId', '=', sofa._id).orderBy('position').execute()).map(
    ({ quantity }) => quantity,
  );
const mails = async (to = email) => {
  await runJobs(services);
  return mailsOf(shop.dataDir, to);
};
/** The customer of an order, logged in: another test has tested how. */
async function customerOf(order: Order): Promise<SignedIn> {
  const signedIn = await aCustomer(db);
  await db
    .updateTable('sessions')
    .set({ userId: order.user._id ?? '' })
    .where('userId', '=', signedIn._id)
    .execute();
  return { ...signedIn, _id: order.user._id ?? '' };
}
const openPage = async (who: SignedIn, { _id }: Order) => send(who, 'POST', `/api/orders/${_id}/correction/payment`);
const pageOf = async (who: SignedIn, order: Order) => (await openPage(who, order)).json<{ url: string }>().url;
async function refundedOf(orderId: string): Promise<number> {
  const { data } = await stripe.checkout.sessions.list({ limit: 100 });
  let sum = 0;
  for (const { client_reference_id, payment_intent } of data)
    if (client_reference_id === orderId && payment_intent)
      for (const { amount } of (await stripe.refunds.list({ payment_intent: String(payment_intent), limit: 100 })).data) sum += amount;
  return sum;
}
const statusOf = async (id: string) =>
  (await db.selectFrom('orderCorrections').select('status').where('orderId', '=', id).executeTakeFirst())?.status;

test('an order by phone is the customer’s: a new account is invited, mails go to them, and only staff see who took it and at which price (§20.16)', async () => {
  const reason = 'Scratch at the back';
  const order = await placed({
    lines: [aLarge({ agreed: { price: 70_000, reason } }), { product: sofa._id, size: 'S', qty: 2 }],
    expected: 190_000,
    deliveryNote: 'Ring twice',
  });
  expect(order).toMatchObject({
    user: { name: 'Rita Ring', email },
    fullName: 'Rita Ring',
    totalPrice: 190_000,
    amountDue: 190_000,
    paymentMethod: 'Cash on Delivery',
    status: 'placed',
    awaitsApproval: false,
    payUntil: null,
    deliveryNote: 'Ring twice',
    orderItems: [
      { size: 'L', price: 70_000 },
      { size: 'S', price: 60_000, qty: 2 },
    ],
    invoices: [{ kind: 'pro_forma', gross: 190_000 }],
  });
  const [first, second] = order.events;
  expect([first?.kind, first?.actor]).toEqual(['placed', 'Rita Ring']);
  expect(second).toMatchObject({
    kind: 'taken by phone',
    actor: 'Ada Admin',
    detail: `Sofa (L): £750.00 → £700.00 (${reason})`,
  });
  expect(await sizesOf()).toEqual([1, 1]);
  const sent = await mails();
  expect(sent.map(({ subject }) => subject).sort()).toEqual([
    expect.stringContaining('Thank you for your order'),
    expect.stringMatching(/^Your account with/),
  ]);
  expect(sent.find(({ subject }) => subject?.startsWith('Your account'))?.text).toContain('/forget-password');
  expect((await mails(admin.email)).filter(({ subject }) => subject?.includes('your order'))).toEqual([]);
  const customer = await customerOf(order);
  expect(await read(order._id, customer)).toMatchObject({ _id: order._id, events: [] });
  expect(JSON.stringify(await read(order._id, customer))).not.toContain(reason);
  const found = await app.inject({ url: `/api/users?search=${email}`, headers: admin.headers });
  expect(found.json().users).toMatchObject([{ name: 'Rita Ring', isAdmin: false }]);
  // Nobody knows its password: the code of a reset sets the first one.
  expect((await app.inject({ method: 'POST', url: '/api/users/login', payload: { email, password: 'Rita Ring' } })).statusCode).toBe(401);
  expect(await listBrokenRuleTexts(db)).toEqual([]);
});

test('a known address, in any case, is the account that has it: it keeps its name and gets no invitation (§20.16)', async () => {
  const known = await aCustomer(db, { name: 'Kay Known', email });
  expect((await quote({ email: email.toUpperCase() })).json<PhoneQuote>().customer).toEqual({
    _id: known._id,
    name: 'Kay Known',
    orderCount: 0,
    trust: 'confirmed',
  });
  const order = await placed({ email: email.toUpperCase() });
  expect(order).toMatchObject({ user: { _id: known._id, name: 'Kay Known' }, fullName: 'Rita Ring' });
  expect((await mails()).map(({ subject }) => subject)).toEqual([expect.stringContaining('Thank you for your order')]);
  expect((await quote({ email })).json<PhoneQuote>().customer?.orderCount).toBe(1);
});

test('a quote says prices, discounts, and ways and days of delivery as the order will have them; an agreed price takes no discount (§20.16)', async () => {
  const lamp = await aProduct(db, { name: 'Lamp', price: 10_000 });
  const { code } = await aPromotion(db);
  const lines = [
    { product: lamp._id, qty: 1 },
    { product: lamp._id, qty: 1, agreed: { price: 8_000, reason: 'Last one' } },
  ];
  const seen = (await quote({ lines, code })).json<PhoneQuote>();
  expect(seen).toMatchObject({
    customer: null,
    lines: [
      { name: 'Lamp', price: 10_000, usualPrice: 10_000, discount: 1_000 },
      { name: 'Lamp', price: 8_000, usualPrice: 10_000, discount: 0 },
    ],
    subTotalPrice: 18_000,
    discount: 1_000,
    discounts: [{ code, amount: 1_000 }],
    shippingMethod: 'standard',
    shippingPrice: 4_900,
    totalPrice: 21_900,
  });
  const express = seen.methods.find(({ id }) => id === 'express');
  const withExpress = (await quote({ lines, code, shippingMethod: 'express' })).json<PhoneQuote>();
  expect(withExpress.totalPrice).toBe(17_000 + (express?.price ?? 0));
  expect(await stockOf(db, lamp._id)).toBe(10);
  const wrong = await place({ lines, code, shippingMethod: 'express', expected: 21_900 });
  expect([wrong.statusCode, wrong.json().message]).toEqual([409, expect.stringContaining('£269.00')]);
  const order = await placed({ lines, code, shippingMethod: 'express', expected: withExpress.totalPrice });
  expect(order).toMatchObject({ totalPrice: withExpress.totalPrice, discount: 1_000, deliveryWindow: express?.window });
  const refused = await quote({ lines, code: 'NOBODYS' });
  expect([refused.statusCode, refused.json().errors]).toEqual([409, { code: expect.stringContaining('don’t know this code') }]);
});

test('a piece with one colour has it without a choice, by phone and in a correction; of several it stays open (§20.16)', async () => {
  const [one, several] = [
    await aProduct(db, { name: 'Chair', price: 20_000, colors: ['#6f5241'] }),
    await aProduct(db, { name: 'Vase', price: 20_000, colors: ['#6f5241', '#ffffff'] }),
  ];
  const lines = [one, several].map(({ _id: product }) => ({ product, qty: 1, size: null, color: null }));
  expect((await quote({ lines })).json<PhoneQuote>().lines.map(({ name }) => name)).toEqual(['Chair (Walnut)', 'Vase']);
  const order = await placed({ lines, expected: 44_900 });
  const added = [{ product: one._id, qty: 1, size: null, color: null }];
  const correction = { revision: order.revision, added, expected: 20_000 - 4_900 };
  const corrected = await send(admin, 'POST', `/api/office/orders/${order._id}/correction`, correction);
  expect(corrected.statusCode, corrected.body).toBe(200);
  expect((await read(order._id)).orderItems.map(({ colourName, isColourOpen }) => [colourName, isColourOpen])).toEqual([
    ['Walnut', false],
    [null, true],
    ['Walnut', false],
  ]);
});

test('only an administrator takes orders by phone, also one who is demoted before the turn comes (§20.16)', async () => {
  const buyer = await aCustomer(db);
  for (const url of ['/api/office/orders', '/api/office/orders/quote']) {
    expect((await send(buyer, 'POST', url, form())).statusCode).toBe(403);
    expect((await app.inject({ method: 'POST', url, payload: form() })).statusCode).toBe(401);
  }
  const who = await anAdmin(db);
  expect((await whileWaiting(db, who, () => send(who, 'POST', '/api/office/orders', form()), demote(who))).statusCode).toBe(403);
  expect(await db.selectFrom('users').select('id').where('email', '=', email).execute()).toEqual([]);
});

test('wrong input is refused at its field, and nothing is stored (§20.16)', async () => {
  for (const [wrong, field] of [
    [{ email: 'nonsense' }, 'email'],
    [{ email: '' }, 'email'],
    [{ fullName: ' ' }, 'fullName'],
    [{ phone: '1' }, 'phone'],
    [{ lines: [] }, 'lines'],
    [{ lines: [aLarge({ qty: 0 })] }, 'lines.0.qty'],
    [{ lines: [aLarge({ agreed: { price: 0, reason: 'Gift' } })] }, 'lines.0.agreed.price'],
    [{ lines: [aLarge({ agreed: { price: 10.5, reason: 'Half' } })] }, 'lines.0.agreed.price'],
    [{ lines: [aLarge({ agreed: { price: 1, reason: '' } })] }, 'lines.0.agreed.reason'],
    [{ shippingAddress: { ...ADDRESS, postalCode: 'nowhere' } }, 'shippingAddress.postalCode'],
    [{ payment: 'cheque' }, 'payment'],
  ] as const) {
    const reply = await place(wrong);
    expect([reply.statusCode, Object.keys(reply.json().errors ?? {})]).toEqual([400, [field]]);
  }
  for (const [line, message] of [
    [aLarge({ size: undefined }), 'Please choose a size'],
    [aLarge({ size: 'XL' }), 'no longer sold in XL'],
    [aLarge({ qty: 3 }), 'Only 2 of Sofa'],
    [aLarge({ product: '01890000-0000-7000-8000-000000000000' }), 'no longer sold'],
    [aLarge({ color: '#123456' }), 'no longer sold in that colour'],
  ] as const)
    expect((await place({ lines: [line] })).json().message).toContain(message);
  expect(
    (
      await place({
        lines: [aLarge({ agreed: { price: 20, reason: 'Test' } })],
        payment: 'link',
        shippingMethod: 'standard',
        expected: 4_920,
      })
    ).statusCode,
  ).toBe(201);
  expect(await sizesOf()).toEqual([3, 1]);
});

test('an order by link waits for its payment, which makes it a card order that is confirmed and can leave; the books agree (§20.16)', async () => {
  const order = await placed({ payment: 'link' });
  expect(order).toMatchObject({ isPaid: false, paymentMethod: 'Online Payment', amountDue: 75_000 });
  const hours = (Date.parse(order.payUntil ?? '') - Date.now()) / 3_600_000;
  expect([hours > 47.9, hours <= 48]).toEqual([true, true]);
  expect(await sizesOf()).toEqual([3, 1]);
  const list = async (queue: string) =>
    (await app.inject({ url: `/api/orders?queue=${queue}&search=${email}`, headers: admin.headers })).json().orders.length;
  expect([await list('payment'), await list('pack')]).toEqual([1, 0]);
  const asked = (await mails()).find(({ subject }) => subject?.startsWith('Please pay £750.00'));
  expect(asked?.text).toContain('/pay/');
  const customer = await customerOf(order);
  expect((await openPage(await aCustomer(db), order)).statusCode).toBe(404);
  const url = await pageOf(customer, order);
  expect(await pageOf(customer, order)).toBe(url);
  // A page that a clock ahead of ours has dated may have ended at the provider.
  await db
    .updateTable('orderCorrections')
    .set({ sessionUntil: sql<string>`now() + interval '40 days'` })
    .where('paymentUrl', '=', url)
    .execute();
  const fresh = await pageOf(customer, order);
  expect(fresh).not.toBe(url);
  await pay(fresh);
  await pay(fresh);
  await reconcile();
  expect(await read(order._id, customer)).toMatchObject({
    isPaid: true,
    paymentMethod: 'Credit Card',
    payUntil: null,
    amountDue: 0,
    fullName: 'Rita Ring',
    shippingAddress: { line1: '1 High Street' },
  });
  expect([await list('payment'), await list('pack'), await statusOf(order._id)]).toEqual([0, 1, 'paid']);
  expect((await mails()).filter(({ subject }) => subject?.startsWith('Thank you'))).toHaveLength(1);
  expect((await openPage(customer, order)).statusCode).toBe(409);
  await makeJobsDue(db);
  await runJobs(services);
  expect(await read(order._id)).toMatchObject({ status: 'placed', isPaid: true });
  expect(await checkBooks(services, -60_000)).toEqual({ faults: 0 });
  await send(admin, 'POST', `/api/office/orders/${order._id}/cancel`, { reason: 'Another reason' });
  await runJobs(services);
  expect([await refundedOf(order._id), await sizesOf()]).toEqual([75_000, [3, 2]]);
  expect(await listBrokenRuleTexts(db)).toEqual([]);
});

test('an order by link with a code is paid at its reduced price (§20.16)', async () => {
  const { code } = await aPromotion(db);
  const order = await placed({ payment: 'link', code, expected: 67_500 });
  await pay(await pageOf(await customerOf(order), order));
  expect(await read(order._id)).toMatchObject({
    isPaid: true,
    paymentMethod: 'Credit Card',
    discount: 7_500,
    invoices: [{ kind: 'invoice', gross: 67_500 }],
  });
  expect(await listBrokenRuleTexts(db)).toEqual([]);
});

test('a link that is not paid in time cancels its order: the pieces are back, its page is closed and the customer is told (§20.16)', async () => {
  const order = await placed({ payment: 'link' });
  const customer = await customerOf(order);
  const url = await pageOf(customer, order);
  await makeJobsDue(db);
  await runJobs(services);
  expect(await read(order._id)).toMatchObject({ status: 'cancelled', amountDue: 0, payUntil: null });
  expect((await read(order._id)).invoices).toEqual([]);
  expect([await sizesOf(), await statusOf(order._id)]).toEqual([[3, 2], 'ended']);
  const [told] = (await mails()).filter(({ subject }) => subject?.endsWith('was cancelled'));
  expect(told?.text).toContain('as it was not paid in time');
  await pay(url);
  await reconcile();
  expect(await read(order._id)).toMatchObject({ status: 'cancelled', isPaid: false });
  expect((await openPage(customer, order)).statusCode).toBe(409);
});

test('an order by link whose money came in before is not cancelled; staff record it (§20.16)', async () => {
  const { _id, totalPrice } = await placed({ payment: 'link' });
  const send = (method: 'PUT' | 'POST', url: string, payload: object) => app.inject({ method, url, headers: admin.headers, payload });
  const cash = (payload: object) => send('PUT', `/api/orders/${_id}/cash`, payload);
  // Another order's transfer is recorded by mistake, then the right one comes.
  await cash({ isPaid: true, receivedBy: 'transfer' });
  await send('POST', `/api/office/orders/${_id}/overpayments`, { amount: totalPrice, receivedBy: 'transfer' });
  await cash({ isPaid: false });
  await makeJobsDue(db);
  await runJobs(services);
  expect(await read(_id)).toMatchObject({ status: 'placed', amountDue: 0 });
  expect((await cash({ isPaid: true, amount: 0 })).json()).toMatchObject({
    isPaid: true,
    amountDue: 0,
    overpayments: [{ status: 'used' }],
  });
});

test('while some of the price is here by hand there is no link; once it is paid back, the link asks for the whole sum (§20.16)', async () => {
  const order = await placed({ payment: 'link' });
  const customer = await customerOf(order);
  await send(admin, 'PUT', `/api/orders/${order._id}/cash`, { isPaid: true, receivedBy: 'transfer' });
  await send(admin, 'POST', `/api/office/orders/${order._id}/overpayments`, { amount: 5_000, receivedBy: 'transfer' });
  await send(admin, 'PUT', `/api/orders/${order._id}/cash`, { isPaid: false });
  await runJobs(services);
  expect(await read(order._id, customer)).toMatchObject({ status: 'placed', amountDue: 70_000, payUntil: null });
  expect([await statusOf(order._id), (await openPage(customer, order)).statusCode]).toEqual(['open', 409]);
  const [more] = (await read(order._id)).overpayments;
  await send(admin, 'POST', `/api/office/overpayments/${more?._id}/paid`, { paidBackBy: 'transfer' });
  // A job that was queued when the transfer ended the link, and meets it open again.
  const link = await db.selectFrom('orderCorrections').select('id').where('orderId', '=', order._id).executeTakeFirstOrThrow();
  await closeCorrection(services, { correctionId: link.id, isClosing: true });
  expect([await statusOf(order._id), (await read(order._id)).amountDue]).toEqual(['open', 75_000]);
  await pay(await pageOf(customer, order));
  await reconcile();
  expect(await read(order._id)).toMatchObject({ isPaid: true, amountDue: 0, isRefundDue: false, refundable: 75_000 });
  expect([(await checkBooks(services, -60_000)).faults, await listBrokenRuleTexts(db)]).toEqual([0, []]);
});

test('a link that is open while some of the price comes in by hand asks for nothing, on the page and behind the mail (§20.16)', async () => {
  const order = await placed({ payment: 'link' });
  const customer = await customerOf(order);
  const url = `/api/office/orders/${order._id}`;
  const deliver = (isDelivered: boolean) => send(admin, 'PUT', `/api/orders/${order._id}/deliver`, { isDelivered });
  await send(admin, 'POST', `${url}/parcels`, {});
  await deliver(true);
  await send(admin, 'POST', `${url}/write-off`, { reason: 'Cannot be collected' });
  await send(admin, 'POST', `${url}/overpayments`, { amount: 3_000, receivedBy: 'transfer' });
  await deliver(false);
  await send(admin, 'PUT', `/api/orders/${order._id}/stage`, { stage: 'delivery_failed' });
  const wish = {
    revision: (await read(order._id)).revision,
    lines: [],
    added: [{ product: (await aProduct(db, { price: 5_000 }))._id, qty: 1 }],
  };
  const { difference } = (await send(admin, 'POST', `${url}/correction`, wish)).json<{ difference: number }>();
  expect((await send(admin, 'POST', `${url}/correction`, { ...wish, expected: difference })).statusCode).toBe(200);
  expect(await read(order._id, customer)).toMatchObject({ amountDue: difference - 3_000, payUntil: null });
  expect((await openPage(customer, order)).statusCode).toBe(409);
  const text = (await mails()).map((mail) => mail.text ?? '').find((one) => one.includes('/pay/') && one.includes(order.reference)) ?? '';
  const token = /\/pay\/([\w-]+)/.exec(text)?.[1];
  expect((await app.inject(`/api/payment-links/${token}`)).json()).toMatchObject({ state: 'ended' });
  const [more] = (await read(order._id)).overpayments;
  await send(admin, 'POST', `/api/office/overpayments/${more?._id}/undo`, {});
  expect(await read(order._id, customer)).toMatchObject({ amountDue: difference, payUntil: expect.any(String) });
  expect((await app.inject(`/api/payment-links/${token}`)).json()).toMatchObject({ state: 'open', amount: difference });
});

test('cash received, or a cancellation, ends the link; a page that is paid all the same is refunded (§20.16)', async () => {
  for (const [step, payload] of [
    ['PUT /cash', { isPaid: true }],
    ['POST /cancel', { reason: 'Another reason' }],
  ] as const) {
    const order = await placed({ payment: 'link' });
    const url = await pageOf(await customerOf(order), order);
    const [method, path] = step.split(' ') as ['PUT' | 'POST', string];
    const base = method === 'PUT' ? '/api/orders' : '/api/office/orders';
    expect((await send(admin, method, `${base}/${order._id}${path}`, payload)).statusCode).toBe(200);
    expect(await statusOf(order._id)).toBe('closing');
    await pay(url);
    await reconcile();
    await runJobs(services);
    expect([await refundedOf(order._id), await statusOf(order._id)]).toEqual([75_000, 'ended']);
    const after = await read(order._id);
    expect(after.paymentMethod).toBe('Online Payment');
    expect(after.isPaid).toBe(method === 'PUT');
  }
  expect(await checkBooks(services, -60_000)).toEqual({ faults: 0 });
  expect(await listBrokenRuleTexts(db)).toEqual([]);
});

test('a link asks for what the order costs now; a page from before its correction is refunded when it is paid (§20.16)', async () => {
  const order = await placed({ payment: 'link' });
  const customer = await customerOf(order);
  const before = await pageOf(customer, order);
  const wish = { revision: order.revision, lines: [{ line: 0, qty: 1, size: 'S' }], expected: -15_000 };
  expect((await send(admin, 'POST', `/api/office/orders/${order._id}/correction`, wish)).json()).toMatchObject({ difference: -15_000 });
  expect(await statusOf(order._id)).toBe('open');
  await pay(before);
  await reconcile();
  await runJobs(services);
  expect([await refundedOf(order._id), (await read(order._id)).isPaid]).toEqual([75_000, false]);
  const now = await pageOf(customer, order);
  expect(now).not.toBe(before);
  await pay(now);
  await reconcile();
  expect(await read(order._id)).toMatchObject({ isPaid: true, amountDue: 0, refundable: 60_000 });
  expect(await sizesOf()).toEqual([2, 2]);
  expect(await checkBooks(services, -60_000)).toEqual({ faults: 0 });
  expect(await listBrokenRuleTexts(db)).toEqual([]);
});

test('the same key makes one order and one account, also when two requests arrive together; with another payload it is refused (§20.16)', async () => {
  const key = { 'idempotency-key': 'k1' };
  const replies = await Promise.all([place({}, key), place({}, key), place({}, key)]);
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201]);
  expect(new Set(replies.map((reply) => reply.json<Order>()._id)).size).toBe(1);
  expect((await place({ phone: '07700 900999' }, key)).statusCode).toBe(409);
  // The customer is part of the payload.
  const other = await place({ email: `other-${email}` }, key);
  expect([other.statusCode, other.json().message]).toEqual([
    409,
    'This order has already been placed with different items, or for another customer.',
  ]);
  expect(await sizesOf()).toEqual([3, 1]);
  expect(await mails(`other-${email}`)).toEqual([]);
  expect((await mails()).filter(({ subject }) => subject?.startsWith('Your account'))).toHaveLength(1);
});

test('a key sent again neither closes an account nor mails a second time (§20.16)', async () => {
  await db
    .updateTable('users')
    .set({ isEmailConfirmed: false })
    .where('id', '=', (await aCustomer(db, { email }))._id)
    .execute();
  const key = { 'idempotency-key': `again ${email}` };
  const invitations = async () => (await mails()).filter(({ subject }) => subject?.startsWith('Your account')).length;
  expect((await place({}, key)).statusCode).toBe(201);
  expect(await invitations()).toBe(1);
  expect((await place({}, key)).statusCode).toBe(201);
  expect(await invitations()).toBe(1);
});

test('the last piece goes to one of those who ask for it at once, by phone or in the shop (§20.16)', async () => {
  const buyer = await aCustomer(db);
  const one = { lines: [aLarge({ qty: 2 })], expected: 150_000 };
  const line = aLine(sofa, { size: 'L', qty: 2, price: 75_000 });
  const replies = await Promise.all([
    place(one),
    place({ ...one, email: `b-${email}` }),
    send(buyer, 'POST', '/api/orders', aPayload([line])),
  ]);
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409]);
  expect(await sizesOf()).toEqual([3, 0]);
});

test('a customer who rings because their card payment got stuck can have the pieces that it holds (§20.16)', async () => {
  const buyer = await aCustomer(db, { email });
  const { sessionId, url } = await checkout(buyer, [aLine(sofa, { size: 'L', qty: 2, price: 75_000 })]);
  expect((await place({ email: `b-${email}` })).statusCode).toBe(409);
  expect((await place()).statusCode).toBe(201);
  expect((await orderOf(sessionId)).status).toBe('expired');
  await pay(url);
  expect(await sizesOf()).toEqual([3, 1]);
});

test('a link that is paid at the moment when it ends, or when its order is cancelled, is either an order or a refund (§20.16)', async () => {
  for (const end of ['time', 'cancel'] as const) {
    const order = await placed({ payment: 'link' });
    const url = await pageOf(await customerOf(order), order);
    if (end === 'time') await makeJobsDue(db);
    await Promise.all([
      pay(url),
      end === 'time' ? runJobs(services) : send(admin, 'POST', `/api/office/orders/${order._id}/cancel`, { reason: 'Another reason' }),
    ]);
    await reconcile();
    await makeJobsDue(db);
    await runJobs(services);
    const { isPaid, status } = await read(order._id);
    const { data } = await stripe.checkout.sessions.list({ limit: 100 });
    const taken = data.filter((one) => one.client_reference_id === order._id && one.payment_status === 'paid').length * 75_000;
    expect(status === 'cancelled' ? 0 : 75_000).toBe(taken - (await refundedOf(order._id)));
    if (status !== 'cancelled') expect(isPaid).toBe(true);
    expect(await sizesOf()).toEqual(status === 'cancelled' ? [3, 2] : [3, 1]);
    if (status !== 'cancelled') await send(admin, 'POST', `/api/office/orders/${order._id}/cancel`, { reason: 'Another reason' });
    await runJobs(services);
  }
  expect(await listBrokenRuleTexts(db)).toEqual([]);
});

test('an order that is paid days after the call is promised for days that can be kept; days that staff have agreed stay (§20.16)', async () => {
  const past = { from: '2026-01-05', to: '2026-01-06' };
  for (const [from, to] of [
    [past.from, past.to],
    ['2099-01-05', '2099-01-06'],
  ] as const) {
    const order = await placed({ payment: 'link' });
    await forceOrder(db, order._id, { deliveryFrom: from, deliveryTo: to });
    await pay(await pageOf(await customerOf(order), order));
    await reconcile();
    const expected = from === past.from ? order.deliveryWindow : { from, to };
    expect(await read(order._id)).toMatchObject({ isPaid: true, deliveryWindow: expected });
  }
});

test('the mail’s link is paid without a login; its page shows pieces and sum and no person, and ends with the order (§20.18)', async () => {
  const order = await placed({ payment: 'link' });
  const [mail] = (await mails()).filter(({ subject }) => subject?.includes(order.reference)).slice(-1);
  // The list follows its announcement, and the days are for people.
  expect(mail?.text).toMatch(
    /what you ordered:\n\nSofa\nSize: L\n1 × £750\.00[\s\S]*\nPlease pay by: \d\d:\d\d on \w{3}\u00a0\d+\u00a0\w{3}\n/,
  );
  const token = /\/pay\/([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
  const link = `/api/payment-links/${token}`;
  const readLink = () => app.inject({ url: link });
  const shown = await readLink();
  expect(shown.json()).toEqual({
    reference: order.reference,
    amount: order.totalPrice,
    pieces: '1 × Sofa (L)',
    payUntil: order.payUntil,
    isWhole: true,
    isSent: false,
    state: 'open',
  });
  const { rows } = await sql<{
    row: string;
  }>`select order_corrections::text as row from order_corrections where order_id = ${order._id}`.execute(db);
  expect(rows[0]?.row).not.toContain(token);
  const opened = await app.inject({ method: 'POST', url: link });
  const again = await app.inject({ method: 'POST', url: link });
  expect([opened.statusCode, again.json()]).toEqual([200, opened.json()]);
  const page = opened.json<{ url: string }>().url;
  const shownPage = await (await fetch(page)).text();
  expect(shownPage).toContain('1 × Sofa (L)');
  expect(shownPage).not.toMatch(new RegExp(`${email}|Rita Ring`));
  await pay(page);
  expect((await readLink()).json()).toMatchObject({ state: 'paid', amount: order.totalPrice });
  expect(await read(order._id, admin)).toMatchObject({ isPaid: true, paymentMethod: 'Credit Card' });
  expect((await app.inject({ method: 'POST', url: link })).statusCode).toBe(409);
  for (const wrong of ['nonsense', `${token}x`])
    for (const method of ['GET', 'POST'] as const)
      expect((await app.inject({ method, url: `/api/payment-links/${wrong}` })).statusCode).toBe(404);
  const other = await placed({ payment: 'link' });
  await send(admin, 'POST', `/api/office/orders/${other._id}/cancel`, { reason: 'The customer asked for it' });
  const [asked] = (await mails()).filter(({ subject, text }) => subject?.includes(other.reference) && text?.includes('/pay/'));
  const ended = /\/pay\/([\w-]+)/.exec(asked?.text ?? '')?.[1] ?? '';
  expect((await app.inject({ url: `/api/payment-links/${ended}` })).json()).toMatchObject({ state: 'ended' });
  expect((await app.inject({ method: 'POST', url: `/api/payment-links/${ended}` })).statusCode).toBe(409);
});

test('an order that is sent before it is paid waits among the unpaid ones, is not cancelled, and its link can still be paid (§20.16)', async () => {
  const order = await placed({ payment: 'link' });
  const [mail] = (await mails()).filter(({ subject }) => subject?.includes(order.reference)).slice(-1);
  const link = `/api/payment-links/${/\/pay\/([\w-]+)/.exec(mail?.text ?? '')?.[1]}`;
  const waits = async (queue: string) => {
    const { orders } = (await app.inject({ url: `/api/orders?queue=${queue}`, headers: admin.headers })).json<OrderList>();
    return orders.some(({ _id }) => _id === order._id);
  };
  expect(await waits('payment')).toBe(true);
  expect((await send(admin, 'PUT', `/api/orders/${order._id}/stage`, { stage: 'dispatched' })).statusCode).toBe(200);
  expect(await waits('payment')).toBe(true);
  const before = (await app.inject({ method: 'POST', url: link })).json<{ url: string }>().url;
  await db.updateTable('orderCorrections').set({ payUntil: '2026-01-01T10:00:00.000Z' }).where('orderId', '=', order._id).execute();
  expect(await listBrokenRuleTexts(db)).toEqual([]);
  await makeJobsDue(db);
  await runJobs(services);
  expect(await read(order._id)).toMatchObject({ status: 'dispatched', amountDue: order.totalPrice });
  expect((await app.inject({ url: link })).json()).toMatchObject({ state: 'open', isSent: true });
  await send(admin, 'PUT', `/api/orders/${order._id}/deliver`, { isDelivered: true });
  expect([await waits('payment'), await waits('unpaid')]).toEqual([false, true]);
  const page = (await app.inject({ method: 'POST', url: link })).json<{ url: string }>().url;
  expect(page).not.toBe(before);
  await pay(page);
  await reconcile();
  expect(await read(order._id)).toMatchObject({ status: 'delivered', isPaid: true, deliveryWindow: order.deliveryWindow });
  expect([await waits('payment'), await waits('unpaid')]).toEqual([false, false]);
  expect((await app.inject({ url: link })).json()).toMatchObject({ state: 'paid', amount: order.totalPrice });
});

test.each<[string, (order: Order, sessionId: string) => Promise<unknown>]>([
  ['the next comparison with the provider', () => reconcile()],
  ['a repeated notice', (_, sessionId) => notify('checkout.session.completed', sessionId)],
  ['pressing Pay', async (order) => openPage(await customerOf(order), order)],
  [
    'the end of the 48 hours',
    async () => {
      await makeJobsDue(db);
      await runJobs(services);
    },
  ],
])(
  'a payment that came for another sum, and was refunded, does not pay the order by %s, once that sum is due again (§20.16)',
  async (_, settleAgain) => {
    const order = await placed({ payment: 'link' });
    const correct = async (line: number, size: string, expected: number) => {
      const wish = { revision: (await read(order._id)).revision, lines: [{ line, qty: 1, size }], expected };
      return send(admin, 'POST', `/api/office/orders/${order._id}/correction`, wish);
    };
    const customer = await customerOf(order);
    const before = await pageOf(customer, order);
    await correct(0, 'S', -15_000);
    await pay(before);
    await reconcile();
    await runJobs(services);
    expect((await correct(1, 'L', 15_000)).statusCode).toBe(200);
    const { sessionId } = await db
      .selectFrom('orderCorrections')
      .select('sessionId')
      .where('orderId', '=', order._id)
      .executeTakeFirstOrThrow();
    await settleAgain(order, sessionId ?? '');
    const { isPaid, status } = await read(order._id);
    expect([isPaid, await refundedOf(order._id)]).toEqual([false, 75_000]);
    if (status === 'cancelled') return;
    const now = await pageOf(customer, order);
    expect(now).not.toBe(before);
    await pay(now);
    await reconcile();
    expect(await read(order._id)).toMatchObject({ isPaid: true, refundable: 75_000 });
    expect(await listBrokenRuleTexts(db)).toEqual([]);
  },
);

test('an unpaid order by link that was marked as delivered by mistake has 48 hours again once that is taken back (§20.16)', async () => {
  const order = await placed({ payment: 'link' });
  const deliver = (isDelivered: boolean) => send(admin, 'PUT', `/api/orders/${order._id}/deliver`, { isDelivered });
  await deliver(true);
  await db.updateTable('orderCorrections').set({ payUntil: '2026-01-01T10:00:00.000Z' }).where('orderId', '=', order._id).execute();
  await makeJobsDue(db);
  await runJobs(services);
  await deliver(false);
  expect((await openPage(await customerOf(order), order)).statusCode).toBe(200);
});

test('an order that was sent before it was paid and is taken back has 48 hours to be paid again, and is then cancelled (§20.16)', async () => {
  const order = await placed({ payment: 'link' });
  const stage = (name: string) => send(admin, 'PUT', `/api/orders/${order._id}/stage`, { stage: name });
  await stage('dispatched');
  await db.updateTable('orderCorrections').set({ payUntil: '2026-01-01T10:00:00.000Z' }).where('orderId', '=', order._id).execute();
  await makeJobsDue(db);
  await runJobs(services);
  expect((await stage('packing')).statusCode).toBe(200);
  const { payUntil } = await read(order._id);
  expect(Date.parse(payUntil ?? '')).toBeGreaterThan(Date.now() + 47 * 3_600_000);
  expect((await openPage(await customerOf(order), order)).statusCode).toBe(200);
  await makeJobsDue(db);
  await runJobs(services);
  expect((await read(order._id)).status).toBe('cancelled');
  expect(await sizesOf()).toEqual([3, 2]);
});

test('cash that was recorded by mistake and taken back leaves the link as it was: it can be paid (§20.16)', async () => {
  const cash = (order: Order, isPaid: boolean) => send(admin, 'PUT', `/api/orders/${order._id}/cash`, { isPaid });
  for (const isClosed of [true, false]) {
    const order = await placed({ payment: 'link' });
    const customer = await customerOf(order);
    const before = await pageOf(customer, order);
    await cash(order, true);
    if (isClosed) await runJobs(services);
    expect((await cash(order, false)).statusCode).toBe(200);
    await runJobs(services);
    expect([(await read(order._id)).status, await statusOf(order._id)]).toEqual(['placed', 'open']);
    const page = await pageOf(customer, order);
    expect(page).not.toBe(before);
    await pay(page);
    await reconcile();
    expect(await read(order._id)).toMatchObject({ isPaid: true, paymentMethod: 'Credit Card', amountDue: 0 });
  }
  expect(await listBrokenRuleTexts(db)).toEqual([]);
});

test('a page that was open while cash was recorded is closed, also if the record is undone first; one that was opened since is not (§20.16)', async () => {
  const cash = (order: Order, isPaid: boolean) => send(admin, 'PUT', `/api/orders/${order._id}/cash`, { isPaid });
  for (const isOpenedAgain of [false, true]) {
    const order = await placed({ payment: 'link' });
    const customer = await customerOf(order);
    let page = await pageOf(customer, order);
    await cash(order, true);
    if (!isOpenedAgain)
      await send(admin, 'POST', `/api/office/orders/${order._id}/overpayments`, { amount: 5_000, receivedBy: 'transfer' });
    await cash(order, false);
    if (isOpenedAgain) page = await pageOf(customer, order);
    await runJobs(services);
    await pay(page).catch(() => undefined);
    await reconcile();
    expect((await read(order._id)).isPaid).toBe(isOpenedAgain);
  }
});

test.each([
  ['paid', { paidAt: new Date().toISOString() }],
  ['delivered', { deliveredAt: new Date().toISOString() }],
])(
  'an account whose address was never confirmed stays open if something was %s with it; the form asks staff to check (§20.16)',
  async (_, sign) => {
    const buyer = await aCustomer(db, { name: 'Ola Order', email });
    await db.updateTable('users').set({ isEmailConfirmed: false }).where('id', '=', buyer._id).execute();
    const own = (await send(buyer, 'POST', '/api/orders', aPayload([aLine(await aProduct(db))]))).json<Order>();
    const trust = async () => (await quote({ email })).json<PhoneQuote>().customer?.trust;
    expect(await trust()).toBe('none');
    await forceOrder(db, own._id, sign);
    expect(await trust()).toBe('used');
    await placed();
    const { orders } = (await app.inject({ url: '/api/orders/myorders', headers: buyer.headers })).json<OrderList>();
    expect(orders).toHaveLength(2);
  },
);

test('an account whose address was never confirmed, and with which nothing was paid or delivered, is closed to who made it before it gets an order by phone: only a code to the address opens it', async () => {
  const stranger = await aCustomer(db, { name: 'Zed', email });
  await db.updateTable('users').set({ isEmailConfirmed: false }).where('id', '=', stranger._id).execute();
  expect((await quote({ email })).json<PhoneQuote>().customer?.trust).toBe('none');
  const { status } = await placed();
  expect(status).toBe('placed');
  expect((await app.inject({ url: '/api/orders/myorders', headers: stranger.headers })).statusCode).toBe(401);
  const login = await app.inject({ method: 'POST', url: '/api/users/login', payload: { email, password: PASSWORD } });
  expect(login.statusCode).toBe(401);
  expect((await mails()).map(({ text }) => text).join()).toContain(`To choose a password, enter ${email} on this page.`);
  const owner = await aCustomer(db);
  await placed({ email: owner.email });
  expect((await app.inject({ url: '/api/orders/myorders', headers: owner.headers })).statusCode).toBe(200);
});

test('what was paid under another address gives an account no trust in the one that it took later', async () => {
  const stranger = await aCustomer(db, { name: 'Zed' });
  await db.updateTable('users').set({ isEmailConfirmed: false }).where('id', '=', stranger._id).execute();
  const payload = aPayload([aLine(await aProduct(db))]);
  const own = (await app.inject({ method: 'POST', url: '/api/orders', headers: stranger.headers, payload })).json<Order>();
  await app.inject({ method: 'PUT', url: `/api/orders/${own._id}/cash`, headers: admin.headers, payload: { isPaid: true } });
  const trust = async (address: string) => (await quote({ email: address })).json<PhoneQuote>().customer?.trust;
  expect(await trust(stranger.email)).toBe('used');
  const body = { name: 'Zed', email, currentPassword: PASSWORD };
  expect((await app.inject({ method: 'PUT', url: '/api/users/profile', headers: stranger.headers, payload: body })).statusCode).toBe(200);
  expect(await trust(email)).toBe('none');
});

test.each([
  ['an account', aCustomer],
  ['a member of staff', (to: typeof db, user: object) => anAdmin(to, { ...user, staffRole: 'catalogue' })],
] as const)(
  '%s that has changed to an address without confirming it has its own back, and the address’s owner gets the order',
  async (_, make) => {
    const stranger = await make(db, { name: 'Zed', email });
    const own = `own-${email}`;
    await db.updateTable('users').set({ isEmailConfirmed: false, confirmedEmail: own }).where('id', '=', stranger._id).execute();
    const order = await placed();
    expect(order.status).toBe('placed');
    const { orders } = (await app.inject({ url: '/api/orders/myorders', headers: stranger.headers })).json();
    expect(orders).toEqual([]);
    const user = await db
      .selectFrom('users')
      .select(['email', 'isEmailConfirmed'])
      .where('id', '=', stranger._id)
      .executeTakeFirstOrThrow();
    expect(user).toEqual({ email: own, isEmailConfirmed: true });
    expect((await mails()).map(({ text }) => text).join()).toContain('To choose a password');
    expect((await mails(own)).filter(({ text }) => text?.includes(order.reference))).toEqual([]);
  },
);

test('an order is not taken for a member of staff whose address was never confirmed, and shuts nobody out', async () => {
  const colleague = await anAdmin(db, { email });
  await db.updateTable('users').set({ isEmailConfirmed: false }).where('id', '=', colleague._id).execute();
  const reply = await place();
  expect([reply.statusCode, reply.json().message]).toEqual([
    409,
    expect.stringContaining('belongs to a member of staff who never confirmed it'),
  ]);
  expect((await app.inject({ url: '/api/users', headers: colleague.headers })).statusCode).toBe(200);
});

test('a line of no product is refused in words', async () => {
  const reply = await quote({ lines: [{ product: 'abc', qty: 1, size: null, color: null }] });
  expect([reply.statusCode, reply.json().message]).toEqual([409, 'One of these products is no longer sold.']);
});
