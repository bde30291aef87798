import { createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import type { Call } from '#contract/api.ts';
import type { MarketName } from '#contract/market/market.ts';
import type { Order } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { readConfig } from '#server/platform/settings/config.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { type TestShop, testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { App } from '#web/app/app.tsx';
import { render } from '#web/entry-server.tsx';
import { Invoices } from '#web/parts/invoices/invoices.tsx';
import { CancelOrder } from '#web/shop/orders/cancel-order.tsx';
import { Refunds } from '#web/shop/orders/refunds.tsx';
import { Returns } from '#web/shop/orders/returns.tsx';
import { OrderHelp, WhatNext } from '#web/shop/orders/what-next.tsx';
import { makeStore } from '#web/state/store.ts';

const POLICIES = ['/legal', '/refund-policy', '/shipping-policy', '/contact'];

/** The words of a page, an element to a line unless it is part of a sentence. */
const wordsOf = (html: string): string =>
  html
    .replace(/<(script|style)\b.*?<\/\1>/gs, '')
    .replace(/<!--.*?-->/g, '')
    .replace(/<\/?(a|strong|em|span|time)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, '\n')
    .replaceAll('&amp;', '&')
    .replaceAll('&#x27;', "'")
    .replace(/[\u00a0\u2009]/g, ' ');

const page = async (shop: TestShop, url: string) => wordsOf((await shop.app.inject({ url })).body);

/** What the screen of an order says beside the lines and sums that the specification writes. */
function orderScreen(order: Order, market: MarketName): string {
  const parts: ReactNode[] = [WhatNext, CancelOrder, Returns, Refunds, OrderHelp].map((Part) =>
    createElement(Part as (props: { order: Order; reference: string }) => ReactNode, { key: Part.name, order, reference: order.reference }),
  );
  const invoices = createElement(Invoices, { key: 'invoices', order, whyNone: '' });
  const screen = createElement(MemoryRouter, null, ...parts, invoices);
  const store = makeStore((async () => ({})) as Call);
  const props = {
    store,
    shop: { market, company: readConfig({}).company, delivery: { methods: [], promise: '', variesByPlace: false }, origin: '' },
    children: screen,
  };
  return wordsOf(renderToStaticMarkup(createElement(App, props)));
}

interface Told {
  /** The words of each policy, by its address. */
  policies: Record<string, string>;
  /** What screens, mails and pages said in each state of an order that its customer sees. */
  all: string[];
}
const told = new Map<string, Promise<Told>>();

/** What a shop with these settings says, which is asked of it once. */
function toldBy(env: Record<string, string>): Promise<Told> {
  const key = JSON.stringify(env);
  const known = told.get(key) ?? testShop({ render, env }).then(ask);
  told.set(key, known);
  return known;
}

async function ask(shop: TestShop): Promise<Told> {
  const policies: Record<string, string> = {};
  for (const url of POLICIES) policies[url] = await page(shop, url);
  return { policies, all: await everyState(shop) };
}

/** Takes orders of a shop through every state that their customers see; returns what the screens and the mails said. */
async function everyState(shop: TestShop): Promise<string[]> {
  const { app, db, services } = shop;
  const [buyer, admin] = [await aCustomer(db), await anAdmin(db)];
  const sides = [
    { name: 'Width', value: '168' },
    { name: 'Depth', value: '74' },
    { name: 'Height', value: '70' },
  ];
  const sofa = await aProduct(db, { name: 'Fjord Sofa', price: 60_000, sizes: [{ size: 'Two-seat', measurements: sides }] });
  const lamp = await aProduct(db, { name: 'Oslo Lamp', price: 2_500 });
  const said: string[] = [];
  const call = async (who: SignedIn, method: 'POST' | 'PUT', url: string, payload: object): Promise<Order> => {
    const reply = await app.inject({ method, url, headers: who.headers, payload });
    expect(reply.statusCode, reply.body).toBeLessThan(300);
    const order = reply.json<Order>();
    said.push(orderScreen(order, services.config.market.name));
    return order;
  };
  const place = () => {
    const lines = [aLine(sofa, { size: 'Two-seat' }), aLine(lamp, { qty: 2 })];
    return call(buyer, 'POST', '/api/orders', aPayload(lines, { phone: '07700 900123' }));
  };
  const ask = (id: string, line: number) =>
    call(buyer, 'POST', `/api/orders/${id}/returns`, { lines: [{ line, qty: 1 }], reason: 'I changed my mind' });
  const first = await place();
  for (const stage of ['packing', 'dispatched', 'delivery_failed', 'dispatched'])
    await call(admin, 'PUT', `/api/orders/${first._id}/stage`, { stage });
  await call(admin, 'PUT', `/api/orders/${first._id}/cash`, { isPaid: true });
  await call(admin, 'PUT', `/api/orders/${first._id}/deliver`, { isDelivered: true });
  for (const line of [0, 1]) {
    const asked = await ask(first._id, line);
    const id = asked.returns.at(-1)?._id;
    await call(admin, 'POST', `/api/office/returns/${id}/judge`, { isApproved: true });
    await call(admin, 'POST', `/api/office/returns/${id}/received`, { lines: [{ line, restocked: 1, spoiled: 0 }] });
  }
  const second = await place();
  const why = { reason: 'I changed my mind' };
  await call(buyer, 'POST', `/api/orders/${second._id}/cancel`, { ...why, lines: [1] });
  await call(buyer, 'POST', `/api/orders/${second._id}/cancel`, why);
  await runJobs(services);
  const mails = await mailsOf(shop.dataDir, buyer.email);
  expect(mails.length).toBeGreaterThan(8);
  const pages = [...POLICIES, `/product/${sofa._id}`, `/product/${lamp._id}`, '/', '/shop', '/cart', '/checkout', '/successPayment'];
  for (const url of pages) said.push(await page(shop, url));
  return [...said, ...mails.map(({ text = '' }) => text)];
}

/** A time that may stand in a sentence about cancelling, returning or refunding, and what has to stand in it or behind it. */
const TIMES: [time: string, sentence: RegExp, next?: RegExp][] = [
  ['1-2 hours', /^Please request a cancellation/, /until we start to pack it/],
  ['2-3 days', /^Please request a refund/, /for 14 days from the day of delivery you can return any piece/],
  ['14 days', /./],
  ['5-10 business days', /refund|arrive|takes/i],
  ['30 days', /reject/i],
  ['6 years', /invoices/],
];
const ABOUT = /cancel|change (your|their) mind|return|refund|back\b|reject/i;
const TIME = /\b(\d+(?:-\d+)?) (?:more )?((?:business |working )?(?:hours?|days?|weeks?|months?|years?))\b/g;

/** What sentences say of cancelling and returning that the shop's rule does not. */
function contradictions(text: string): string[] {
  const sentences = text
    .replace(/[^\S\n]+/g, ' ')
    .split(/(?<=[.?!])\s+|\n+/)
    .map((one) => one.trim())
    .filter(Boolean);
  return sentences.filter((sentence, index) => {
    if (!ABOUT.test(sentence)) return false;
    const next = sentences[index + 1] ?? '';
    const wrongTime = [...sentence.matchAll(TIME)].some(([, figure, unit]) => {
      const known = TIMES.find(([time, where]) => time === `${figure} ${unit}` && where.test(sentence));
      return !known || (known[2] && ![sentence, next].some((one) => known[2]?.test(one)));
    });
    const isLimit = /\bcan(not)? (still |only )?(cancel|be cancelled)|\bcancel\b.*\b(before|until|within)\b/i.test(sentence);
    return wrongTime || (isLimit && !/until we start to pack/.test(sentence));
  });
}

test('cancelling has one limit and returning one in every page, screen and mail, whatever the specification’s own figures say before (§9.7)', async () => {
  for (const market of ['classic', 'uk']) {
    const { all: said } = await toldBy({ STORE_MARKET: market });
    expect(said.flatMap(contradictions)).toEqual([]);
    const all = said.join('\n');
    for (const words of [
      /1-2 hours/,
      /2-3 days of delivery/,
      /You can cancel on your order page until we start to pack it\./,
      /5-10 business days/,
    ])
      expect(all).toMatch(words);
    expect(all).not.toMatch(/another address|on the parcel.*Fjord/);
  }
});

test('the rule finds a limit of its own, and figures that no sentence follows', () => {
  for (const wrong of [
    'To cancel, open your order, or write to us within 1-2 hours.',
    'You can cancel an order until it is dispatched.',
    'You can return it within 28 days.',
    'Please request a cancellation within 1-2 hours of placing the order. Thank you.',
    'Please request a refund within 2-3 days of delivery. Your rights last longer.',
  ])
    expect(contradictions(wrong)).toHaveLength(1);
});

test('whether prices include VAT is one setting: terms, footer, mails and invoices agree, and the demo’s number is made up (§22.2)', async () => {
  const registered = await toldBy({ STORE_MARKET: 'classic' });
  expect(registered.policies['/legal']).toMatch(/Prices are in pounds sterling and include VAT\./);
  const all = registered.all.join('\n');
  for (const words of ['VAT number GB000000000', 'VAT at 20%', 'VAT invoice INV-']) expect(all).toContain(words);
  expect(all).not.toMatch(/No VAT is charged|not registered/);
  const unregistered = await toldBy({ VAT_NUMBER: '' });
  expect(unregistered.policies['/legal']).toMatch(/Prices are in pounds sterling\. We are not registered for VAT, so none is charged\./);
  expect(unregistered.all.join('\n')).toContain('No VAT is charged.');
  expect(unregistered.all.join('\n')).not.toMatch(/includes? VAT|VAT number|VAT at|VAT invoice/);
});

test('in classic everything that says what to hand over or transfer is in pounds (§9.3)', async () => {
  const { all: said } = await toldBy({ STORE_MARKET: 'classic' });
  expect(said.filter((text) => text.includes('$'))).toEqual([]);
  expect(said.join('\n')).toContain('Please have £650.00 ready in cash for the driver.');
});

test('the shipping policy keeps the specified prices, and in classic says that nobody is charged them (§9.7)', async () => {
  const of = async (market: string) => (await toldBy({ STORE_MARKET: market })).policies['/shipping-policy'] ?? '';
  for (const text of [await of('classic'), await of('uk')])
    expect(text.replace(/\s+/g, ' ')).toMatch(/£500 or more 5-7 business days Free .* 5-7 business days £49 Express 2-3 days £99/);
  expect(await of('classic')).toMatch(/£99\s+Delivery is free on every order at the moment\. We charge none of the prices above/);
  expect(await of('uk')).not.toContain('free on every order');
});

test('a large piece is collected free of charge; one that can be posted goes to the returns address, or to what is said to be the registered office (§20.9)', async () => {
  const mails = async (env: Record<string, string>) => {
    const { all } = await toldBy(env);
    return all.filter((text) => text.includes('We have approved the return of'));
  };
  const [sofa, lamp] = await mails({ STORE_MARKET: 'classic' });
  expect(sofa).toMatch(/Fjord Sofa.*\s+We will collect it from you, free of charge\. Please call or email us to agree a day\./);
  expect(sofa).not.toMatch(/parcel|Tannery Yard.*reference/);
  expect(lamp).toMatch(
    /to our registered office, Hearth & Oak Ltd, 14 Tannery Yard, Leeds LS10 1AB, with the reference .* on the parcel\./,
  );
  const [, posted] = await mails({ RETURNS_ADDRESS: 'Returns, Unit 4, Mill Lane, Leeds LS9 8AA' });
  expect(posted).toMatch(/to Returns, Unit 4, Mill Lane, Leeds LS9 8AA, with the reference/);
});
