import { expect, test } from 'vitest';
import type { Delivery } from '#contract/delivery/delivery.ts';
import type { DeliveryMethod } from '#contract/delivery/methods.ts';
import type { Order, OrderList } from '#contract/orders/orders.ts';
import { ADDRESS } from '#server/testing/address.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { promiseAgain } from './promised-window.ts';

const shop = await testShop({ env: { STORE_MARKET: 'uk' } });
const { app, db, services } = shop;
const lamp = await aProduct(db);
const buyer = await aCustomer(db);
const { headers } = buyer;
const promised = async () => (await app.inject({ url: '/api/delivery' })).json<Delivery>().options;
const standard = async () => (await promised()).find(({ id }) => id === 'standard')?.windows;

test.each([
  ['LS1 4AP', 'standard', 'england-and-wales'],
  ['EH1 1YZ', 'standard', 'scotland'],
  ['BT1 5GS', 'express', 'northern-ireland'],
] as const)('an order to %s by %s delivery keeps the days that were promised there (§3.7)', async (postalCode, shippingMethod, nation) => {
  const payload = aPayload([aLine(lamp)], { shippingMethod, shippingAddress: { ...ADDRESS, postalCode } });
  const { _id, deliveryWindow } = (await app.inject({ method: 'POST', url: '/api/orders', headers, payload })).json<Order>();
  expect(deliveryWindow).toEqual((await promised()).find(({ id }) => id === shippingMethod)?.windows[nation]);
  // What was promised stays, however long ago that was.
  await db.updateTable('orders').set({ createdAt: '2026-01-05T10:00:00Z' }).where('id', '=', _id).execute();
  expect((await app.inject({ url: `/api/orders/${_id}`, headers })).json<Order>().deliveryWindow).toEqual(deliveryWindow);
});

test('a card order arrives on the days of the address that was given on the payment page (§3.7)', async () => {
  const desk = cardDesk(shop);
  const payer = await aCustomer(db);
  const { url } = await desk.checkout(payer, [aLine(lamp)]);
  await pay(url, { postal_code: 'BT1 5GS' });
  const { orders } = (await app.inject({ url: '/api/orders/myorders', headers: payer.headers })).json<OrderList>();
  expect(orders.map(({ deliveryWindow }) => deliveryWindow)).toEqual([(await standard())?.['northern-ireland']]);
});

test('a chosen day is lost once the shop is closed for so long that it can promise no day', () => {
  const method: DeliveryMethod = {
    id: 'standard',
    label: 'Standard',
    price: 0,
    freeFrom: null,
    unit: 'business_day',
    minDays: 1,
    maxDays: 2,
    cutOffHour: 14,
    daysToChoose: 10,
  };
  const delivery = { ...services.config.delivery, calendar: [{ from: '2027-01-18', to: '2028-12-31', what: 'closed' as const, note: '' }] };
  const order = { createdAt: '2027-01-04T10:00:00Z', readyAt: null, isDayChosen: true, deliveryFrom: '2027-01-15' };
  const again = (dispatch: string) => promiseAgain({ delivery }, order, dispatch, method, { postalCode: 'LS1 4AP', country: 'GB' });
  expect(again('2027-01-05T10:00:00Z')).toEqual({ deliveryFrom: '2027-01-15', deliveryTo: '2027-01-15', isDayChosen: true });
  expect(again('2027-01-14T16:00:00Z')).toEqual({ deliveryFrom: null, deliveryTo: null, isDayChosen: false, lostDay: '2027-01-15' });
});

test('an order waits for the last of its pieces, and so do the days that are promised for it', async () => {
  const sofa = await aProduct(db, { leadWeeks: 6 });
  const ask = async (...ids: string[]) => (await app.inject({ url: `/api/delivery?products=${ids.join()}` })).json<Delivery>();
  const days = await ask(lamp._id, sofa._id, 'nonsense');
  const sixWeeks = new Date(Date.now() + 42 * 86_400_000).toISOString().slice(0, 10);
  const leaves = days.leaves ?? '';
  expect(leaves >= sixWeeks).toBe(true);
  const window = days.options.find(({ id }) => id === 'standard')?.windows['england-and-wales'];
  expect(window && window.from > leaves).toBe(true);
  expect((await ask(lamp._id)).leaves).toBeNull();
  const payload = aPayload([aLine(lamp), aLine(sofa)], {
    shippingMethod: 'standard',
    shippingAddress: { ...ADDRESS, postalCode: 'LS1 4AP' },
  });
  const placed = (await app.inject({ method: 'POST', url: '/api/orders', headers, payload })).json<Order>();
  expect(placed.deliveryWindow).toEqual(window);
});

test('a card order keeps the weeks that its pieces took when it was placed', async () => {
  const desk = cardDesk(shop);
  const payer = await aCustomer(db);
  const sofa = await aProduct(db, { readyFrom: new Date(Date.now() + 30 * 86_400_000).toISOString() });
  const { url } = await desk.checkout(payer, [aLine(sofa)]);
  const promise = (await app.inject({ url: `/api/delivery?products=${sofa._id}` })).json<Delivery>();
  await db.updateTable('products').set({ readyFrom: null }).where('id', '=', sofa._id).execute();
  await pay(url, { postal_code: 'LS1 4AP' });
  const { orders } = (await app.inject({ url: '/api/orders/myorders', headers: payer.headers })).json<OrderList>();
  expect(orders.map(({ deliveryWindow }) => deliveryWindow)).toEqual([
    promise.options.find(({ id }) => id === 'standard')?.windows['england-and-wales'],
  ]);
});
