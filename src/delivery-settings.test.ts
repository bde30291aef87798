import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Delivery } from '#contract/delivery/delivery.ts';
import type { DeliveryClass } from '#contract/delivery/delivery-classes.ts';
import { dayText } from '#contract/delivery/delivery-window.ts';
import type { Order, OrderList } from '#contract/orders/orders.ts';
import type { ShopSettings } from '#contract/settings/sections.schema.ts';
import type { SettingsSection } from '#contract/settings/settings.schema.ts';
import { runJobs } from '#server/app/jobs.ts';
import { giveUpCheckout } from '#server/orders/card.service.ts';
import { ADDRESS } from '#server/testing/address.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, stockOf } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { render } from '#web/entry-server.tsx';

type Section = ShopSettings['delivery'];

const shop = await testShop({ render, env: { STORE_MARKET: 'uk' } });
const { app, db } = shop;
const admin = await anAdmin(db);
const buyer = await aCustomer(db);
const lamp = await aProduct(db, { price: 10_000, stock: 100 });
const url = '/api/settings/delivery';

const method = {
  name: 'Standard delivery',
  price: 20,
  freeFrom: 300,
  minDays: 3,
  maxDays: 4,
  counted: 'working days',
  cutOffHour: 12,
  daysToChoose: null,
  takes: 'all pieces',
} as const;

/** Saves changes of the section, and returns what the call says. */
async function save(changes: Partial<Section>) {
  const { version, values } = (await app.inject({ url, headers: admin.headers })).json<SettingsSection>();
  return app.inject({ method: 'PUT', url, headers: admin.headers, payload: { version, values: { ...values, ...changes } } });
}
const page = async (path: string) => (await app.inject({ url: path })).body.replaceAll('\u00a0', ' ');
const options = async () => (await app.inject({ url: '/api/delivery' })).json<Delivery>().options;
const read = async (id: string, who = buyer) => (await app.inject({ url: `/api/orders/${id}`, headers: who.headers })).json<Order>();

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
    // Also a payment that comes late keeps no pieces.
    const before = await desk.stockOf(lamp._id);
    const late = await desk.checkout(await aCustomer(db), [aLine(lamp)], { postcode: 'LS1' });
    await giveUpCheckout(db, (await desk.orderOf(late.sessionId)).id, 'it took too long');
    await pay(late.url, { postal_code: 'IM1 1AA' });
    await runJobs(shop.services);
    expect([(await desk.orderOf(late.sessionId)).orderState, await desk.stockOf(lamp._id)]).toEqual(['refunded', before]);
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
    // The history outlives the erasure of the address.
    expect(JSON.stringify(elsewhere.events)).not.toContain('IV1');
    expect(elsewhere.events.find(({ kind }) => kind === 'paid')?.detail).toMatch(
      /another delivery area than the cart’s postcode, and delivery there costs £50\.00/,
    );
  });
});

