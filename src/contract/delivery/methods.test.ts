import { expect, test } from 'vitest';
import type { Load } from './delivery-classes.ts';
import { defaultDelivery, deliveryOf } from './delivery-settings.ts';
import { promiseOf, tariffOf } from './delivery-texts.ts';
import { loadOf, loadOfProduct, methodsTaking } from './load.ts';
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

test.each([
  ['small', [{ deliveryClass: 'small', width: null, depth: null, height: null }], ['letter', 'parcel', 'standard']],
  ['parcel', [{ deliveryClass: 'by size', width: 400, depth: 400, height: 800 }], ['parcel', 'standard']],
  ['two-person', [{ deliveryClass: 'by size', width: 2_000, depth: 900, height: 800 }], ['standard']],
  [
    'small and two-person',
    [
      { deliveryClass: 'small', width: 3_000, depth: 3_000, height: 3_000 },
      { deliveryClass: 'two-person', width: 100, depth: 100, height: 100 },
    ],
    ['standard'],
  ],
])('pieces go together by the methods that take the heaviest of them: %s (§9.9)', (_, pieces, ids) => {
  const methods: { id: string; upTo?: Load }[] = [{ id: 'letter', upTo: 'small' }, { id: 'parcel', upTo: 'parcel' }, { id: 'standard' }];
  expect(methodsTaking(methods, loadOf(pieces)).map(({ id }) => id)).toEqual(ids);
});

test('a product travels as its largest size, and as a parcel where no size is known', () => {
  const size = (width: number) => ({ width, depth: 900, height: 900 });
  expect(loadOfProduct({ deliveryClass: 'by size', dimensions: [size(400), size(2_000)], parts: [] })).toBe('two-person');
  expect(loadOfProduct({ deliveryClass: 'by size', dimensions: [], parts: [] })).toBe('parcel');
  expect(loadOfProduct({ deliveryClass: 'by size', dimensions: [], parts: [{ isByTwo: true }] })).toBe('two-person');
});

test('promise and policy name what a method takes', () => {
  const letter = { ...uk[1], label: 'Letter post', price: 150, upTo: 'small' } as DeliveryMethod;
  expect(promiseOf([letter])).toBe('Letter post for small pieces in 2-3 days, £1.50.');
  expect(tariffOf([{ ...letter, upTo: 'parcel' }])).toEqual([['Letter post for parcels and small pieces', '2-3 days', '£1.50']]);
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
