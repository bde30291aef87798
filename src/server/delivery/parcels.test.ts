import { beforeEach, expect, test } from 'vitest';
import { DEFAULT_CARRIERS } from '#contract/delivery/carriers.ts';
import type { Slips } from '#contract/delivery/dispatch.ts';
import { shopDay } from '#contract/market/shop-time.ts';
import type { Order } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn, stockOf } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';

const shop = await testShop();
const { app, db } = shop;
const admin = await anAdmin(db);
/** A day that has not passed when the tests end, also around midnight. */
const TOMORROW = shopDay(new Date(Date.now() + 86_400_000).toISOString());
let buyer: SignedIn;
let sofa: Awaited<ReturnType<typeof aProduct>>;
let order: Order;

beforeEach(async () => {
  buyer = await aCustomer(db);
  sofa = await aProduct(db, { name: 'Sofa', price: 10_000, sizes: [{ size: 'Two-seat' }, { size: 'Three-seat' }] });
  const lamp = await aProduct(db, { name: 'Lamp', price: 2_500 });
  const payload = aPayload([aLine(sofa, { size: 'Two-seat' }), aLine(lamp, { qty: 3 })]);
  order = (await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload })).json<Order>();
});

const send = async (payload: object, who = admin, id = order._id) =>
  app.inject({ method: 'POST', url: `/api/office/orders/${id}/parcels`, headers: who.headers, payload });
const put = async (url: string, payload: object) => app.inject({ method: 'PUT', url, headers: admin.headers, payload });
const move = async (stage: string, parcel?: string) => put(`/api/orders/${order._id}/stage`, { stage, parcel });
const read = async (who = admin) => (await app.inject({ url: `/api/orders/${order._id}`, headers: who.headers })).json<Order>();
const mails = async () => {
  await runJobs(shop.services);
  return (await mailsOf(shop.dataDir, buyer.email)).filter(({ subject }) => !subject?.startsWith('Thank you'));
};
const DPD = { carrier: 'dpd', trackingNumber: '1550 1234', expectedOn: TOMORROW };

test('an order leaves in two parcels: its customer reads and hears where each can be followed (§20.8)', async () => {
  const first = (
    await send({
      ...DPD,
      lines: [
        { line: 1, qty: 1 },
        { line: 1, qty: 1 },
      ],
    })
  ).json<Order>();
  expect(first).toMatchObject({
    status: 'partly_dispatched',
    dispatchedAt: expect.any(String),
    parcels: [{ carrierName: 'DPD', trackingNumber: '1550 1234', expectedOn: TOMORROW, pieces: [{ line: 1, qty: 2 }] }],
  });
  expect(first.parcels[0]?.trackingUrl).toBe('https://www.dpd.co.uk/apps/tracking/?reference=15501234');
  expect((await read(buyer)).parcels).toEqual(first.parcels);
  const second = (await send({ carrier: 'own_van' })).json<Order>();
  expect(second).toMatchObject({
    status: 'dispatched',
    parcels: [
      {},
      {
        trackingUrl: '',
        pieces: [
          { line: 0, qty: 1 },
          { line: 1, qty: 1 },
        ],
      },
    ],
  });
  expect(second.events.map(({ kind, detail }) => [kind, detail])).toEqual([
    ['placed', ''],
    ['dispatched in part', `2 × Lamp. DPD, 1550 1234, expected on ${TOMORROW}`],
    ['dispatched', '1 × Sofa (Two-seat), 1 × Lamp. Our own van'],
  ]);
  const told = await mails();
  expect(told.map(({ subject }) => subject?.replace(order.reference, 'REF'))).toEqual(
    Array(2).fill('Part of your order REF is on its way'),
  );
  const text = told.map((mail) => mail.text ?? '').join('\n');
  for (const words of [
    'Lamp\nQuantity: 2',
    'Sofa\nSize: Two-seat\nQuantity: 1',
    'Carrier: DPD',
    '1550 1234',
    'https://www.dpd.co.uk/apps/tracking/?reference=15501234',
    'Our own van',
  ])
    expect(text).toContain(words);
  expect((await send({})).json().message).toBe(`Order ${order.reference} was dispatched; it cannot be dispatched.`);
});

