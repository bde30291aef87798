import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { ADDRESS } from '#server/testing/address.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';

const shop = await testShop({ pool: 10, env: { STORE_MARKET: 'uk' } });
const { app, db, services } = shop;
const { checkout, orderOf } = cardDesk(shop);
const admin = await anAdmin(db, { name: 'Ada Admin' });
const ELSEWHERE = { line1: '2 Low Road', line2: '', city: 'Leeds', state: '', postalCode: 'ls1 1aa', country: 'United Kingdom' };

const read = async (id: string, who: SignedIn = admin) =>
  (await app.inject({ url: `/api/orders/${id}`, headers: who.headers })).json<Order>();
async function place(buyer: SignedIn, payload: object = {}): Promise<Order> {
  const { _id } = (
    await app.inject({
      method: 'POST',
      url: '/api/orders',
      headers: buyer.headers,
      payload: aPayload([aLine(await aProduct(db))], { ...payload }),
    })
  ).json<Order>();
  return read(_id);
}
const detailsOf = ({ revision, fullName, phone, shippingAddress, deliveryWindow }: Order) => ({
  revision,
  fullName,
  phone,
  shippingAddress,
  deliveryWindow,
});
const correct = (order: Order, changes: object, who: SignedIn = admin) =>
  app.inject({
    method: 'PUT',
    url: `/api/office/orders/${order._id}/delivery-details`,
    headers: who.headers,
    payload: { ...detailsOf(order), ...changes },
  });
const stage = (id: string, stage: string) =>
  app.inject({ method: 'PUT', url: `/api/orders/${id}/stage`, headers: admin.headers, payload: { stage } });
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const mailsAbout = async (buyer: SignedIn) => {
  await runJobs(services);
  return (await mailsOf(shop.dataDir, buyer.email)).filter(({ subject }) => subject?.startsWith('New delivery details'));
};

test('a day that the customer has chosen stays so through other corrections, until staff agree other days', async () => {
  const order = await place(await aCustomer(db));
  const day = inDays(20);
  await db.updateTable('orders').set({ deliveryFrom: day, deliveryTo: day, isDayChosen: true }).where('id', '=', order._id).execute();
  const phoned = (await correct(await read(order._id), { phone: '07700 900999' })).json<Order>();
  expect(phoned).toMatchObject({ isDayChosen: true, deliveryWindow: { from: day, to: day } });
  const days = { from: inDays(21), to: inDays(23) };
  expect((await correct(phoned, { deliveryWindow: days })).json()).toMatchObject({ isDayChosen: false, deliveryWindow: days });
});

test('an administrator changes recipient, address, phone and days: the history says from what to what, one mail goes out, the invoice stays (§20.13)', async () => {
  const buyer = await aCustomer(db);
  const { _id } = await place(buyer);
  await app.inject({ method: 'PUT', url: `/api/orders/${_id}/cash`, headers: admin.headers, payload: { isPaid: true } });
  const order = await read(_id);
  const days = { from: inDays(9), to: inDays(9) };
  const reply = await correct(order, { fullName: 'Nia Oak', phone: '07700 900999', shippingAddress: ELSEWHERE, deliveryWindow: days });
  expect(reply.statusCode, reply.body).toBe(200);
  const after = reply.json<Order>();
  const postalCode = 'LS1 1AA';
  expect(after).toMatchObject({
    fullName: 'Nia Oak',
    phone: '07700 900999',
    shippingAddress: { ...ELSEWHERE, postalCode },
    deliveryWindow: days,
  });
  const event = after.events.at(-1);
  expect(event).toMatchObject({ kind: 'delivery details changed', actor: 'Ada Admin' });
  expect(event?.detail).toContain(`address: ${ADDRESS.line1}`);
  expect(event?.detail).toContain('→ 2 Low Road, Leeds, LS1 1AA, United Kingdom. phone number: 07700 900123 → 07700 900999. days: ');
  const [mail, ...more] = await mailsAbout(buyer);
  expect(more).toEqual([]);
  expect(mail?.text).toContain('We have changed the name, the address, the phone number and the days');
  expect(mail?.text?.replaceAll('\u200b', '')).toContain('Nia Oak, 2 Low Road');
  const invoice = await app.inject({ url: `/api/invoices/${after.invoices[0]?._id}`, headers: admin.headers });
  expect(invoice.json().buyer.address).toContain(ADDRESS.line1);
  // The same again changes nothing and tells nobody.
  expect((await correct(after, {})).json<Order>().revision).toBe(after.revision);
  expect(await mailsAbout(buyer)).toHaveLength(1);
});

