import { areaOf } from '#contract/delivery/areas.ts';
import { readyAt } from '#contract/delivery/lead-time.ts';
import type { DeliveryMethod } from '#contract/delivery/methods.ts';
import { type Pence, pounds } from '#contract/market/money.ts';
import { entitle, unclaimedOf } from '#contract/market/owed.ts';
import type { CorrectionBody } from '#contract/orders/orders.ts';
import { MAX_LINES, MAX_ORDER_TOTAL } from '#contract/platform/limits.ts';
import { Problem } from '#contract/platform/problem.ts';
import { type FirstFree, goodsSum, leftAfterFree } from '#contract/promotions/discount.ts';
import type { Services } from '#server/context/services.ts';
import { deliveryOfPieces } from '#server/orders/lines/delivery-load.service.ts';
import { goodsOf } from '#server/orders/lines/discount.service.ts';
import { withHeld } from '#server/orders/lines/holds.service.ts';
import { type LineOfPieces, piecesText, readPieces } from '#server/orders/lines/parcels.service.ts';
import { checkQuantities, checkStock, inParts, priceOfChoice, storedLine, withOnlyColour } from '#server/orders/lines/pricing.ts';
import { type LockedProduct, lockProducts } from '#server/orders/lines/stock.service.ts';
import type { SoldLine } from '#server/orders/place.service.ts';
import { offeredMethods } from '#server/orders/promised-window.ts';
import { priceToRefund } from '#server/orders/refunds/settled-pieces.service.ts';
import { uncountedOf } from '#server/orders/refunds/write-offs.service.ts';
import type { LockedOrder } from '#server/orders/transitions.service.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { isId } from '#server/platform/ids.ts';
import { readFirstFree } from '#server/promotions/uses.service.ts';

type Needs = Pick<Services, 'config'>;
type Wish = CorrectionBody['lines'][number];
/** Locked products by their ids. */
export type Products = Map<string, LockedProduct>;

/** The pieces that a correction takes off and adds. */
interface Pieces {
  off: LineOfPieces[];
  added: SoldLine[];
}

/** A correction with its money in pence. Stored as JSON until its payment arrives. */
export interface Plan {
  off: LineOfPieces[];
  added: (SoldLine & { vatRate: number | null })[];
  /** The price of the removed pieces and the saving on delivery, less earlier refunds and what a bank holds. */
  offPrice: Pence;
  /** What a bank holds of it. Plans that earlier versions have stored lack it. */
  heldBack?: Pence;
  deliveryOff: Pence;
  addedPrice: Pence;
  /** When the added pieces can leave (ISO); null if at once. */
  ready: string | null;
  /** The pieces taken off, in words. */
  takenOff: string;
  /** The added pieces, in words. */
  more: string;
  /** What is taken off goes back in stock. Plans that earlier versions have stored lack it, and restock. */
  isRestocked?: boolean;
}

const paidFor = ({ price, qty, discount }: SoldLine): Pence => price * qty - discount;

/** The discount on `sum` in the proportion that `discount` has to `whole`, rounded down. */
const partOf = (sum: Pence, discount: Pence, whole: Pence): Pence =>
  whole === 0 ? 0 : Number((BigInt(sum) * BigInt(discount)) / BigInt(whole));

/** The discount on further pieces of a line at its price. */
type FurtherDiscount = (line: LineOfPieces, qty: number) => Pence;

/**
 * Further pieces are free as long as the order's promotions of first free pieces have some left. The others have the line's other discounts in proportion.
 */
function furtherDiscountOf(lines: readonly LineOfPieces[], products: Products, promotions: readonly FirstFree[]): FurtherDiscount {
  const goods = goodsOf(
    lines.map((line) => ({ ...line, qty: line.ordered })),
    products,
  );
  return (line, qty) => {
    const { price, ordered, discount, productId } = line;
    goods.push(...goodsOf([{ productId, price, qty }], products));
    const leftAfter = leftAfterFree(promotions, goods);
    const [leftOfLine, leftOfFurther] = [leftAfter[lines.indexOf(line)] ?? 0, leftAfter.at(-1) ?? 0];
    const whole = price * ordered;
    // These promotions also made a free set's parts free, which `goods` does not show.
    const isFree = promotions.length > 0 && discount === whole;
    const otherDiscount = isFree ? 0 : Math.max(0, discount - (whole - leftOfLine));
    return price * qty - leftOfFurther + partOf(leftOfFurther, otherDiscount, leftOfLine);
  };
}

/**
 * The change of a line. Replacing pieces keep the line's part of the discount, and the paid price if only the colour differs.
 * More pieces cost the same as those of the line, or today's price without discount.
 */