test('each driver of a cash order in two parcels collects its share: mails, order page and slip agree, and the last parcel says that it is the last (§20.8)', async () => {
  const slipDue = async () => {
    const url = `/api/office/slips?user=${buyer._id}`;
    return (await app.inject({ url, headers: admin.headers })).json<Slips>().slips.map(({ amountDue }) => amountDue);
  };
  const dueBefore = (await read()).amountDue;
  expect(await slipDue()).toEqual([dueBefore]);
  const first = (await send({ lines: [{ line: 0, qty: 1 }] })).json<Order>();
  const [early] = await mails();
  expect(first.parcels.map(({ amountDue }) => amountDue)).toEqual([10_000]);
  expect(early?.text).toContain('Please have £100.00 ready for the driver of this parcel.');
  expect(early?.text).toContain('The rest will come in another parcel.');
  expect(early?.text).toMatch(/Expected: (Mon|Tue|Wed|Thu|Fri|Sat|Sun)/);
  expect(await slipDue()).toEqual([7_500]);
  const second = (await send({})).json<Order>();
  expect(second.parcels.map(({ amountDue }) => amountDue)).toEqual([10_000, 7_500]);
  expect(await slipDue()).toEqual([]);
  const late = (await mails()).find(({ text }) => text?.includes('£75.00'));
  expect(late?.text).toContain('Please have £75.00 ready for the driver of this parcel.');
  expect(late?.text).toContain('This is the last parcel of your order.');
  expect(late?.text).not.toContain('The rest will come');
  expect((await read(buyer)).parcels).toEqual(second.parcels);
  await put(`/api/orders/${order._id}/cash`, { isPaid: true });
  expect((await read()).parcels.map(({ amountDue }) => amountDue)).toEqual([0, 0]);
});

test('the slip of what is sent again collects its share only', async () => {
  const [parcel] = (await send({ lines: [{ line: 0, qty: 1 }] })).json<Order>().parcels;
  await send({});
  await move('delivery_failed', parcel?._id);
  const { slips } = (await app.inject({ url: `/api/office/slips?user=${buyer._id}`, headers: admin.headers })).json<Slips>();
  expect(slips.map(({ amountDue, lines }) => [amountDue, lines.map(({ name }) => name)])).toEqual([[10_000, ['Sofa']]]);
  expect((await read()).parcels.map(({ amountDue }) => amountDue)).toEqual([0, 7_500]);
});

test('no more leaves than was ordered, also when two administrators send the same pieces at once (§20.8)', async () => {
  expect((await send({ lines: [{ line: 1, qty: 4 }] })).json().message).toBe('Only 3 of Lamp can still be sent.');
  expect((await send({ lines: [{ line: 5, qty: 1 }] })).json().message).toBe('This item has already been sent.');
  const replies = await Promise.all([1, 2, 3].map(() => send({ lines: [{ line: 1, qty: 2 }] })));
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409]);
  expect((await read()).parcels).toHaveLength(1);
});

test.each([
  ['a carrier of two lines', { carrier: 'Pigeon\nPost' }, 'The carrier must be one line of text'],
  ['a number with signs', { trackingNumber: '<b>1</b>' }, 'A tracking number has letters, digits, spaces and hyphens only, 40 at most.'],
  ['a link without https', { trackingLink: 'http://example.org/1' }, 'The link must begin with https:// and name a site.'],
  ['a script for a link', { trackingLink: 'javascript:alert(1)' }, 'The link must begin with https:// and name a site.'],
  [
    'a link that poses as another site',
    { trackingLink: 'https://dpd.co.uk@example.org/' },
    'The link must begin with https:// and name a site.',
  ],
  ['an impossible day', { expectedOn: '2026-02-31' }, 'Enter the day as YYYY-MM-DD.'],
  ['a day that has passed', { expectedOn: '2020-01-01' }, 'The expected day has passed.'],
  ['a day far away', { expectedOn: '2099-01-01' }, 'The expected day is more than a year away.'],
])('a parcel is not sent with %s (§20.8)', async (_, wrong, message) => {
  const reply = await send(wrong);
  expect([reply.statusCode, reply.json().message]).toEqual([400, message]);
  expect((await read()).status).toBe('placed');
});

