import { priceOf } from '#contract/catalogue/catalogue.ts';
import { colourNameOf, ownColourName } from '#contract/catalogue/colour.ts';
import { readSetParts } from '#contract/catalogue/set-parts.ts';
import { pictureOf } from '#contract/catalogue/shown-picture.ts';
import { apportion } from '#contract/market/apportion.ts';
import { type Pence, pounds } from '#contract/market/money.ts';
import { type CartLine, lineName } from '#contract/orders/orders.ts';
import { partsText } from '#contract/orders/parts-text.ts';
import { MAX_LINES, MAX_ORDER_TOTAL, MAX_QUANTITY, MAX_QUANTITY_TEXT } from '#contract/platform/limits.ts';
import { Problem } from '#contract/platform/problem.ts';
import { goodsSum } from '#contract/promotions/discount.ts';
import type { LockedProduct, Pieces } from './stock.service.ts';

/** A set as a line of the cart has it. */
export interface SetOfLine {
  id: string;
  qty: number;
}

/** A line of an order, priced by the server. Amounts in pence, for one piece. */
export interface PricedLine extends Pieces {
  name: string;
  image: string;
  color: string | null;
  /** The shop's own name of the colour. */
  colourName: string | null;
  /** No colour was chosen of a product that has colours. */
  isColourOpen: boolean;
  price: number;
  /** The set that it is a part of, the same object for all parts of a line; promotions see the set. */
  set?: SetOfLine;
}

/**
 * Prices each line from the database and checks its stock, for cash orders and card checkouts. Throws 409 for a line that is no longer sold, has
 * another price or too little stock, and 400 for a missing size and for an order that is too large.
 */
export function priceLines(lines: CartLine[], products: Map<string, LockedProduct>): PricedLine[] {
  const priced = lines.flatMap((line) => {
    const one = priceLine(line, products.get(line._id));
    checkParts(line, one.name, namedParts(products.get(line._id)?.setParts, products));
    return inParts(one, products);
  });
  checkCount(priced);
  checkQuantities(priced);
  checkStock(priced, products);
  if (goodsSum(priced) > MAX_ORDER_TOTAL)
    throw new Problem(400, `An order can come to at most ${pounds(MAX_ORDER_TOTAL)}. Please place several orders, or contact us.`);
  return priced;
}

/**
 * The size of a line: the named one, or the only one; null for a product without sizes. "open" if one of several must be chosen, "gone" if the product
 * has no such size.
 */
export function sizeOfLine(named: string | null | undefined, sizes: { size: string }[]): { size: string | null } | 'open' | 'gone' {
  if (named) return sizes.some(({ size }) => size === named) ? { size: named } : 'gone';
  if (sizes.length > 1) return 'open';
  return { size: sizes[0]?.size ?? null };
}

/** The URL of the picture that shows a size and a colour best; empty for a product without pictures. */
export function chosenPicture(
  { images, shown }: Pick<LockedProduct, 'images' | 'shown'>,
  size: string | null,
  color: string | null | undefined,
): string {
  const pictures = images.map((image) => shown[image] ?? {});
  return images[pictureOf(pictures, size, color)] ?? '';
}

function priceLine(line: CartLine, product: LockedProduct | undefined): PricedLine {
  if (!product) throw new Problem(409, `${line.name || 'A product in your cart'} is no longer sold. Please remove it from your cart.`);
  const priced = priceOfChoice(product, line);
  if (line.price !== priced.price) {
    const what = priced.size === null ? product.name : `${product.name} (${priced.size})`;
    throw new Problem(409, `The price of ${what} has changed: it is now ${pounds(priced.price)}. Please check your cart.`);
  }
  return priced;
}

/** Throws 409 for a set that has other parts than the customer was shown. */
function checkParts({ seenParts: seen }: CartLine, name: string, parts: readonly { name: string; qty: number }[]): void {
  const now = partsText(parts);
  if (typeof seen !== 'string' || seen === now) return;
  throw new Problem(409, `What is in ${name} has changed: ${now || 'it is no longer a set'}. Please check your cart.`);
}

/** The parts of a set as customers read them; none for any other product. */
export function namedParts(
  setParts: string | undefined,
  products: ReadonlyMap<string, Pick<LockedProduct, 'name' | 'colors'> & { sizes: readonly unknown[] }>,
): { name: string; qty: number }[] {
  return (readSetParts(setParts ?? '') ?? []).map(({ _id, qty, size, colour }) => {
    const { name = '', sizes = [], colors = [] } = products.get(_id) ?? {};
    const partColour = colors.find(({ hexCode }) => hexCode === colour);
    // A product's only size or colour goes without saying.
    const choice = {
      size: sizes.length > 1 ? size : null,
      colourName: colors.length > 1 ? colourNameOf(colour, partColour && ownColourName(partColour)) : null,
    };
    return { name: lineName({ name, ...choice }), qty };
  });
}

/** The choice of staff, with the product's only colour filled in, as the product page does for shoppers. */
export const withOnlyColour = <C extends { color?: string | null | undefined }>(
  { colors }: Pick<LockedProduct, 'colors'>,
  choice: C,
): C => {
  const [only, ...others] = colors;
  return only && others.length === 0 && !choice.color ? { ...choice, color: only.hexCode } : choice;
};

