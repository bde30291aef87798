import { sql } from 'kysely';
import { colourNameOf } from '#contract/catalogue/colour.ts';
import { areaOf } from '#contract/delivery/areas.ts';
import { dayText } from '#contract/delivery/delivery-window.ts';
import { readyAt } from '#contract/delivery/lead-time.ts';
import { methodOf, methodsFor } from '#contract/delivery/methods.ts';
import { type Pence, pounds } from '#contract/market/money.ts';
import { pricePaid } from '#contract/market/worth.ts';
import { type Correction, type CorrectionBody, lineName, PAYMENT_METHOD } from '#contract/orders/orders.ts';
import { MAX_LINES, MAX_ORDER_TOTAL } from '#contract/platform/limits.ts';
import { Problem } from '#contract/platform/problem.ts';
import { recordChange } from '#server/context/audit.ts';
import { type Admin, proven, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { creditOrder, issuePart } from '#server/invoices/issue.service.ts';
import { orderCorrectedMail } from '#server/mail/order-mails.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { isId } from '#server/platform/ids.ts';
import { withHeld } from './lines/holds.service.ts';
import { type LineOfPieces, readPieces } from './lines/parcels.service.ts';
import { checkQuantities, checkStock, priceOfChoice } from './lines/pricing.ts';
import { giveStockBack, type LockedProduct, lockProducts, takeStock } from './lines/stock.service.ts';
import type { SoldLine } from './place.service.ts';
import { offerOf, promiseAgain } from './promised-window.ts';
import { readOrder } from './read.service.ts';
import { refundable } from './refunds/refundable.ts';
import { startRefund } from './refunds/refunds.service.ts';
import { isAllowed, refusalOf } from './rules/states.ts';
import { change, checkRevision, type LockedOrder, lockListed, tellCustomer } from './transitions.service.ts';

type Needs = Pick<Services, 'db' | 'config'>;
type Products = Map<string, LockedProduct>;
type Wish = CorrectionBody['lines'][number];

/** What a correction takes off and adds. */
interface Pieces {
  off: LineOfPieces[];
  added: SoldLine[];
}

/** The same with its money in pence. */
interface Plan extends Pieces {
  /** The price of what is taken off, and of delivery that becomes cheaper, as far as it was not given back before. */
  offPrice: Pence;
  deliveryOff: Pence;
  addedPrice: Pence;
  products: Products;
}

const textOf = (pieces: readonly Pick<LineOfPieces, 'qty' | 'name' | 'size' | 'color' | 'colourName'>[]): string =>
  pieces
    .map(({ qty, color, colourName, ...line }) => `${qty} × ${lineName({ ...line, colourName: colourNameOf(color, colourName) })}`)
    .join(', ');

const sumOf = (lines: readonly { price: Pence; qty: number }[]): Pence => lines.reduce((sum, { price, qty }) => sum + price * qty, 0);
const paidFor = ({ price, qty, discount }: SoldLine): Pence => price * qty - discount;
/** What was paid for pieces of a line that were not refunded. */
const worthOf = (line: LineOfPieces, qty: number): Pence => pricePaid(line, Math.min(qty, line.unrefunded));

/** The part of a line's discount that pieces at a price have as well. */
function discountFor({ price, ordered, discount }: LineOfPieces, sum: Pence): Pence {
  const whole = price * ordered;
  return whole === 0 ? 0 : Number((BigInt(sum) * BigInt(discount)) / BigInt(whole));
}

/**
 * What becomes of a line. Pieces that take the place of others keep the line's part of the discount, and cost what was paid if only the colour differs.
 * More pieces cost the same as those of the line, or today's price without discount.
 */
function changeOf(line: LineOfPieces, { qty, size, color, price }: Wish, products: Products): Pieces {
  const choice = { size: size ?? line.size, color: color === undefined ? line.color : color };
  const isOther = choice.size !== line.size || choice.color !== line.color;
  const kept = isOther ? Math.min(qty, line.unsent) : 0;
  const gone = isOther ? line.unsent : Math.max(0, line.unsent - qty);
  const more = Math.max(0, qty - line.unsent);
  const off = gone > 0 ? [{ ...line, qty: gone }] : [];
  if (kept + more === 0) return { off, added: [] };
  const product = products.get(line.productId);
  if (!product) throw new Problem(409, `${line.name} is no longer sold.`);
  const today = { ...priceOfChoice(product, { ...choice, qty }), discount: 0 };
  const then = (pieces: number, each: Pence) => ({ ...today, qty: pieces, price: each, discount: discountFor(line, each * pieces) });
  const isSamePrice = choice.size === line.size;
  const instead = isSamePrice ? { ...then(kept, line.price), discount: line.price * kept - worthOf(line, kept) } : then(kept, today.price);
  const further = price === 'then' && isSamePrice ? then(more, line.price) : { ...today, qty: more };
  return { off, added: [instead, further].filter((one) => one.qty > 0) };
}

function wantedPieces(lines: LineOfPieces[], body: CorrectionBody, products: Products): Pieces {
  const changes = body.lines.map((wish, index) => {
    if (body.lines.findIndex((other) => other.line === wish.line) !== index) throw new Problem(400, 'Name each line once.');
    const line = lines.find(({ position }) => position === wish.line);
    if (!line || line.unsent === 0) throw new Problem(409, 'This item is no longer part of the order.');
    return changeOf(line, wish, products);
  });
  const added = body.added.map(({ product: id, ...choice }) => {
    const product = products.get(id);
    if (!product) throw new Problem(409, 'This product is no longer sold.');
    return { ...priceOfChoice(product, choice), discount: 0 };
  });
  return { off: changes.flatMap(({ off }) => off), added: [...changes.flatMap((one) => one.added), ...added] };
}

/** Throws 400 or 409 for pieces that an order cannot have, or that are not in stock. Pieces that are taken off count as being there. */
function checkPieces(order: LockedOrder, lines: LineOfPieces[], { off, added }: Pieces, products: Products): void {
  if (off.length + added.length === 0) throw new Problem(400, 'Change something first.');
  const goneOf = (position: number) => off.find((one) => one.position === position)?.qty ?? 0;
  const rest = lines.map((line) => ({ ...line, qty: line.left - goneOf(line.position) }));
  if (added.length === 0 && lines.every(({ position, unsent }) => unsent === goneOf(position)))
    throw new Problem(409, 'Nothing would be left to send. Cancel the order instead.');
  if (lines.length + added.length > MAX_LINES)
    throw new Problem(409, `An order can have at most ${MAX_LINES} lines, with those that were taken off.`);
  if (order.subTotalPrice + sumOf(added) > MAX_ORDER_TOTAL)
    throw new Problem(409, `An order can come to at most ${pounds(MAX_ORDER_TOTAL)}.`);
  checkQuantities([...rest, ...added]);
  checkStock(added, products);
}

/** Products with the pieces that are taken off, as if these were back. */
function withBack(products: Products, off: LineOfPieces[]): Products {
  const back = new Map<string, number>();
  const add = (key: string, qty: number) => back.set(key, (back.get(key) ?? 0) + qty);
  for (const { productId, size, qty } of off) {
    const isThere = products.get(productId)?.sizes.some((one) => one.size === size) || products.get(productId)?.sizes.length === 0;
    if (isThere) add(productId, qty);
    if (isThere && size !== null) add(`${productId}/${size}`, qty);
  }
  return new Map([...products].map(([id, product]) => [id, withHeld(product, back)]));
}

/** What delivery costs less once there are more goods. It never costs more. */
function deliveryOffOf(
  { config: { delivery } }: Pick<Needs, 'config'>,
  order: LockedOrder,
  lines: LineOfPieces[],
  { off, added }: Pieces,
): Pence {
  const before = sumOf(lines.map(({ price, left: qty }) => ({ price, qty })));
  const after = before - sumOf(off) + sumOf(added);
  if (after <= before) return 0;
  const now = methodsFor(delivery.methods, after, areaOf(delivery.areas, order)).find(({ id }) => id === order.shippingMethod);
  return now ? Math.max(0, order.shippingPrice - order.deliveryOff - now.price) : 0;
}

async function planOf(tx: Tx, services: Pick<Needs, 'config'>, order: LockedOrder, body: CorrectionBody): Promise<Plan> {
  const lines = await readPieces(tx, order.id);
  const ids = [...lines.map(({ productId }) => productId), ...body.added.map(({ product }) => product)];
  const locked = await lockProducts(tx, [...new Set(ids.filter(isId))]);
  const pieces = wantedPieces(lines, body, locked);
  const products = withBack(locked, pieces.off);
  checkPieces(order, lines, pieces, products);
  const left = order.paidAt ? refundable(order) : order.totalPrice - order.waivedPrice;
  const goods = Math.min(
    left,
    pieces.off.reduce((sum, line) => sum + worthOf(line, line.qty), 0),
  );
  const deliveryOff = Math.min(left - goods, deliveryOffOf(services, order, lines, pieces));
  const addedPrice = pieces.added.reduce((sum, line) => sum + paidFor(line), 0);
  return { ...pieces, offPrice: goods + deliveryOff, deliveryOff, addedPrice, products };
}

/** Throws 409 for an order that is paid and would cost more. */
function checkPaid({ paidAt, paymentMethod }: LockedOrder, difference: Pence): void {
  if (!paidAt || difference <= 0) return;
  const more = `This would cost ${pounds(difference)} more, and the order is paid.`;
  const next =
    paymentMethod === PAYMENT_METHOD.card
      ? 'Take as much off, or ask the customer to order the rest separately.'
      : 'Take back the cash received first, and record the whole sum when you have it.';
  throw new Problem(409, `${more} ${next}`);
}

/** Takes pieces off an order and restocks them. Those of a paid order have their price back: as a refund, or in what was added. */
async function takeOff(tx: Tx, order: LockedOrder, off: LineOfPieces[], actor: string): Promise<void> {
  for (const { position, qty } of off)
    await tx
      .updateTable('orderItems')
      .set((eb) => ({
        cancelledQty: eb('cancelledQty', '+', qty),
        ...(order.paidAt && { refundedQty: sql<number>`least(qty, refunded_qty + ${qty})` }),
      }))
      .where('orderId', '=', order.id)
      .where('position', '=', position)
      .execute();
  if (off.length > 0) await giveStockBack(tx, order.id, off, { reason: 'cancelled', actor });
}

/** Adds lines to an order, takes their stock, and issues their invoice. */
async function addLines(tx: Tx, { config }: Pick<Needs, 'config'>, order: LockedOrder, { added, products }: Plan): Promise<void> {
  const { rows } = await sql<{ position: number; part: number }>`
    select max(position) + 1 as position, max(part) + 1 as part from order_items where order_id = ${order.id}`.execute(tx);
  const { position: first, part } = rows[0] ?? { position: 0, part: 1 };
  await takeStock(tx, { config }, order.id, products, added);
  const rateOf = (id: string) => config.vat?.rates[products.get(id)?.vatClass ?? 'standard'] ?? null;
  const items = added.map((line, index) => ({
    orderId: order.id,
    position: first + index,
    part,
    vatRate: rateOf(line.productId),
    ...line,
  }));
  await tx.insertInto('orderItems').values(items).execute();
  await issuePart(tx, config, order.id, part);
}

/** The promise of an order that has to wait for what was added; nothing if it has not. */
function promiseAfter(
  { config }: Pick<Needs, 'config'>,
  order: LockedOrder,
  { added, products }: Plan,
): Partial<ReturnType<typeof promiseAgain>> & { readyAt?: string } {
  const ready = readyAt(
    new Date().toISOString(),
    added.flatMap(({ productId }) => products.get(productId) ?? []),
  );
  if (!ready || (order.readyAt && Date.parse(ready) <= Date.parse(order.readyAt))) return {};
  const method = methodOf(offerOf(config, order), order.shippingMethod);
  return { readyAt: ready, ...promiseAgain(config, order, ready, method, order) };
}

const moneyText = (difference: Pence): string => {
  if (difference === 0) return 'The price stays';
  return difference > 0 ? `${pounds(difference)} more` : `${pounds(-difference)} less`;
};

async function carryOut(tx: Tx, { config }: Pick<Needs, 'config'>, who: Admin, order: LockedOrder, plan: Plan): Promise<void> {
  const { off, added, offPrice, addedPrice, deliveryOff } = plan;
  const [takenOff, more, difference] = [textOf(off), textOf(added), addedPrice - offPrice];
  const refund = order.paidAt ? -difference : 0;
  if (refund > 0) proven(who);
  const { lostDay, ...promise } = promiseAfter({ config }, order, plan);
  const lost = lostDay && `The chosen day, ${dayText(lostDay)}, cannot be kept`;
  const detail = [takenOff && `Taken off: ${takenOff}`, more && `Added: ${more}`, moneyText(difference), lost].filter(Boolean).join('. ');
  const columns = {
    subTotalPrice: order.subTotalPrice + sumOf(added),
    discount: order.discount + added.reduce((sum, { discount }) => sum + discount, 0),
    totalPrice: order.totalPrice + addedPrice,
    // Of a paid order, what is taken off pays for what is added; the rest is refunded.
    waivedPrice: order.waivedPrice + (order.paidAt ? addedPrice : offPrice),
    deliveryOff: order.deliveryOff + deliveryOff,
    ...promise,
  };
  const changed = await change(tx, order, 'correctPieces', columns, { actor: who.name, detail });
  await takeOff(tx, order, off, who.name);
  if (added.length > 0) await addLines(tx, { config }, changed, plan);
  const reason = 'Order corrected';
  if (refund > 0)
    await startRefund(tx, { config }, changed, { amount: refund, reason, detail: takenOff, actor: who.name, isAnnounced: true });
  await creditOrder(tx, order.id, { reason, detail: takenOff || 'Delivery' });
  await recordChange(tx, who, 'order', order.id, `Corrected the order. ${detail}`);
  const news = { takenOff, added: more, refund, byCard: order.providerPaymentId !== null, lostDay };
  await tellCustomer(tx, order.id, (told) => orderCorrectedMail(config, told, news));
}

/**
 * Changes the pieces of an order that have not left, or only says what that comes to (decision 138). Stock, invoices and sums follow, and the customer is
 * told. Throws 404, 400, 403 for a refund without re-authentication, and 409 once it is too late, if the order has changed since it was looked at, if the
 * difference is not the expected one, for pieces that are not there, and for a paid order that would cost more.
 */
export async function correctOrder(services: Needs, who: Admin, id: string, body: CorrectionBody): Promise<Correction> {
  const said = await transactionOf(services.db, who, async (tx) => {
    const order = await lockListed(tx, id);
    if (!isAllowed('correctPieces', order.status)) throw new Problem(409, refusalOf('correctPieces', order));
    checkRevision(order, body.revision);
    const plan = await planOf(tx, services, order, body);
    const difference = plan.addedPrice - plan.offPrice;
    checkPaid(order, difference);
    if (typeof body.expected === 'number') {
      if (body.expected !== difference) throw new Problem(409, `This now means: ${moneyText(difference)}. Please check again.`);
      await carryOut(tx, services, who, order, plan);
    }
    return { difference, deliveryOff: plan.deliveryOff, takenOff: textOf(plan.off), added: textOf(plan.added) };
  });
  return { ...said, order: typeof body.expected === 'number' ? await readOrder(services.db, who, id) : null };
}