test('a carrier is named as it was typed, a known one by its own name; one that was stored without a name has none', async () => {
  const order = (await send({ carrier: 'Pigeon Post', trackingNumber: '1' })).json<Order>();
  expect(order.parcels).toMatchObject([{ carrierName: 'Pigeon Post', trackingUrl: '' }]);
  const nameAfter = async (carrier: string) => {
    const url = `/api/office/parcels/${order.parcels[0]?._id}`;
    const reply = await app.inject({ method: 'PUT', url, headers: admin.headers, payload: { carrier } });
    return reply.json<Order>().parcels[0]?.carrierName;
  };
  expect([await nameAfter('dpd'), await nameAfter('royal mail'), await nameAfter('other')]).toEqual(['DPD', 'Royal Mail', '']);
  await db.updateTable('parcels').set({ carrier: 'other' }).where('orderId', '=', order._id).execute();
  expect((await read()).parcels).toMatchObject([{ carrierName: '' }]);
});

test('the owner lists carriers with their links; a parcel that has left keeps the link of that day (§20.8)', async () => {
  const parcel = (await send({ ...DPD, lines: [{ line: 1, qty: 1 }] })).json<Order>().parcels[0];
  await db.updateTable('parcels').set({ carrier: 'evri', carrierLink: null }).where('orderId', '=', order._id).execute();
  expect((await read()).parcels).toMatchObject([{ carrierName: 'Evri', trackingUrl: 'https://www.evri.com/track/parcel/15501234' }]);
  await db
    .updateTable('parcels')
    .set({ carrier: 'DPD', carrierLink: 'https://dpd.example/{number}' })
    .where('orderId', '=', order._id)
    .execute();
  const list = [
    { name: 'DPD', link: 'https://new.example/{number}' },
    { name: 'Two Strong Men', link: 'https://strong.example/?n={number}&x=1' },
  ];
  expect((await put('/api/settings/carriers', { version: 0, values: { list } })).statusCode).toBe(200);
  await put(`/api/office/parcels/${parcel?._id}`, { ...DPD, trackingNumber: '7' });
  await send({ carrier: 'two strong men', trackingNumber: 'A 1', lines: [{ line: 1, qty: 1 }] });
  await send({ carrier: 'Evri', trackingNumber: '9' });
  expect((await read()).parcels.map(({ carrierName, trackingUrl }) => [carrierName, trackingUrl])).toEqual([
    ['DPD', 'https://dpd.example/7'],
    ['Two Strong Men', 'https://strong.example/?n=A1&x=1'],
    ['Evri', ''],
  ]);
  await put('/api/settings/carriers', { version: 1, values: { list: DEFAULT_CARRIERS } });
});

test('only administrators send and change parcels (§20.8)', async () => {
  expect((await send(DPD, buyer)).statusCode).toBe(403);
  const { parcels } = (await send(DPD)).json<Order>();
  const url = `/api/office/parcels/${parcels[0]?._id}`;
  expect((await app.inject({ method: 'PUT', url, headers: buyer.headers, payload: {} })).statusCode).toBe(403);
  expect([(await put('/api/office/parcels/x', {})).statusCode, (await send({}, admin, 'x')).statusCode]).toEqual([404, 404]);
});

test('a tracking number that comes later is told once, and the same number again changes nothing (§20.8)', async () => {
  const { parcels } = (await send({})).json<Order>();
  expect((await mails()).map(({ subject }) => subject)).toEqual([`Your order ${order.reference} is on its way`]);
  const url = `/api/office/parcels/${parcels[0]?._id}`;
  const evri = { carrier: 'evri', trackingNumber: 'H01A' };
  expect((await put(url, evri)).json<Order>().parcels[0]?.trackingUrl).toBe('https://www.evri.com/track/parcel/H01A');
  await put(url, evri);
  const link = 'https://follow.example.org/1?x=y';
  expect((await put(url, { ...evri, trackingLink: link })).json<Order>().parcels[0]?.trackingUrl).toBe(link);
  const told = (await mails()).filter(({ subject }) => subject === `Track your order ${order.reference}`);
  expect(told).toHaveLength(1);
  expect(told[0]?.text).toContain(link);
  expect((await read()).events.filter(({ kind }) => kind === 'parcel changed')).toHaveLength(2);
});

