import { beforeAll, describe, expect, test } from 'vitest';
import type { Delivery } from '#contract/delivery/delivery.ts';
import type { Order, OrderList } from '#contract/orders/orders.ts';
import type { ShopSettings } from '#contract/settings/sections.schema.ts';
import type { SettingsSection } from '#contract/settings/settings.schema.ts';
import { runJobs } from '#server/app/jobs.ts';
import { ADDRESS } from '#server/testing/address.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { render } from '#web/entry-server.tsx';

type Section = ShopSettings['delivery'];

const shop = await testShop({ render, env: { STORE_MARKET: 'uk' } });
const { app, db } = shop;
const admin = await anAdmin(db);
const buyer = await aCustomer(db);
const lamp = await aProduct(db, { price: 10_000 });
const url = '/api/settings/delivery';

const method = {
  name: 'Standard delivery',
  price: 20,
  freeFrom: 300,
  minDays: 3,
  maxDays: 4,
  counted: 'working days',
  cutOffHour: 12,
} as const;

/** Saves changes of the section, and returns what the call says. */
async function save(changes: Partial<Section>) {
  const { version, values } = (await app.inject({ url, headers: admin.headers })).json<SettingsSection>();
  return app.inject({ method: 'PUT', url, headers: admin.headers, payload: { version, values: { ...values, ...changes } } });
}
const page = async (path: string) => (await app.inject({ url: path })).body.replaceAll('\u00a0', ' ');
const options = async () => (await app.inject({ url: '/api/delivery' })).json<Delivery>().options;
const read = async (id: string) => (await app.inject({ url: `/api/orders/${id}`, headers: buyer.headers })).json<Order>();

async function order(fields: object = {}): Promise<Order> {
  const payload = aPayload([aLine(lamp)], { phone: '07700 900123', ...fields });
  const reply = await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload });
  expect(reply.statusCode, reply.body).toBe(201);
  return reply.json<Order>();
}

test('methods that the owner saves count at once on pages that were cached, in calls and orders; an order keeps what it was promised', async () => {
  const product = `/product/${lamp._id}`;
  expect(await page(product)).toContain('Free standard delivery from £500');
  const before = await order({ shippingMethod: 'express' });
  expect(before).toMatchObject({ shippingPrice: 9_900, shippingLabel: 'Express delivery' });
  const payer = await aCustomer(db);
  const desk = cardDesk(shop);
  const session = await desk.checkout(payer, [aLine(lamp)]);

  const van = { ...method, name: 'Our own van', price: 75, freeFrom: null, minDays: 1, maxDays: 1 };
  expect((await save({ methods: [method, van] })).statusCode).toBe(200);
  expect(await page(product)).toContain(
    'Free standard delivery from £300 (3-4 business days), £20 below. Our own van in 1 business day, £75.',
  );
  expect((await page('/shipping-policy')).replace(/<[^>]*>/g, ' ')).toMatch(/Standard, orders of £300 or more\s+3-4 business days\s+Free/);
  expect((await options()).map(({ id }) => id)).toEqual(['standard', 'our-own-van']);
  expect(await order({ shippingMethod: 'our-own-van' })).toMatchObject({ shippingPrice: 7_500, shippingLabel: 'Our own van' });
  expect(await order({ shippingMethod: 'express' })).toMatchObject({ shippingPrice: 2_000, shippingMethod: 'standard' });

  expect(await read(before._id)).toMatchObject({
    shippingPrice: 9_900,
    shippingLabel: 'Express delivery',
    deliveryWindow: before.deliveryWindow,
  });
  await pay(session.url);
  const { orders } = (await app.inject({ url: '/api/orders/myorders', headers: payer.headers })).json<OrderList>();
  expect(orders).toMatchObject([{ shippingPrice: 4_900, shippingLabel: 'Standard delivery' }]);
});

test('days on which the shop is closed move the days that are promised, and a notice stands on every page', async () => {
  const [now] = await options();
  const today = new Date().toISOString().slice(0, 10);
  const last = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  const text = 'We move house, so we are closed.';
  await save({ calendar: [{ from: today, to: last, what: 'closed', note: '' }], notices: [{ from: today, to: last, text }] });
  const [later] = await options();
  expect(now?.windows.scotland.from.localeCompare(last)).toBe(-1);
  expect(later?.windows.scotland.from.localeCompare(last)).toBe(1);
  for (const path of ['/', '/cart', '/contact']) expect(await page(path)).toContain('We move house, so we are closed.');
  await save({ calendar: [], notices: [] });
  expect(await page('/')).not.toContain('We move house');
});

