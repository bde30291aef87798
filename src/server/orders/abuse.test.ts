import { expect, test } from 'vitest';
import { runJobs } from '#server/app/jobs.ts';
import { ADDRESS } from '#server/testing/address.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn, stockOf } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';

const shop = await testShop({
  pool: 20,
  env: { TRUST_PROXY: '127.0.0.1', UNPAID_ORDERS_PER_ADDRESS: '5', APPROVAL_ABOVE: '100000' },
});
const { app, db } = shop;
const admin = await anAdmin(db);
const lamp = await aProduct(db, { name: 'Lamp', price: 1_000, stock: 100_000, sizes: [{ size: 'S' }, { size: 'L' }] });
const sofa = await aProduct(db, { name: 'Sofa', price: 100_001, stock: 1_000 });
let network = 0;

async function send(who: SignedIn, method: 'POST' | 'PUT' | 'GET', url: string, payload?: object) {
  network += 1;
  const headers = { ...who.headers, 'x-forwarded-for': `10.3.${Math.floor(network / 250)}.${(network % 250) + 1}` };
  return app.inject({ method, url, headers, ...(payload && { payload }) });
}
const aStreet = () => {
  network += 1;
  return { ...ADDRESS, line1: `${network} Long Lane` };
};
const buy = (who: SignedIn, lines: ReturnType<typeof aLine>[], shippingAddress = aStreet()) =>
  send(who, 'POST', '/api/orders', aPayload(lines, { shippingAddress }));

test('one address has at most five unpaid orders, from any account, in any spelling, and when all arrive at once', async () => {
  const at = (line1: string, line2: string, postalCode: string) => ({ ...ADDRESS, line1, line2, postalCode });
  const places = [
    at('7 Mill Road', 'Flat 3', 'YO1 7HH'),
    at('7, mill road', 'flat 3', 'yo17hh'),
    at('7  Mill-Road, Flat 3', '', 'YO1  7HH'),
  ];
  const buyers = await Promise.all(Array.from({ length: 15 }, () => aCustomer(db)));
  const replies = await Promise.all(buyers.map((buyer, n) => buy(buyer, [aLine(lamp, { size: 'S' })], places[n % 3])));
  expect(replies.filter(({ statusCode }) => statusCode === 201)).toHaveLength(5);
  const refused = replies.filter(({ statusCode }) => statusCode !== 201).map((reply) => `${reply.statusCode} ${reply.json().message}`);
  expect(new Set(refused)).toEqual(
    new Set([
      '409 5 orders to this address are neither paid nor delivered, which is the limit. Please wait for one of them to arrive, or pay by card.',
    ]),
  );
  const [first] = replies.filter(({ statusCode }) => statusCode === 201);
  const [late] = buyers;
  expect((await buy(late as SignedIn, [aLine(lamp, { size: 'S' })], at('7 Mill Road', 'Flat 4', 'YO1 7HH'))).statusCode).toBe(201);
  await send(admin, 'PUT', `/api/orders/${first?.json()._id}/cash`, { isPaid: true });
  expect((await buy(late as SignedIn, [aLine(lamp, { size: 'S' })], places[0])).statusCode).toBe(201);
});

test('a large first order waits for approval: nothing leaves before, everybody reads why, and later ones do not wait', async () => {
  const buyer = await aCustomer(db);
  const placed = await buy(buyer, [aLine(sofa)]);
  const order = placed.json<{ _id: string; reference: string; awaitsApproval: boolean }>();
  expect(order.awaitsApproval).toBe(true);
  for (const [url, payload] of [
    [`/api/orders/${order._id}/stage`, { stage: 'packing' }],
    [`/api/orders/${order._id}/stage`, { stage: 'dispatched' }],
  ] as const) {
    const reply = await send(admin, 'PUT', url, payload);
    expect([reply.statusCode, reply.json().message]).toEqual([
      409,
      `Order ${order.reference} has to be approved first: it is a large first order from a new account.`,
    ]);
  }
  await expect(db.updateTable('orders').set({ status: 'packing' }).where('id', '=', order._id).execute()).rejects.toThrow(
    'orders_approved_before_leaving',
  );
  await runJobs(shop.services);
  const [mail] = await mailsOf(shop.dataDir, buyer.email);
  expect(mail?.text).toContain('We check larger first orders by hand before we pack them. There is nothing you need to do.');
  expect((await send(buyer, 'PUT', `/api/office/orders/${order._id}/approval`)).statusCode).toBe(403);
  const both = await Promise.all([1, 2].map(() => send(admin, 'PUT', `/api/office/orders/${order._id}/approval`)));
  expect(both.map((reply) => [reply.statusCode, reply.json().awaitsApproval])).toEqual([
    [200, false],
    [200, false],
  ]);
  const { events } = (await send(admin, 'GET', `/api/orders/${order._id}`)).json<{ events: { kind: string }[] }>();
  expect(events.map(({ kind }) => kind)).toEqual(['placed', 'approved']);
  expect((await send(admin, 'PUT', `/api/orders/${order._id}/deliver`, { isDelivered: true })).statusCode).toBe(200);
  expect((await buy(buyer, [aLine(sofa)])).json().awaitsApproval).toBe(false);
});

test('marking an order as delivered that waits for approval approves it', async () => {
  const deliver = (id: string) => send(admin, 'PUT', `/api/orders/${id}/deliver`, { isDelivered: true });
  const deliverAll = (id: string) => send(admin, 'PUT', '/api/orders/deliver', { ids: [id], isDelivered: true });
  for (const call of [deliver, deliverAll]) {
    const { _id, awaitsApproval } = (await buy(await aCustomer(db), [aLine(sofa)])).json();
    expect([awaitsApproval, (await call(_id)).statusCode]).toEqual([true, 200]);
    const order = (await send(admin, 'GET', `/api/orders/${_id}`)).json();
    expect([order.isDelivered, order.awaitsApproval, order.events.map(({ kind }: { kind: string }) => kind)]).toEqual([
      true,
      false,
      ['placed', 'approved', 'delivered'],
    ]);
  }
  const other = await aCustomer(db);
  const { _id } = (await buy(other, [aLine(sofa)])).json();
  await send(other, 'POST', `/api/orders/${_id}/cancel`, { reason: 'Another reason' });
  expect((await deliver(_id)).statusCode).toBe(409);
});

test('an order up to the amount, and one of staff, waits for nobody; one that waits can be cancelled by its customer', async () => {
  const [buyer, other] = [await aCustomer(db), await aCustomer(db)];
  expect((await buy(buyer, [aLine(lamp, { size: 'S', qty: 12 })])).json().awaitsApproval).toBe(false);
  expect((await buy(admin, [aLine(sofa)])).json().awaitsApproval).toBe(false);
  const { _id } = (await buy(other, [aLine(sofa)])).json();
  const left = await stockOf(db, sofa._id);
  const cancelled = await send(other, 'POST', `/api/orders/${_id}/cancel`, { reason: 'Another reason' });
  expect([cancelled.statusCode, cancelled.json().status, await stockOf(db, sofa._id)]).toEqual([200, 'cancelled', left + 1]);
});

test('staff who may not change orders buy as customers do: a large first order waits for somebody else’s approval', async () => {
  const awaits = async (who: SignedIn) => (await buy(who, [aLine(sofa)])).json<{ awaitsApproval: boolean }>().awaitsApproval;
  expect(await awaits(await anAdmin(db, { staffRole: 'orders' }))).toBe(false);
  for (const staffRole of ['read-only', 'catalogue', 'money'] as const) expect(await awaits(await anAdmin(db, { staffRole }))).toBe(true);
});
