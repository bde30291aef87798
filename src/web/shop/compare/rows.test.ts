import { expect, test } from 'vitest';
import type { Product } from '#contract/catalogue/catalogue.ts';
import type { Delivery } from '#contract/delivery/delivery.ts';
import { defaultDelivery, deliveryOf } from '#contract/delivery/delivery-settings.ts';
import { MARKETS } from '#contract/market/market.ts';
import { differs, inSize, rowsOf } from './rows.ts';

/** What a size and a product may be without. */
const NONE = { sku: '', barcode: '', weight: null };
const size = (name: string, price: number) => ({ size: name, quantity: 1, price, measurements: [], model: null, ...NONE });
const product = (fields: Partial<Product>): Product => ({
  wasPrice: null,
  saleEnds: null,
  _id: 'a',
  name: 'A',
  category: 'Sofa',
  subCategory: '',
  brand: 'Alder',
  price: 60_000,
  countInStock: 9,
  images: [],
  rating: 4.25,
  isNewArrival: false,
  isRecommend: false,
  lowStock: null,
  leadWeeks: null,
  readyFrom: null,
  vatClass: 'standard',
  deliveryClass: 'by size',
  ...NONE,
  boxes: '',
  assemblyMinutes: null,
  careText: '',
  seoTitle: '',
  seoDescription: '',
  guarantee: '',
  dimensions: [],
  parts: [],
  load: 'parcel',
  sizeCount: 0,
  fromPrice: 60_000,
  toPrice: 60_000,
  piecesLeft: 9,
  description: '',
  fit: '',
  sizes: [],
  measurements: [],
  carrying: [],
  pictures: [],
  model: null,
  colors: [],
  materials: [],
  care: [],
  reviewCount: 0,
  createdAt: '',
  updatedAt: '',
  version: 1,
  ...fields,
});
const lines = (market: keyof typeof MARKETS, label: string, fields: Partial<Product>, delivery: Delivery | null = null) =>
  rowsOf(MARKETS[market], deliveryOf(defaultDelivery(market, 14)).methods, delivery, 'Our rating')
    .find((row) => row.label === label)
    ?.linesOf(product(fields));

test.each<[keyof typeof MARKETS, string, Partial<Product>, string[]]>([
  ['uk', 'Price', {}, ['£600.00']],
  ['uk', 'Price', { fromPrice: 45_000 }, ['from £450.00']],
  ['uk', 'Delivery', {}, ['Standard delivery: free, 5-7 business days', 'Express delivery: £99.00, 2-3 days']],
  ['uk', 'Delivery', { fromPrice: 49_999 }, ['Standard delivery: £49.00, 5-7 business days', 'Express delivery: £99.00, 2-3 days']],
  ['classic', 'Delivery', { fromPrice: 100 }, ['Standard delivery: free, 5-7 business days']],
  ['uk', 'Availability', { piecesLeft: 0 }, ['Sold out']],
  ['uk', 'Availability', { piecesLeft: 3 }, ['Only 3 left']],
  ['uk', 'Sizes', {}, ['One size']],
  ['uk', 'Width × depth × height', {}, ['Not given']],
  [
    'uk',
    'Width × depth × height',
    { sizes: [size('One', 0), size('Two', 0)], dimensions: [{ position: 1, width: 1_000, depth: null, height: 255, door: 710 }] },
    ['Two: 100 × ? × 25.5 cm (39.4 × ? × 10 in)'],
  ],
  ['uk', 'Smallest door', {}, ['Not given']],
  [
    'uk',
    'Smallest door',
    {
      dimensions: [{ position: 0, width: 2_240, depth: 920, height: 840, door: 710 }],
      carrying: [{ position: 0, width: 2_240, depth: 920, height: 690, off: 'legs off', boxes: null }],
    },
    ['71 cm (28 in), with its legs off'],
  ],
  ['uk', 'Rating', { rating: 0 }, ['No reviews yet']],
  ['uk', 'Delivery', { piecesLeft: 0 }, ['Sold out']],
  ['uk', 'Rating', {}, ['4.3 out of 5 (Our rating)']],
  ['uk', 'Rating', { reviewCount: 1 }, ['4.3 out of 5 (1 review)']],
])('in %s, the line %s of %j says %j (§2.6.7)', (market, label, fields, said) => {
  expect(lines(market, label, fields)).toEqual(said);
});

test('the line Delivery shows the server’s days', () => {
  const window = { from: '2026-11-30', to: '2026-12-03' };
  const windows = { 'england-and-wales': window, scotland: window, 'northern-ireland': window };
  const rest = {
    postcode: '',
    products: '',
    leaves: null,
    load: null,
    nation: 'england-and-wales' as const,
    area: null,
    most: { surcharge: 0, extraDays: 0 },
  };
  const delivery = { ...rest, until: '2026-11-23T14:00:00.000Z', options: [{ id: 'standard' as const, windows, days: [] }] };
  const [line] = lines('classic', 'Delivery', {}, delivery) ?? [];
  expect(line?.replaceAll('\u00a0', ' ')).toBe('Standard delivery: free, Mon 30 Nov – Thu 3 Dec');
});

test('a line differs where it says something else, and never of one product alone', () => {
  const [price] = rowsOf(MARKETS.uk, [], null, 'Our rating');
  if (!price) throw new Error('There is no line.');
  expect(differs(price, [product({}), product({ fromPrice: 1 })])).toBe(true);
  expect(differs(price, [product({}), product({ name: 'B' })])).toBe(false);
  expect(differs(price, [product({})])).toBe(false);
});

test('a compared size has its own price and stock, a product without one a range', () => {
  const sizes = [size('Two-seat', 104_900), { ...size('Three-seat', 129_900), quantity: 9 }];
  const sofa = product({ sizes, fromPrice: 104_900, toPrice: 129_900, countInStock: 10, piecesLeft: 10 });
  expect([lines('uk', 'Price', sofa), lines('uk', 'Availability', sofa)]).toEqual([['from £1,049.00'], ['In stock']]);
  const one = inSize(sofa, 'Two-seat');
  expect([lines('uk', 'Price', one), lines('uk', 'Availability', one)]).toEqual([['£1,049.00'], ['Only 1 left']]);
  expect(lines('uk', 'Price', inSize(sofa, 'Three-seat'))).toEqual(['£1,299.00']);
  expect(inSize(sofa, undefined)).toBe(sofa);
  // All sizes keep their names and prices, whichever is compared.
  expect(lines('uk', 'Sizes', one)).toEqual(['Two-seat: £1,049.00', 'Three-seat: £1,299.00']);
  expect(lines('uk', 'Sizes', product({ sizes: [size('One', 0), size('Two', 0)] }))).toEqual(['One', 'Two']);
});
