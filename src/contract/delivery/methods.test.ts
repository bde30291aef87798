import { expect, test } from 'vitest';
import { defaultDelivery, deliveryOf } from './delivery-settings.ts';
import { promiseOf, tariffOf } from './delivery-texts.ts';
import { type DeliveryMethod, daysText, methodIdOf, methodOf, methodsFor } from './methods.ts';
import { missingToFree } from './missing-to-free.ts';

const [classic, uk] = (['classic', 'uk'] as const).map((market) => deliveryOf(defaultDelivery(market, 14)).methods) as [
  DeliveryMethod[],
  DeliveryMethod[],
];

test('in classic everything is sent free of charge', () => expect(methodsFor(classic, 1_000).map(({ price }) => price)).toEqual([0]));

test.each([
  [49_999, [4_900, 9_900]],
  [50_000, [0, 9_900]],
  [50_001, [0, 9_900]],
])('in uk an order of %i pence is sent for one of %j (§10.4)', (subtotal, prices) => {
  expect(methodsFor(uk, subtotal).map(({ price }) => price)).toEqual(prices);
});

test.each([
  ['classic: it is free already', classic, 45_800, undefined],
  ['an empty cart', uk, 0, undefined],
  ['uk', uk, 45_800, 4_200],
  ['uk, from £500', uk, 50_000, undefined],
  ['no method is ever free', uk.slice(1), 45_800, undefined],
  ['one is free already', [{ ...uk[0], id: 'shop', price: 0 } as DeliveryMethod, ...uk], 45_800, undefined],
])('what is missing to free delivery: %s (§19.5)', (_, methods, subtotal, missing) => {
  expect(missingToFree(methods, subtotal)).toBe(missing);
});

test('nothing is missing to free delivery where an area costs more, has no such method, or nothing is delivered', () => {
  const area = { surcharge: 0, extraDays: 2, without: [], refusal: '' };
  expect(missingToFree(uk, 45_800, area)).toBe(4_200);
  for (const other of [{ surcharge: 3_000 }, { without: ['standard'] }, { refusal: 'Ask us first.' }])
    expect(missingToFree(uk, 45_800, { ...area, ...other })).toBeUndefined();
});

test('the promise on product pages follows from the methods', () => {
  expect(promiseOf(classic)).toBe('Delivery included, in 5-7 business days all over the UK.');
  expect(promiseOf(uk)).toBe('Free standard delivery from £500 (5-7 business days), £49 below. Express in 2-3 days, £99.');
  const [standard, express] = uk;
  const owners = [
    { ...standard, price: 0 },
    { ...express, label: 'Two people', price: 1_250, minDays: 1, maxDays: 1 },
  ] as DeliveryMethod[];
  expect(promiseOf(owners)).toBe('Free standard delivery (5-7 business days). Two people in 1 day, £12.50.');
  expect(tariffOf(owners)).toEqual([
    ['Standard', '5-7 business days', 'Free'],
    ['Two people', '1 day', '£12.50'],
  ]);
});

test('a method keeps its id in carts and orders while its name stays', () => {
  expect(['Standard delivery', 'Express delivery', 'Delivery', 'Two-Person & Unpack'].map(methodIdOf)).toEqual([
    'standard',
    'express',
    'delivery',
    'two-person-unpack',
  ]);
  expect([methodOf(uk, 'express').label, methodOf(uk, 'owl').label, methodOf(uk, '').label]).toEqual([
    'Express delivery',
    'Standard delivery',
    'Standard delivery',
  ]);
  expect(daysText({ ...methodOf(uk, ''), minDays: 0, maxDays: 1 })).toBe('0-1 business day');
});