describe('a day that the customer chooses', () => {
  const van = { ...method, name: 'Our own van', price: 75, freeFrom: null, minDays: 1, maxDays: 1 };
  const allowed = {
    methods: [{ ...method, daysToChoose: 5 }, van],
    areas: [{ postcodes: 'HS', surcharge: 0, extraDays: 40, without: '', refusal: '' }],
  };
  const daysFor = async (postcode: string) => (await app.inject({ url: `/api/delivery?postcode=${postcode}` })).json<Delivery>().options[0];
  const payload = (fields: object) => aPayload([aLine(lamp)], { phone: '07700 900123', ...fields });
  const place = (fields: object, headers: object = buyer.headers) =>
    app.inject({ method: 'POST', url: '/api/orders', headers: { ...headers }, payload: payload(fields) });
  const at = (postalCode: string) => ({ shippingAddress: { ...ADDRESS, postalCode } });
  beforeAll(async () => {
    expect((await options())[0]?.days).toEqual([]);
    expect((await save(allowed)).statusCode).toBe(200);
  });

  test('one of the days from the last promised one on, by its method and place, is kept on the order, in mails, lists and the CSV (§23.7)', async () => {
    const there = await daysFor('EH1 1YZ');
    expect(there?.days).toHaveLength(5);
    expect(there?.days[0]).toBe(there?.windows.scotland.to);
    expect((await options())[1]?.days).toEqual([]);
    const day = there?.days[3] ?? '';
    const placed = await order({ ...at('EH1 1YZ'), deliveryDay: day });
    expect(await read(placed._id)).toMatchObject({ isDayChosen: true, deliveryWindow: { from: day, to: day } });
    await runJobs(shop.services);
    const mail = (await mailsOf(shop.dataDir, buyer.email)).find(({ text }) => text?.includes(placed.reference));
    expect(mail?.text).toContain(`${dayText(day)}, the day that you chose`);
    const inOffice = async (path: string) => (await app.inject({ url: path, headers: admin.headers })).body;
    const query = `search=${placed.reference}`;
    expect(await inOffice(`/api/orders/export?${query}`)).toContain(`,${day},`);
    expect(JSON.parse(await inOffice(`/api/office/slips?${query}`)).slips).toMatchObject([
      { isDayChosen: true, deliveryWindow: { to: day } },
    ]);
    // It is late once its day has passed.
    await sql`update orders set delivery_from = current_date - 1, delivery_to = current_date - 1 where id = ${placed._id}`.execute(db);
    expect(JSON.parse(await inOffice(`/api/orders?queue=late&${query}`)).orders).toHaveLength(1);
  });

  test('a day that is not possible is refused in words, stores nothing, and the same order without it goes through', async () => {
    const first = (await daysFor('LS1 4AP'))?.days[0] ?? '';
    const before = await stockOf(db, lamp._id);
    const weekend = new Date(Date.parse(first) + ((6 - new Date(first).getUTCDay()) % 7) * 86_400_000).toISOString().slice(0, 10);
    const today = new Date().toISOString().slice(0, 10);
    const wrong = [
      { deliveryDay: today },
      { deliveryDay: weekend },
      { deliveryDay: first, shippingMethod: 'our-own-van' },
      { deliveryDay: first, ...at('HS1 2AA') },
    ];
    for (const fields of wrong) {
      const reply = await place({ ...at('LS1 4AP'), ...fields });
      expect([reply.statusCode, reply.json()]).toMatchObject([
        409,
        { errors: { deliveryDay: expect.stringContaining('We can no longer deliver on') } },
      ]);
    }
    expect((await place({ ...at('LS1 4AP'), deliveryDay: '2026-02-30' })).statusCode).toBe(400);
    expect(await stockOf(db, lamp._id)).toBe(before);
    const key = { ...buyer.headers, 'idempotency-key': 'a-day-and-none' };
    expect((await place(at('LS1 4AP'), key)).statusCode).toBe(201);
    expect((await place({ ...at('LS1 4AP'), deliveryDay: first }, key)).statusCode).toBe(409);
  });

  test('a card order keeps its day where the address allows it; where it does not, the office and the customer are told', async () => {
    const desk = cardDesk(shop);
    const payer = await aCustomer(db);
    const day = (await daysFor('LS1 4AP'))?.days[1] ?? '';
    const paid = async (postalCode: string) => {
      const { reply, url: pageUrl, sessionId } = await desk.checkout(payer, [aLine(lamp)], { postcode: 'LS1 4AP', deliveryDay: day });
      expect(reply.statusCode, reply.body).toBe(200);
      const page = (await (await fetch(pageUrl)).text()).replaceAll('\u00a0', ' ');
      expect(page).toContain(`Standard delivery on ${dayText(day).replaceAll('\u00a0', ' ')}`);
      await pay(pageUrl, { postal_code: postalCode });
      return read((await desk.orderOf(sessionId)).id, admin);
    };
    expect(await paid('EH1 1YZ')).toMatchObject({ isDayChosen: true, deliveryWindow: { from: day, to: day } });
    const lost = await paid('HS1 2AA');
    expect(lost).toMatchObject({ isDayChosen: false, deliveryWindow: (await daysFor('HS1'))?.windows.scotland });
    expect(lost.events.find(({ kind }) => kind === 'paid')?.detail).toContain(
      `the chosen day, ${dayText(day)}, is not possible for this address`,
    );
    await runJobs(shop.services);
    const mail = (await mailsOf(shop.dataDir, payer.email)).find(({ text }) => text?.includes(lost.reference));
    expect(mail?.text).toContain(`You chose ${dayText(day)}. We cannot deliver to your address on that day`);
  });

  test('once the owner allows no days any more, an order for one is refused', async () => {
    const day = (await daysFor('LS1 4AP'))?.days[0] ?? '';
    await save({ methods: [method], areas: [] });
    expect((await place({ deliveryDay: day })).statusCode).toBe(409);
  });
});

