import type { Product } from '#contract/catalogue/catalogue.ts';
import { LOW_STOCK, priceOf, stockOfSize, wasPriceOf } from '#contract/catalogue/catalogue.ts';
import type { Delivery } from '#contract/delivery/delivery.ts';
import { dayText } from '#contract/delivery/delivery-window.ts';
import { madeToOrderText } from '#contract/delivery/lead-time.ts';
import { methodsTaking } from '#contract/delivery/load.ts';
import { type DeliveryMethod, daysText, methodsFor } from '#contract/delivery/methods.ts';
import type { Market } from '#contract/market/market.ts';
import { shopDay } from '#contract/market/shop-time.ts';
import { priceText } from '#web/parts/price-text.ts';
import { windowOf } from '#web/shop/delivery/delivery-windows.ts';
import { type Outer, SIDES } from '#web/shop/fit/dimensions.ts';
import { lengthText } from '#web/shop/fit/lengths.ts';
import { smallestDoorText } from '#web/shop/fit/smallest-door.ts';
import { reviewsText } from '#web/ui/stars.tsx';

/** One line of the comparison: label, and text lines per product. Products differ where these lines do. */
export interface Row {
  label: string;
  linesOf: (product: Product) => string[];
}

const NOT_GIVEN = 'Not given';
const orNotGiven = (lines: string[]) => (lines.length > 0 ? lines : [NOT_GIVEN]);

/** "224 × 92 × 84 cm (88.2 × 36.2 × 33.1 in)", with a question mark for unknown sides. */
function outerText(outer: Outer): string {
  const numbers = (unit: 'cm' | 'in') =>
    SIDES.map((side) => (outer[side] === null ? '?' : lengthText(outer[side], unit).replace(` ${unit}`, ''))).join(' × ');
  return `${numbers('cm')} cm (${numbers('in')} in)`;
}

/** The outer dimensions of each size, with its name if there are several. */
function dimensionsOf({ sizes, dimensions }: Product): string[] {
  const lines = dimensions.map((outer) => {
    const name = sizes.length > 1 ? `${sizes[outer.position]?.size}: ` : '';
    return name + outerText(outer);
  });
  return orNotGiven(lines);
}

/** The smallest door that each size goes through; one line if it is the same for all. */
function doorsOf(product: Product): string[] {
  const lines = product.dimensions.map(({ position }) => [product.sizes[position]?.size, smallestDoorText(product, position)] as const);
  const texts = [...new Set(lines.flatMap(([, text]) => text ?? []))];
  if (texts.length < 2) return orNotGiven(texts);
  return lines.flatMap(([size, text]) => (text ? [`${size}: ${text}`] : []));
}

/** The names of the sizes, with their prices where these differ. */
function sizesOf({ shopPrice }: Market, product: Product): string[] {
  const prices = product.sizes.map(({ size }) => priceOf(product, size));
  if (new Set(prices).size < 2) return product.sizes.length > 0 ? product.sizes.map(({ size }) => size) : ['One size'];
  return product.sizes.map(({ size }, index) => `${size}: ${shopPrice(prices[index] ?? 0)}`);
}

function stockOf({ piecesLeft }: Product): string {
  if (piecesLeft === 0) return 'Sold out';
  return piecesLeft <= LOW_STOCK ? `Only ${piecesLeft} left` : 'In stock';
}

function ratingOf({ rating, reviewCount }: Product, source: string): string[] {
  if (rating === 0) return ['No reviews yet'];
  return [`${rating.toFixed(1)} out of 5 (${reviewCount > 0 ? reviewsText(reviewCount) : source})`];
}

/** The lead time in words; undefined for a product from stock. */
function leadText(product: Product): string | undefined {
  const { readyFrom } = product;
  if (product.leadWeeks) return madeToOrderText(product)?.toLowerCase();
  if (readyFrom === null || Date.parse(readyFrom) <= Date.now()) return undefined;
  const day = shopDay(readyFrom);
  return `ready from ${dayText(day)}`;
}

/** The price and days of each delivery method for the product, the same as on its page. */
function deliveryOf(product: Product, market: Market, methods: readonly DeliveryMethod[], delivery: Delivery | null): string[] {
  if (product.piecesLeft === 0) return ['Sold out'];
  return methodsFor(methodsTaking(methods, product.load), product.fromPrice, delivery?.area).map((method) => {
    const { id, label, price } = method;
    const days = leadText(product) ?? windowOf(delivery, id) ?? daysText(method);
    return `${label}: ${price === 0 ? 'free' : market.shopPrice(price)}, ${days}`;
  });
}

/** The heights of the seats, each once: "43 cm (16.9 in)". */
function seatHeightsOf({ sizes, measurements }: Product): string[] {
  const all = [...measurements, ...sizes.flatMap((size) => size.measurements)];
  const heights = all.filter(({ name }) => /^seat height$/i.test(name.trim()));
  return orNotGiven([...new Set(heights.map(({ value, cm, inches }) => (cm && inches ? `${cm} (${inches})` : value)))]);
}

const wasText = ({ shopPrice }: Market, { wasPrice }: Product) => (wasPrice === null ? '' : ` (was ${shopPrice(wasPrice)})`);

/** The comparison's lines in order; `delivery` is null until the server has sent the dates. */
export function rowsOf(market: Market, methods: readonly DeliveryMethod[], delivery: Delivery | null, ratingSource: string): Row[] {
  return [
    { label: 'Price', linesOf: (product) => [priceText(market, product) + wasText(market, product)] },
    { label: 'Availability', linesOf: (product) => [stockOf(product)] },
    { label: 'Sizes', linesOf: (product) => sizesOf(market, product) },
    { label: 'Width × depth × height', linesOf: dimensionsOf },
    { label: 'Smallest door', linesOf: doorsOf },
    { label: 'Seat height', linesOf: seatHeightsOf },
    { label: 'Materials', linesOf: ({ materials }) => orNotGiven(materials) },
    { label: 'Care', linesOf: ({ care }) => orNotGiven(care) },
    { label: 'Guarantee', linesOf: ({ guarantee }) => orNotGiven([guarantee].filter(Boolean)) },
    { label: 'Colours', linesOf: ({ colors }) => orNotGiven(colors.map(({ name }) => name)) },
    { label: 'Rating', linesOf: (product) => ratingOf(product, ratingSource) },
    { label: 'Brand', linesOf: ({ brand }) => [brand] },
    { label: 'Delivery', linesOf: (product) => deliveryOf(product, market, methods, delivery) },
  ];
}

/** The product with the price and stock of the compared size, if one of its sizes is compared. */
export function inSize(product: Product, size: string | undefined): Product {
  if (!size) return product;
  const price = priceOf(product, size);
  const wasPrice = wasPriceOf(product, size);
  return { ...product, fromPrice: price, toPrice: price, wasPrice, piecesLeft: stockOfSize(product, size) };
}

/** Whether products differ in a line; false for a single product. */
export function differs({ linesOf }: Row, products: readonly Product[]): boolean {
  return new Set(products.map((product) => JSON.stringify(linesOf(product)))).size > 1;
}