test('one parcel of two fails and is sent again, and another turns out not to have left (§20.8)', async () => {
  await send({ lines: [{ line: 0, qty: 1 }] });
  const { parcels } = (await send({})).json<Order>();
  const [first, second] = parcels.map(({ _id }) => _id);
  expect((await move('delivery_failed', first)).json()).toMatchObject({
    status: 'delivery_failed',
    parcels: [{ status: 'failed' }, { status: 'sent' }],
  });
  expect((await send({})).json()).toMatchObject({ status: 'dispatched', parcels: [{}, {}, { pieces: [{ line: 0, qty: 1 }] }] });
  expect((await move('packing', second)).json()).toMatchObject({
    status: 'partly_dispatched',
    parcels: [{}, { pieces: [{ line: 0, qty: 1 }] }],
  });
  expect((await move('packing', second)).statusCode).toBe(404);
  expect((await move('delivery_failed', 'none')).statusCode).toBe(404);
  expect((await move('packing')).json()).toMatchObject({ status: 'packing', dispatchedAt: null });
});

test('of an order that has left in part, what has not left is cancelled and goes back into stock; the rest is on its way (§20.8)', async () => {
  await send({ lines: [{ line: 1, qty: 3 }] });
  const before = await stockOf(db, sofa._id);
  const cancel = (payload: object) =>
    app.inject({ method: 'POST', url: `/api/office/orders/${order._id}/cancel`, headers: admin.headers, payload });
  expect((await read()).isCancellableByShop).toBe(true);
  expect((await cancel({ reason: 'Another reason', lines: [1] })).json().message).toBe('This item is no longer part of the order.');
  expect((await cancel({ reason: 'Another reason' })).json()).toMatchObject({
    status: 'dispatched',
    amountDue: 7_500,
    isCancellableByShop: false,
  });
  expect(await stockOf(db, sofa._id)).toBe(before + 1);
});

test('a delivery that is taken back leaves the order where its parcels are (§20.8)', async () => {
  await send({ lines: [{ line: 0, qty: 1 }] });
  const deliver = async (isDelivered: boolean) => (await put(`/api/orders/${order._id}/deliver`, { isDelivered })).json<Order>();
  expect(await deliver(true)).toMatchObject({ status: 'delivered' });
  expect(await deliver(false)).toMatchObject({ status: 'partly_dispatched', dispatchedAt: expect.any(String), deliveredAt: null });
  await deliver(true);
  expect((await mails()).map(({ subject }) => subject)).toEqual([`Your order ${order.reference} was delivered`]);
});

test('a delivery that failed, and was then marked by mistake, is taken back to the failed one, whose pieces can be cancelled', async () => {
  for (const stage of ['packing', 'dispatched', 'delivery_failed']) expect((await move(stage)).statusCode).toBe(200);
  for (const isDelivered of [true, false]) await put(`/api/orders/${order._id}/deliver`, { isDelivered });
  expect(await read()).toMatchObject({ status: 'delivery_failed', isCancellableByShop: true });
});

test('an administrator’s own order is not shown to be cancellable as a customer once it is packed (§20.3)', async () => {
  const payload = aPayload([aLine(sofa, { size: 'Two-seat' })]);
  const own = (await app.inject({ method: 'POST', url: '/api/orders', headers: admin.headers, payload })).json<Order>();
  await put(`/api/orders/${own._id}/stage`, { stage: 'packing' });
  const seen = (await app.inject({ url: `/api/orders/${own._id}`, headers: admin.headers })).json<Order>();
  expect(seen).toMatchObject({ isCancellable: false, isCancellableByShop: true });
});