test('a mail to an address that was never confirmed does not say what was typed', async () => {
  const buyer = await aCustomer(db);
  await db.updateTable('users').set({ isEmailConfirmed: false, confirmedEmail: null }).where('id', '=', buyer._id).execute();
  await correct(await place(buyer), { fullName: 'Visit spam.example', shippingAddress: ELSEWHERE });
  const [mail] = await mailsAbout(buyer);
  expect(mail?.text).toContain('We have changed the name and the address');
  expect(mail?.text).not.toMatch(/spam|Low Road/);
});

test('it can be changed until all has left and after a failed delivery, and not after that', async () => {
  const order = await place(await aCustomer(db));
  await stage(order._id, 'dispatched');
  const gone = await read(order._id);
  expect(gone.can).not.toContain('correctDelivery');
  const late = await correct(gone, { phone: '07700 900999' });
  expect([late.statusCode, late.json().message]).toEqual([
    409,
    `Order ${order.reference} was dispatched; its delivery details can no longer be changed.`,
  ]);
  await stage(order._id, 'delivery_failed');
  expect((await correct(await read(order._id), { phone: '07700 900999' })).json<Order>().phone).toBe('07700 900999');
});

test('of two administrators at once, or of a correction and a dispatch, the second is told to look again', async () => {
  const order = await place(await aCustomer(db));
  const replies = await Promise.all(['07700 900111', '07700 900222'].map((phone) => correct(order, { phone })));
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  const refused = replies.find(({ statusCode }) => statusCode === 409);
  expect(refused?.json().message).toBe(`Order ${order.reference} has changed since you opened it. Reload the page, then try again.`);
  const now = await read(order._id);
  const [, corrected] = await Promise.all([stage(order._id, 'packing'), correct(now, { phone: '07700 900333' })]);
  const { phone, status } = await read(order._id);
  expect([status, phone]).toEqual(['packing', corrected.statusCode === 200 ? '07700 900333' : now.phone]);
});

test('new values are judged as those of the checkout, and what stays is not judged again', async () => {
  const order = await place(await aCustomer(db));
  expect((await correct(order, { phone: '12' })).json().errors).toEqual({ phone: 'Enter a UK phone number, such as 07700 900123' });
  expect((await correct(order, { shippingAddress: { ...ELSEWHERE, postalCode: 'nowhere' } })).json().errors).toHaveProperty([
    'shippingAddress.postalCode',
  ]);
  expect((await correct(order, { deliveryWindow: { from: inDays(-3), to: inDays(-2) } })).json().errors).toEqual({
    'deliveryWindow.to': 'This day has passed.',
  });
  expect((await correct(order, { deliveryWindow: { from: inDays(3), to: inDays(2) } })).json().errors).toEqual({
    'deliveryWindow.to': 'The last day is before the first.',
  });
  await db.updateTable('orders').set({ phone: '+33 1 23 45 67 89' }).where('id', '=', order._id).execute();
  expect((await correct(await read(order._id), { fullName: 'Nia Oak' })).statusCode).toBe(200);
});

test('an order that was paid by card is corrected too, and its refunds do not stand in the way', async () => {
  const { url, sessionId } = await checkout(await aCustomer(db), [aLine(await aProduct(db))]);
  await pay(url);
  const order = await read((await orderOf(sessionId)).id);
  await app.inject({
    method: 'POST',
    url: `/api/office/orders/${order._id}/refunds`,
    headers: admin.headers,
    payload: { amount: 100, reason: 'Goodwill' },
  });
  await runJobs(services);
  const after = (await correct(order, { shippingAddress: ELSEWHERE })).json<Order>();
  expect(after).toMatchObject({ refundedPrice: 100, shippingAddress: { line1: '2 Low Road' } });
});

test('an address in another area keeps the price, the history says what was not charged, and where nothing is delivered it is refused', async () => {
  const url = '/api/settings/delivery';
  const { version, values } = (await app.inject({ url, headers: admin.headers })).json();
  const area = { surcharge: 30, extraDays: 5, without: '', refusal: '' };
  const areas = [
    { ...area, postcodes: 'IV' },
    { ...area, postcodes: 'IM', refusal: 'We do not ship to the Isle of Man.' },
  ];
  await app.inject({ method: 'PUT', url, headers: admin.headers, payload: { version, values: { ...values, areas } } });
  const order = await place(await aCustomer(db));
  const refused = await correct(order, { shippingAddress: { ...ELSEWHERE, postalCode: 'IM1 1AA' } });
  expect([refused.statusCode, refused.json().errors]).toEqual([
    400,
    { 'shippingAddress.postalCode': 'We do not ship to the Isle of Man.' },
  ]);
  const after = (await correct(order, { shippingAddress: { ...ELSEWHERE, postalCode: 'IV1 1AA' } })).json<Order>();
  expect(after.totalPrice).toBe(order.totalPrice);
  expect(after.events.at(-1)?.detail).toMatch(/IV1 1AA.*\. Delivery to this area costs £30\.00 more, which was not charged$/);
});
