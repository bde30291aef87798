import { beforeEach, expect, test } from 'vitest';
import type { Slips } from '#contract/delivery/dispatch.ts';
import type { Order } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';

const shop = await testShop({ env: { ...MANY_ORDERS, STORE_MARKET: 'uk' } });
const { app, db } = shop;
const admin = await anAdmin(db);
const lamp = await aProduct(db, { name: 'Lamp', price: 5_000, stock: 1_000 });
const stool = await aProduct(db, { name: 'Stool', price: 9_000, stock: 1_000 });
const sofa = await aProduct(db, { name: 'Sofa', price: 60_000, stock: 1_000 });
let buyer: SignedIn;
let order: Order;

const call = async (method: 'POST' | 'PUT', url: string, payload: object, who = admin) => {
  const reply = await app.inject({ method, url, headers: who.headers, payload });
  expect(reply.statusCode, reply.body).toBeLessThan(300);
  return reply.json<Order>();
};
const place = async (lines: ReturnType<typeof aLine>[], payload = {}) => {
  order = await call('POST', '/api/orders', aPayload(lines, payload), buyer);
};
const office = (path: string, payload: object) => call('POST', `/api/office/orders/${order._id}/${path}`, payload);
const send = (line?: number, more = {}) => office('parcels', { ...(line !== undefined && { lines: [{ line, qty: 1 }] }), ...more });
const cancel = (wish: object) => office('cancel', { reason: 'Not in stock', ...wish });
const move = (stage: string, parcel?: string) => call('PUT', `/api/orders/${order._id}/stage`, { stage, parcel });
const record = (isPaid: boolean) => call('PUT', `/api/orders/${order._id}/cash`, { isPaid });
const read = async () => (await app.inject({ url: `/api/orders/${order._id}`, headers: admin.headers })).json<Order>();
const add = async (product: string) => {
  const wish = { revision: (await read()).revision, added: [{ product, qty: 1 }] };
  const { difference } = (await office('correction', wish)) as unknown as { difference: number };
  await office('correction', { ...wish, expected: difference });
};
/** What each parcel's driver collects, and what no driver does. */
const shares = async () => {
  const { parcels, uncollected } = await read();
  return [parcels.map(({ amountDue }) => amountDue), uncollected];
};
/** What the slip of what has not left collects. */
const slipSums = async () => {
  const url = `/api/office/slips?user=${buyer._id}`;
  return (await app.inject({ url, headers: admin.headers })).json<Slips>().slips.map(({ amountDue }) => amountDue);
};
const sumsMailed = async () => {
  await runJobs(shop.services);
  const mails = await mailsOf(shop.dataDir, buyer.email);
  return mails.flatMap(({ text }) => /Please have (£[\d.]+) ready for the driver/.exec(text ?? '')?.[1] ?? []).sort();
};

beforeEach(async () => {
  buyer = await aCustomer(db);
});

test('a piece that is added after the first parcel left changes only what the second driver collects (§20.8)', async () => {
  await place([aLine(lamp), aLine(stool)]);
  await send(0);
  expect(await shares()).toEqual([[6_750], 12_150]);
  await add(sofa._id);
  expect(await shares()).toEqual([[6_750], 67_250]);
  expect(await slipSums()).toEqual([67_250]);
  await send();
  expect(await shares()).toEqual([[6_750, 67_250], 0]);
  expect(await sumsMailed()).toEqual(['£67.50', '£672.50']);
});

test('of three parcels each later one makes up for the change, to the penny (§20.8)', async () => {
  await place([aLine(lamp), aLine(stool)]);
  await send(0);
  await add(sofa._id);
  await send(1);
  expect(await shares()).toEqual([[6_750, 7_250], 60_000]);
  await send();
  expect(await shares()).toEqual([[6_750, 7_250, 60_000], 0]);
});