/** A product in a size and colour at today's price. Throws 409 if it is not sold in these, and 400 if a size must be chosen. */
export function priceOfChoice(product: LockedProduct, choice: Pick<CartLine, 'size' | 'color' | 'qty'>): PricedLine {
  const { id, name, colors, sizes } = product;
  const chosenSize = sizeOfLine(choice.size, sizes);
  if (chosenSize === 'open') throw new Problem(400, `Please choose a size of ${name}`);
  if (chosenSize === 'gone') throw new Problem(409, `${name} is no longer sold in ${choice.size}. Please choose another size.`);
  const color = choice.color || null;
  const chosen = colors.find(({ hexCode }) => hexCode === color);
  if (color !== null && !chosen) throw new Problem(409, `${name} is no longer sold in that colour. Please choose another.`);
  const price = priceOf(product, chosenSize.size ?? undefined);
  // Products from before prices had a minimum may have none.
  if (price < 1) throw new Problem(409, `${name} has no price at the moment. Please remove it from your cart, or contact us.`);
  const image = chosenPicture(product, chosenSize.size, color);
  const colourName = (chosen && ownColourName(chosen)) || null;
  const isColourOpen = color === null && colors.length > 0;
  return { productId: id, name, image, size: chosenSize.size, color, colourName, isColourOpen, qty: choice.qty, price };
}

/**
 * The price of one set, shared over its parts by what they cost today. Pence that cannot be shared evenly over a part's pieces go to a part with one piece
 * per set, if there is one.
 */
function sharesOf(price: Pence, parts: readonly { worth: Pence; perSet: number }[]): Pence[] {
  const shares = apportion(
    price,
    parts.map(({ worth }) => worth),
  );
  const single = parts.findIndex(({ perSet }) => perSet === 1);
  if (single < 0) return shares;
  const divisible = shares.map((share, index) => share - (share % (parts[index]?.perSet ?? 1)));
  const rest = price - divisible.reduce((sum, share) => sum + share, 0);
  return divisible.map((share, index) => (index === single ? share + rest : share));
}

/**
 * A line of a set as lines of its parts (decision 158), which come to its price to the penny: pieces of a part that do not all cost the same are two lines.
 * Any other line stays. Throws 409 if a part is not sold.
 */
export function inParts<L extends PricedLine>(line: L, products: ReadonlyMap<string, LockedProduct>): L[] {
  const set = products.get(line.productId);
  if (!set?.setParts) return [line];
  const setOfLine: SetOfLine = { id: set.id, qty: line.qty };
  const parts = (readSetParts(set.setParts) ?? []).map(({ _id, qty: perSet, size, colour }) => {
    const product = products.get(_id);
    if (!product || product.setParts) throw new Problem(409, `A part of ${set.name} is no longer sold. Please remove it from your cart.`);
    if (size === null && product.sizes.length > 0)
      throw new Problem(409, `${set.name} cannot be ordered now: the sizes of ${product.name} have changed.`);
    const priced = priceOfChoice(product, { size, color: colour, qty: perSet });
    const part = { ...line, ...priced, name: `${set.name}: ${product.name}`, set: setOfLine };
    return { part, perSet, worth: priced.price * perSet };
  });
  const shares = sharesOf(line.price, parts);
  return parts.flatMap(({ part, perSet }, index) => {
    const share = shares[index] ?? 0;
    const price = Math.floor(share / perSet);
    const roundedUp = share % perSet;
    return [
      { ...part, price, qty: (perSet - roundedUp) * line.qty },
      { ...part, price: price + 1, qty: roundedUp * line.qty },
    ].filter(({ qty }) => qty > 0);
  });
}

/** A line as an order stores it. */
export const storedLine = ({ set, ...line }: PricedLine) => ({ ...line, setId: set?.id ?? null });

/** Throws 400 for more lines than an order can have, which the parts of sets may make. */
export function checkCount(lines: readonly unknown[]): void {
  if (lines.length > MAX_LINES)
    throw new Problem(400, `An order can have at most ${MAX_LINES} lines, and each part of a set is one. Please order in several parts.`);
}

/** Throws 400 for too many pieces of one product over all lines and sizes. */
export function checkQuantities(lines: Pick<PricedLine, 'productId' | 'qty' | 'name'>[]): void {
  const pieces = new Map<string, number>();
  for (const { productId, qty, name } of lines) {
    const sum = (pieces.get(productId) ?? 0) + qty;
    if (sum > MAX_QUANTITY) throw new Problem(400, `${MAX_QUANTITY_TEXT} Please choose fewer of ${name}.`);
    pieces.set(productId, sum);
  }
}

/** Throws 409 if products or sizes have too little stock for all lines together. */
export function checkStock(lines: (Pieces & { name: string })[], products: Map<string, LockedProduct>): void {
  const left = new Map<string, number>();
  for (const { productId, size, qty, name } of lines) {
    const product = products.get(productId);
    if (!product) throw new Problem(409, `${name} is no longer sold.`);
    const limits: Limit[] = [{ key: productId, stock: product.countInStock, name }];
    if (size !== null) {
      const stock = product.sizes.find((entry) => entry.size === size)?.quantity ?? 0;
      limits.push({ key: `${productId}/${size}`, stock, name: `${name} (${size})` });
    }
    // The scarcer first: the message names the number that can be bought.
    for (const limit of limits.sort((a, b) => a.stock - b.stock)) takeFrom(left, limit, qty);
  }
}

/** What there is of a product, or of one of its sizes. */
interface Limit {
  key: string;
  stock: number;
  name: string;
}

/** Takes pieces from what earlier lines have left. */
function takeFrom(left: Map<string, number>, { key, stock, name }: Limit, qty: number): void {
  const available = left.get(key) ?? stock;
  if (available < qty) throw new Problem(409, stock === 0 ? `${name} is sold out.` : `Only ${stock} of ${name} left.`);
  left.set(key, available - qty);
}