describe('methods that do not take all pieces', () => {
  const letter = { ...method, name: 'Letter post', price: 1.5, freeFrom: null, takes: 'small pieces' } as const;
  const parcel = { ...method, name: 'Parcel', price: 8, freeFrom: null, takes: 'parcels and small pieces' } as const;
  const pieceOf = (deliveryClass: DeliveryClass) => aProduct(db, { price: 5_000, deliveryClass, images: ['/images/x.jpg'] });
  const pieces = async () => ({ swatch: await pieceOf('small'), stool: await pieceOf('by size'), sofa: await pieceOf('two-person') });
  beforeAll(async () => {
    expect((await save({ methods: [letter, parcel, method], areas: [] })).statusCode).toBe(200);
  });

  test('an order goes by the first that takes all of its pieces, and no wish moves a sofa into a letter box (§9.9)', async () => {
    const { swatch, stool, sofa } = await pieces();
    const placed = async (...ordered: { _id: string }[]) => {
      const { shippingMethod, shippingPrice } = await order({
        ...aPayload(
          ordered.map((piece) => aLine(piece as typeof swatch)),
          { phone: '07700 900123' },
        ),
        shippingMethod: '',
      });
      return [shippingMethod, shippingPrice];
    };
    expect(await placed(swatch)).toEqual(['letter-post', 150]);
    expect(await placed(swatch, stool)).toEqual(['parcel', 800]);
    expect(await placed(swatch, stool, sofa)).toEqual(['standard', 2_000]);
    const lines = { orderItems: [aLine(sofa)] };
    expect(await order({ ...lines, shippingMethod: 'letter-post' })).toMatchObject({ shippingMethod: 'standard', shippingPrice: 2_000 });
    expect(await order({ orderItems: [aLine(swatch)], shippingMethod: 'standard' })).toMatchObject({ shippingPrice: 2_000 });
  });

  test('the payment page offers the methods that take the cart', async () => {
    const { stool } = await pieces();
    const { url: pageUrl } = await cardDesk(shop).checkout(await aCustomer(db), [aLine(stool)]);
    const text = await (await fetch(pageUrl)).text();
    expect(text).toContain('Parcel');
    expect(text).not.toContain('Letter post');
  });

  test('calls and pages name the methods of a product', async () => {
    const { swatch, sofa } = await pieces();
    const ask = async (...ids: string[]) => (await app.inject({ url: `/api/delivery?products=${ids}` })).json<Delivery>();
    expect([(await ask()).load, (await ask(swatch._id)).load, (await ask(swatch._id, sofa._id)).load]).toEqual([
      null,
      'small',
      'two-person',
    ]);
    expect((await ask(swatch._id, sofa._id)).options.map(({ id }) => id)).toEqual(['standard']);
    const offers = async (id: string) => [...(await page(`/product/${id}`)).matchAll(/"shippingLabel":"([^"]*)"/g)].map(([, name]) => name);
    expect(await offers(swatch._id)).toEqual(['Letter post', 'Parcel', 'Standard delivery']);
    expect(await offers(sofa._id)).toEqual(['Standard delivery']);
    expect(await page(`/product/${sofa._id}`)).toContain('Letter post for small pieces in 3-4 business days, £1.50');
    const feed = (await app.inject({ url: '/api/feed.xml' })).body;
    const item = feed.split('<item>').find((one) => one.includes(sofa._id));
    expect(item).toContain('Standard delivery');
    expect(item).not.toContain('Letter post');
  });

  test('each place needs a method that takes all pieces', async () => {
    expect((await save({ methods: [letter, parcel] })).json()).toMatchObject({
      errors: { 'methods.0.takes': 'One method must take all pieces' },
    });
    const area = { postcodes: 'HS', surcharge: 0, extraDays: 0, without: 'Standard delivery', refusal: '' };
    expect((await save({ areas: [area] })).json()).toMatchObject({
      errors: { 'areas.0.without': 'No method that takes all pieces is left: keep one, or say that you do not deliver there' },
    });
  });

  test('settings from before take all pieces', async () => {
    const { takes: _, ...before } = method;
    expect((await save({ methods: [before as typeof method], areas: [] })).statusCode).toBe(200);
    expect((await app.inject({ url, headers: admin.headers })).json<SettingsSection>().values).toMatchObject({
      methods: [{ takes: 'all pieces' }],
    });
  });
});

test('a tariff without any method is refused in words, and the shop keeps what it has', async () => {
  const reply = await save({ methods: [] });
  expect(reply.json()).toMatchObject({ errors: { methods: 'Nobody could be sent anything: add a method' } });
  expect(await options()).not.toEqual([]);
});
