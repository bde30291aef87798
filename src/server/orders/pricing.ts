import { priceOf } from '#contract/catalogue.ts';
import { pounds } from '#contract/money.ts';
import type { CartLine } from '#contract/orders.ts';
import { Problem } from '#contract/problem.ts';
import type { LockedProduct } from './stock.service.ts';

/** A line of an order, priced by the server. Amounts in pence, for one piece. */
export interface PricedLine {
  productId: string;
  name: string;
  image: string;
  size: string | null;
  color: string | null;
  qty: number;
  price: number;
}

const LARGEST_TOTAL = 2_000_000_000;

/**
 * Prices each line from the database and checks that it can be sold (clarifications on prices and stock).
 * Throws 409 for what is no longer sold, costs something else now, or is not there in that number; 400 for a size or colour that does not exist.
 */
export function priceLines(lines: CartLine[], products: Map<string, LockedProduct>): PricedLine[] {
  const priced = lines.map((line) => priceLine(line, products.get(line._id)));
  const left = new Map<string, number>();
  for (const { productId, size, qty, name } of priced) {
    const product = products.get(productId);
    if (!product) continue;
    takeFrom(left, productId, product.countInStock, qty, name);
    const stock = size === null ? undefined : product.sizes.find((entry) => entry.size === size);
    if (stock) takeFrom(left, `${productId}/${size}`, stock.quantity, qty, `${name} (${size})`);
  }
  if (subtotalOf(priced) > LARGEST_TOTAL) throw new Problem(400, 'This order is too large for one go. Please write to us.');
  return priced;
}

export function subtotalOf(lines: PricedLine[]): number {
  return lines.reduce((sum, { price, qty }) => sum + price * qty, 0);
}

function priceLine(line: CartLine, product: LockedProduct | undefined): PricedLine {
  if (!product) throw new Problem(409, `${line.name || 'A product in your cart'} is no longer sold. Please remove it from your cart.`);
  const size = line.size || null;
  const color = line.color || null;
  if (size !== null && !product.sizes.some((entry) => entry.size === size))
    throw new Problem(409, `${product.name} is no longer sold in ${size}. Please choose another size.`);
  if (color !== null && !product.colors.includes(color))
    throw new Problem(409, `${product.name} is no longer sold in that colour. Please choose another.`);
  const price = priceOf({ price: product.price, sizes: product.sizes.map((entry) => ({ ...entry, measurements: [] })) }, size ?? undefined);
  const current = new Set([product.price, ...product.sizes.map((entry) => entry.price || product.price)]);
  if (!current.has(line.price))
    throw new Problem(409, `The price of ${product.name} has changed: it is now ${pounds(price)}. Please check your cart.`);
  return { productId: product.id, name: product.name, image: product.image, size, color, qty: line.qty, price };
}

/** Counts pieces down over all lines of one product. */
function takeFrom(left: Map<string, number>, key: string, stock: number, qty: number, name: string): void {
  const now = left.get(key) ?? stock;
  if (now < qty) throw new Problem(409, now === 0 ? `${name} is sold out.` : `Only ${stock} of ${name} left.`);
  left.set(key, now - qty);
}