function changeOf(line: LineOfPieces, { qty, size, color, price }: Wish, products: Products, furtherDiscount: FurtherDiscount): Pieces {
  const choice = { size: size ?? line.size, color: color === undefined ? line.color : color };
  const isOther = choice.size !== line.size || choice.color !== line.color;
  const kept = isOther ? Math.min(qty, line.unsent) : 0;
  const removed = isOther ? line.unsent : Math.max(0, line.unsent - qty);
  const more = Math.max(0, qty - line.unsent);
  const off = removed > 0 ? [{ ...line, qty: removed }] : [];
  if (kept + more === 0) return { off, added: [] };
  const product = products.get(line.productId);
  if (!product) throw new Problem(409, `${line.name} is no longer sold.`);
  if (product.setParts) throw new Problem(409, `${line.name} is a set by now. Take it off and add the set.`);
  const todaysLine = { ...storedLine(priceOfChoice(product, { ...choice, qty })), discount: 0 };
  // A part of a set stays in its set, which its name mentions.
  const inSameSet = { ...todaysLine, name: line.name, setId: line.setId };
  const isSamePrice = choice.size === line.size;
  const worth = priceToRefund([{ ...line, qty: kept }]);
  // What was refunded for the pieces stays refunded.
  const refunded = priceToRefund([{ ...line, qty: kept, partialRefund: 0 }]) - worth;
  const todaysPrice = todaysLine.price * kept;
  const replacing = isSamePrice
    ? { ...inSameSet, qty: kept, price: line.price, discount: line.price * kept - worth }
    : {
        ...inSameSet,
        qty: kept,
        discount: Math.min(todaysPrice, partOf(todaysPrice, line.discount, line.price * line.ordered) + refunded),
      };
  const further =
    price === 'then' && isSamePrice
      ? { ...inSameSet, qty: more, price: line.price, discount: furtherDiscount(line, more) }
      : { ...todaysLine, qty: more };
  return { off, added: [replacing, further].filter((one) => one.qty > 0) };
}

function wantedPieces(lines: LineOfPieces[], body: CorrectionBody, products: Products, furtherDiscount: FurtherDiscount): Pieces {
  const changes = body.lines.map((wish, index) => {
    if (body.lines.findIndex((other) => other.line === wish.line) !== index) throw new Problem(400, 'Name each line once.');
    const line = lines.find(({ position }) => position === wish.line);
    if (!line || line.unsent === 0) throw new Problem(409, 'This item is no longer part of the order.');
    return changeOf(line, wish, products, furtherDiscount);
  });
  const added = body.added.flatMap(({ product: id, ...choice }) => {
    const product = products.get(id);
    if (!product) throw new Problem(409, 'This product is no longer sold.');
    return inParts(priceOfChoice(product, withOnlyColour(product, choice)), products).map((line) => ({ ...storedLine(line), discount: 0 }));
  });
  return { off: changes.flatMap(({ off }) => off), added: [...changes.flatMap((one) => one.added), ...added] };
}

/** Throws 400 or 409 for pieces that an order cannot have, or that are not in stock. Pieces that are restocked count as in stock. */
function checkPieces(order: LockedOrder, lines: LineOfPieces[], { off, added }: Pieces, products: Products): void {
  if (off.length + added.length === 0) throw new Problem(400, 'Change something first.');
  const removedOf = (position: number) => off.find((one) => one.position === position)?.qty ?? 0;
  const rest = lines.map((line) => ({ ...line, qty: line.left - removedOf(line.position) }));
  if (added.length === 0 && lines.every(({ position, unsent }) => unsent === removedOf(position)))
    throw new Problem(409, 'Nothing would be left to send. Cancel the order instead.');
  if (lines.length + added.length > MAX_LINES)
    throw new Problem(409, `An order can have at most ${MAX_LINES} lines, including those taken off.`);
  if (order.subTotalPrice + goodsSum(added) > MAX_ORDER_TOTAL)
    throw new Problem(409, `An order can come to at most ${pounds(MAX_ORDER_TOTAL)}.`);
  checkQuantities([...rest, ...added]);
  checkStock(added, products);
}

/** Products as if the pieces that are taken off were back in stock. */
function withRestored(products: Products, off: LineOfPieces[]): Products {
  const restored = new Map<string, number>();
  const add = (key: string, qty: number) => restored.set(key, (restored.get(key) ?? 0) + qty);
  for (const { productId, size, qty } of off) {
    const sizes = products.get(productId)?.sizes;
    const isStillSold = sizes?.length === 0 || sizes?.some((one) => one.size === size);
    if (isStillSold) add(productId, qty);
    if (isStillSold && size !== null) add(`${productId}/${size}`, qty);
  }
  return new Map([...products].map(([id, product]) => [id, withHeld(product, restored)]));
}

/**
 * The saving on delivery once there are more goods: by the terms of the order's own offer, as settings may have changed since. Free delivery still bears the
 * area's surcharge.
 */