describe('areas', () => {
  const methods = [method, { ...method, name: 'Express delivery', price: 60, freeFrom: null }];
  const highlands = { postcodes: 'IV, HS, KW15-17', surcharge: 30, extraDays: 5, without: 'Express delivery', refusal: '' };
  const isle = { postcodes: 'IM', surcharge: 0, extraDays: 0, without: '', refusal: 'We do not ship to the Isle of Man. Please call us.' };
  const at = (postalCode: string) => ({ shippingAddress: { ...ADDRESS, postalCode } });
  const ask = async (postcode: string) => (await app.inject({ url: `/api/delivery?postcode=${postcode}` })).json<Delivery>();
  beforeAll(async () => {
    expect((await save({ methods, areas: [highlands, isle] })).statusCode).toBe(200);
  });

  test('a postcode has the surcharge, the days and the methods of its area; the rest of the country has none of them', async () => {
    const [there, here] = [await ask('IV1'), await ask('LS1 4AP')];
    expect(there).toMatchObject({ nation: 'scotland', area: { surcharge: 3_000, extraDays: 5 }, most: { surcharge: 3_000, extraDays: 5 } });
    expect([there, here].map(({ options: all }) => all.map(({ id }) => id))).toEqual([['standard'], ['standard', 'express']]);
    expect(here.area).toBeNull();
    const [near, far] = [await order(at('LS1 4AP')), await order({ ...at('IV1 1AA'), shippingMethod: 'express' })];
    expect([near.shippingPrice, far.shippingPrice, far.shippingMethod]).toEqual([2_000, 5_000, 'standard']);
    expect(far.deliveryWindow).toEqual(there.options[0]?.windows.scotland);
    expect(near.deliveryWindow?.from.localeCompare(far.deliveryWindow?.from ?? '')).toBe(-1);
    expect((await app.inject({ url: '/api/delivery?postcode=nowhere' })).json()).toMatchObject({
      errors: { postcode: 'Enter a UK postcode, such as IV1 1AA' },
    });
  });

  test('where nothing is delivered, an order is refused in the owner’s words, and one paid by card is paid back', async () => {
    const payload = aPayload([aLine(lamp)], { phone: '07700 900123', ...at('IM1 1AA') });
    const refused = await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload });
    expect([refused.statusCode, refused.json()]).toMatchObject([400, { errors: { 'shippingAddress.postalCode': isle.refusal } }]);
    const desk = cardDesk(shop);
    const payer = await aCustomer(db);
    const session = await desk.checkout(payer, [aLine(lamp)], { postcode: 'LS1' });
    await pay(session.url, { postal_code: 'IM1 1AA' });
    await runJobs(shop.services);
    const [mail] = await mailsOf(shop.dataDir, payer.email);
    expect(mail?.text).toContain('we do not deliver to the address that you gave');
  });

  test('a card checkout asks for the postcode first; one for another address keeps its price and says so to the office', async () => {
    const payer = await aCustomer(db);
    const body = { orderItems: [aLine(lamp)] };
    const reply = await app.inject({ method: 'POST', url: '/stripe/create-checkout-session', headers: payer.headers, payload: body });
    expect(reply.json()).toMatchObject({ errors: { postcode: 'Enter your postcode first: the price of delivery depends on it.' } });
    const desk = cardDesk(shop);
    const paid = async (postcode: string) => {
      const { url: pageUrl, sessionId } = await desk.checkout(payer, [aLine(lamp)], { postcode });
      await pay(pageUrl, { postal_code: 'IV1 1AA' });
      return (await app.inject({ url: `/api/orders/${(await desk.orderOf(sessionId))?.id}`, headers: admin.headers })).json<Order>();
    };
    expect(await paid('IV1')).toMatchObject({ shippingPrice: 5_000 });
    const elsewhere = await paid('LS1 4AP');
    expect(elsewhere).toMatchObject({ shippingPrice: 2_000 });
    expect(elsewhere.deliveryWindow).toEqual((await ask('IV1')).options[0]?.windows.scotland);
    expect(elsewhere.events.find(({ kind }) => kind === 'paid')?.detail).toMatch(
      /another area than the postcode of the cart, and delivery there costs £50\.00/,
    );
  });
});

test('a tariff without any method is refused in words, and the shop keeps what it has', async () => {
  const reply = await save({ methods: [] });
  expect(reply.json()).toMatchObject({ errors: { methods: 'Nobody could be sent anything: add a method' } });
  expect(await options()).not.toEqual([]);
});