test('one of two pieces is cancelled after the first parcel left: the second driver collects the rest', async () => {
  await place([aLine(lamp), aLine(stool, { qty: 2 })]);
  await send(0);
  const [[first = 0]] = (await shares()) as [number[], number];
  await cancel({ pieces: [{ line: 1, qty: 1 }] });
  await send();
  expect(await shares()).toEqual([[first, 18_900 - first], 0]);
});

test('the rest is cancelled after the first parcel left: what no driver collects is known until it is paid', async () => {
  await place([aLine(lamp), aLine(stool)]);
  await send(0);
  await cancel({ lines: [1] });
  expect(await read()).toMatchObject({ amountDue: 9_900, uncollected: 3_150, parcels: [{ amountDue: 6_750 }] });
  await record(true);
  expect(await shares()).toEqual([[0], 0]);
  await record(false);
  expect(await shares()).toEqual([[6_750], 3_150]);
});

test('what a driver collected too much is never asked back by a later parcel', async () => {
  await place([aLine(lamp), aLine(stool)]);
  await send(0);
  const sample = await aProduct(db, { price: 100 });
  for (const { _id } of [sofa, sample]) await add(_id);
  await cancel({ lines: [1, 2] });
  expect(await read()).toMatchObject({ amountDue: 5_100 });
  expect(await shares()).toEqual([[6_750], -1_650]);
  expect(await slipSums()).toEqual([0]);
  await send();
  expect(await shares()).toEqual([[6_750, 0], -1_650]);
});

test('a parcel that failed or never left counts no longer: what leaves again has the share of today, and its mail says a new one', async () => {
  await place([aLine(lamp), aLine(stool)]);
  const { parcels } = await send(0);
  expect(await sumsMailed()).toEqual(['£67.50']);
  await move('packing', parcels[0]?._id);
  await add(sofa._id);
  expect(await slipSums()).toEqual([74_000]);
  await send(0);
  expect(await shares()).toEqual([[5_000], 69_000]);
  expect(await sumsMailed()).toEqual(['£50.00', '£67.50']);
  await move('delivery_failed');
  expect(await shares()).toEqual([[0], 74_000]);
});

test('a parcel that left after cash was recorded collects nothing, also once that is taken back', async () => {
  await place([aLine(lamp), aLine(sofa)]);
  await send(0);
  await record(true);
  await send();
  await record(false);
  expect(await shares()).toEqual([[5_000, 0], 60_000]);
});

test('a driver collects nothing of an order that is not paid in cash: no slip, parcel or mail of it names a sum (§20.12)', async () => {
  await place([aLine(lamp), aLine(stool)], { paymentMethod: 'Online Payment', orderPaymentID: 'BACS 1' });
  expect(await shares()).toEqual([[], 0]);
  await send(0);
  // The print of many slips leaves it out until it is paid.
  expect([await shares(), await slipSums()]).toEqual([[[0], 0], []]);
  await send();
  expect(await read()).toMatchObject({ amountDue: 18_900, uncollected: 0, toReceive: 18_900 });
  expect([await shares(), await sumsMailed()]).toEqual([[[0, 0], 0], []]);
  const ofOrder = db.selectFrom('parcels').select('amountDue').where('orderId', '=', order._id);
  expect(await ofOrder.execute()).toEqual([{ amountDue: 0 }, { amountDue: 0 }]);
  // Of parcels of earlier versions a share was stored.
  await db.updateTable('parcels').set({ amountDue: 6_750 }).where('orderId', '=', order._id).execute();
  expect(await shares()).toEqual([[0, 0], 0]);
});

test('parcels of earlier versions, whose share was not stored, have the share of what is due', async () => {
  await place([aLine(lamp), aLine(stool)]);
  await send(0);
  await db.updateTable('parcels').set({ amountDue: null }).where('orderId', '=', order._id).execute();
  expect(await shares()).toEqual([[6_750], 12_150]);
  await cancel({ lines: [1] });
  expect(await shares()).toEqual([[9_900], 0]);
});