function deliveryOffOf({ config: { delivery } }: Needs, order: LockedOrder, lines: LineOfPieces[], { off, added }: Pieces): Pence {
  const before = goodsSum(lines.map(({ price, left: qty }) => ({ price, qty })));
  const after = before - goodsSum(off) + goodsSum(added);
  const isOfOrder = ({ id }: DeliveryMethod) => id === order.shippingMethod;
  const offered = offeredMethods({ delivery }, order).find(isOfOrder);
  // Earlier versions have not stored the surcharge, nor, at first, the sum from which delivery is free.
  const today = delivery.methods.find(isOfOrder)?.freeFrom ?? null;
  const freeFrom = offered?.surcharge === undefined ? (offered?.freeFrom ?? today) : offered.freeFrom;
  if (freeFrom === null || before >= freeFrom || after < freeFrom) return 0;
  const surcharge = offered?.surcharge ?? areaOf(delivery.areas, order)?.surcharge ?? 0;
  return Math.max(0, order.shippingPrice - order.deliveryOff - surcharge);
}

/** Throws 409 if the order's delivery method does not take the pieces of the corrected order. */
async function checkLoad(
  tx: Tx,
  { config: { delivery } }: Needs,
  order: LockedOrder,
  lines: LineOfPieces[],
  { added }: Pieces,
): Promise<void> {
  if (added.length === 0) return;
  const ids = [...lines.filter(({ left }) => left > 0), ...added].map(({ productId }) => productId);
  const { delivery: taking } = await deliveryOfPieces(tx, delivery, [...new Set(ids)]);
  const chosen = delivery.methods.find(({ id }) => id === order.shippingMethod);
  if (chosen && !taking.methods.includes(chosen))
    throw new Problem(409, `${chosen.label} does not take these pieces. Please take them as an order of their own.`);
}

/** Works a correction out. Returns its products as they are (`locked`), and with the removed pieces back in stock if they can be sold (`products`). */
export async function planOf(
  tx: Tx,
  services: Needs,
  order: LockedOrder,
  body: CorrectionBody,
): Promise<{ plan: Plan; locked: Products; products: Products }> {
  const lines = await readPieces(tx, order.id);
  const ids = [...lines.map(({ productId }) => productId), ...body.added.map(({ product }) => product)];
  const locked = await lockProducts(tx, [...new Set(ids.filter(isId))]);
  const pieces = wantedPieces(lines, body, locked, furtherDiscountOf(lines, locked, await readFirstFree(tx, order.id)));
  const products = body.isRestocked ? withRestored(locked, pieces.off) : locked;
  await checkLoad(tx, services, order, lines, pieces);
  checkPieces(order, lines, pieces, products);
  const addedPrice = pieces.added.reduce((sum, line) => sum + paidFor(line), 0);
  const goodsPrice = priceToRefund(pieces.off);
  const lessDelivery = deliveryOffOf(services, order, lines, pieces);
  const most = order.paidAt ? unclaimedOf(order) : order.totalPrice - order.waivedPrice;
  // Removed pieces pay for added ones in full, also where goodwill or a dispute has left less of the payment.
  const due = Math.min(most, Math.max(0, goodsPrice + lessDelivery - addedPrice - uncountedOf(order)));
  const heldBack = order.paidAt ? due - entitle(order, due).refund : 0;
  const mostOff = addedPrice + due;
  const goodsOff = Math.min(mostOff, goodsPrice);
  const deliveryOff = Math.min(mostOff - goodsOff, lessDelivery);
  const rateOf = (id: string) => services.config.vat?.rates[products.get(id)?.vatClass ?? 'standard'] ?? null;
  const plan = {
    off: pieces.off,
    added: pieces.added.map((line) => ({ ...line, vatRate: rateOf(line.productId) })),
    offPrice: goodsOff + deliveryOff - heldBack,
    heldBack,
    deliveryOff,
    addedPrice,
    ready: readyAt(
      new Date().toISOString(),
      pieces.added.flatMap(({ productId }) => products.get(productId) ?? []),
    ),
    takenOff: piecesText(pieces.off),
    more: piecesText(pieces.added),
    isRestocked: body.isRestocked,
  };
  return { plan, locked, products };
}

/** The change of the price by a correction, in pence. */
export const differenceOf = ({ addedPrice, offPrice }: Plan): Pence => addedPrice - offPrice;

/** The pieces taken off, in words, for the history. */
export const takenOffText = ({ takenOff, isRestocked = true }: Plan): string =>
  takenOff && !isRestocked ? `${takenOff}, not put back in stock` : takenOff;

/** The change of the price in words. */
export const differenceText = (difference: Pence): string => {
  if (difference === 0) return 'The price stays';
  return difference > 0 ? `${pounds(difference)} more` : `${pounds(-difference)} less`;
};
