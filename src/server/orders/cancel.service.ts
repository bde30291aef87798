import { areaOf } from '#contract/delivery/areas.ts';
import { type DeliveryMethod, methodsFor } from '#contract/delivery/methods.ts';
import { pounds } from '#contract/market/money.ts';
import { entitle, unclaimedOf } from '#contract/market/owed.ts';
import { cancelledPrice, isWholeCancelled } from '#contract/market/worth.ts';
import type { Order } from '#contract/orders/orders.ts';
import type { LinePieces } from '#contract/orders/pieces.schema.ts';
import { CANCEL_REASONS, type CancelReason, isRestockedFor } from '#contract/orders/reasons.ts';
import { Problem } from '#contract/platform/problem.ts';
import { goodsSum, isMeant } from '#contract/promotions/discount.ts';
import { recordChange } from '#server/context/audit.ts';
import { type Admin, type Customer, customerTransactionOf, proven } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { orderCancelledMail } from '#server/mail/order-mails.ts';
import { creditChange, endGoodwill } from '#server/orders/refunds/owed.service.ts';
import { countWriteOff, uncountedOf } from '#server/orders/refunds/write-offs.service.ts';
import { isOneOf } from '#server/platform/database/arrays.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { lockName } from '#server/platform/database/name-lock.ts';
import { isId } from '#server/platform/ids.ts';
import { type EarnedPromotion, listEarnedPromotions } from '#server/promotions/uses.service.ts';
import { goodsOf } from './lines/discount.service.ts';
import { type LineOfPieces, mergePieces, piecesText, readPieces } from './lines/parcels.service.ts';
import { cancelPieces } from './lines/stock.service.ts';
import { readOrder } from './read.service.ts';
import { checkRefundable } from './refunds/refundable.ts';
import { startRefund } from './refunds/refunds.service.ts';
import { pricesToRefund, priceToRefund, settlePieces } from './refunds/settled-pieces.service.ts';
import { checkUnpaidValues, lockOrdersOf } from './rules/ceilings.service.ts';
import { CUSTOMER, change, changeByStaff, type LockedOrder, lockListed, tellCustomer } from './transitions.service.ts';

type Needs = Pick<Services, 'db' | 'config'>;

interface Wish {
  /** Positions in the order's items, from 0; all by default. */
  lines?: number[] | undefined;
  pieces?: LinePieces[] | undefined;
  reason: string;
}

const countOf = (pieces: readonly { qty: number }[]): number => pieces.reduce((sum, { qty }) => sum + qty, 0);

/** The wanted ones of the pieces that can be cancelled. Throws 409 for others. */
function chosenOf(cancellable: LineOfPieces[], { lines, pieces }: Wish): LineOfPieces[] {
  if (!lines && !pieces) return cancellable;
  const wanted = pieces ? mergePieces(pieces) : [...new Set(lines)].map((line) => ({ line, qty: undefined }));
  return wanted.map(({ line, qty }) => {
    const found = cancellable.find(({ position }) => position === line);
    if (!found) throw new Problem(409, 'This item is no longer part of the order.');
    if (qty && qty > found.qty) throw new Problem(409, `Only ${found.qty} of ${found.name} can still be cancelled.`);
    return { ...found, qty: qty ?? found.qty };
  });
}

const INSTEAD = 'Please cancel the whole order and order again, or contact us.';

/** Whether a line cost half of its price or less; a penny may be rounded away. */
const isAtHalfPrice = ({ price, ordered, discount }: LineOfPieces): boolean => 2 * (discount + 1) > price * ordered;

/**
 * Throws 409 if the rest of an order would no longer earn its free delivery, its free or half-price pieces or the price of its set. Otherwise anyone could order an expensive piece
 * to earn them, and then cancel it.
 */
async function checkTerms(
  tx: Tx,
  { config: { delivery } }: Pick<Needs, 'config'>,
  order: LockedOrder,
  lines: LineOfPieces[],
  chosen: LineOfPieces[],
) {
  const staying = lines
    .map((line) => ({ ...line, qty: line.left - (chosen.find(({ position }) => position === line.position)?.qty ?? 0) }))
    .filter(({ qty }) => qty > 0);
  const restOfSet = staying.find(({ setId }) => setId && chosen.some((line) => line.setId === setId));
  if (restOfSet) throw new Problem(409, `${restOfSet.name} is part of a set at one price. Please cancel the whole set, or contact us.`);
  const after = goodsSum(staying);
  const before = after + goodsSum(chosen);
  const products = await readGoods(tx, lines);
  const isMeantForAny = (promotion: EarnedPromotion, pieces: LineOfPieces[]) => {
    const goods = pieces.map((line) => ({ ...line, productId: line.setId ?? line.productId }));
    return goodsOf(goods, products).some((line) => isMeant(promotion, line));
  };
  const promotions = await listEarnedPromotions(tx, order.id);
  for (const promotion of promotions) {
    // A discount that is spread over the pieces goes with those that are cancelled; what other pieces have earned stays.
    const isDiscount = promotion.kind === 'percent' || promotion.kind === 'amount';
    const isSpread = isDiscount && chosen.every((line) => isMeantForAny(promotion, [line]));
    // A small discount is not taken back (decision 128).
    const kept = isDiscount ? staying.filter(isAtHalfPrice) : staying;
    const stays = promotion.isFreeDelivery || (isMeantForAny(promotion, kept) && !isSpread);
    if (stays && promotion.leastSubtotal > after)
      throw new Problem(409, `“${promotion.name}” needs an order of ${pounds(promotion.leastSubtotal)}. ${INSTEAD}`);
    if (promotion.isFreeDelivery && isMeantForAny(promotion, chosen) && !isMeantForAny(promotion, staying))
      throw new Problem(409, `“${promotion.name}” does not apply without ${piecesText(chosen)}. ${INSTEAD}`);
  }
  if (promotions.some(({ isFreeDelivery }) => isFreeDelivery)) return;
  const area = areaOf(delivery.areas, order);
  const deliveryPaid = order.shippingPrice - order.deliveryOff;
  // Its delivery was not free, whatever the settings say today. Free delivery still bears the area's surcharge.
  if (deliveryPaid > (area?.surcharge ?? 0)) return;
  const isOfOrder = ({ id }: DeliveryMethod) => id === order.shippingMethod;
  // Orders of earlier versions have not stored the sum from which it was free.
  const offered = (order.deliveryOffer as DeliveryMethod[] | null)?.find(isOfOrder)?.freeFrom;
  const methods = delivery.methods.filter(isOfOrder).map((method) => ({ ...method, freeFrom: offered ?? method.freeFrom }));
  const deliveryPriceOf = (sum: number) => methodsFor(methods, sum, area)[0]?.price ?? 0;
  const price = deliveryPriceOf(after);
  if (price > deliveryPriceOf(before) && price > deliveryPaid)
    throw new Problem(409, `Without ${piecesText(chosen)}, delivery would cost ${pounds(price)}. ${INSTEAD}`);
}

/** The categories and brands of the lines' products, which promotions ask for. */
async function readGoods(tx: Tx, lines: LineOfPieces[]): Promise<Map<string, { category: string; brand: string }>> {
  const ids = lines.map(({ productId, setId }) => setId ?? productId).filter(isId);
  const rows = await tx.selectFrom('products').select(['id', 'category', 'brand']).where(isOneOf(ids)).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Who cancels, and by which steps. */
interface Canceller {
  actor: string;
  isCustomer?: true;
  wholeStep: 'cancel' | 'cancelByCustomer';
  linesStep: 'cancelLines' | 'cancelLinesByCustomer';
  /** Everything that has not left, of a partly dispatched order. */
  unsentStep: 'cancelUnsent' | 'cancelLinesByCustomer';
  /** Ends the mail's first sentence. */
  because: string;
  /** The pieces go back in stock. */
  isRestocked: boolean;
}

const BY_THE_SHOP = { wholeStep: 'cancel', linesStep: 'cancelLines', unsentStep: 'cancelUnsent' } as const;

/**
 * Cancels lines of a locked order, or all of it with its delivery: restocks the pieces if they can be sold, refunds or waives their price, and mails the
 * customer. Throws 409 if it is too late.
 */
async function cancel(tx: Tx, { config }: Pick<Needs, 'config'>, order: LockedOrder, wish: Wish, by: Canceller): Promise<string> {
  const lines = await readPieces(tx, order.id);
  // Pieces that have left the shop come back as a return or a failed delivery.
  const cancellable = lines.filter(({ unsent }) => unsent > 0).map((line) => ({ ...line, qty: line.unsent }));
  const chosen = chosenOf(cancellable, wish);
  const isAllUnsent = countOf(chosen) === countOf(cancellable);
  const cancelled = lines.map((line) => ({ ...line, chosen: chosen.find(({ position }) => position === line.position)?.qty ?? 0 }));
  const isWhole = isWholeCancelled(cancelled);
  if (by.isCustomer && !isWhole) await checkTerms(tx, { config }, order, lines, chosen);
  const pieces = piecesText(chosen);
  const event = { actor: by.actor, detail: `${pieces}. ${wish.reason}${by.isRestocked ? '' : '. Not put back in stock'}` };
  const most = order.paidAt ? unclaimedOf(order) : order.totalPrice - order.waivedPrice;
  // Of an unpaid order that ends, nothing is owed any more, whatever staff kept of what came back.
  const keptPrice = order.paidAt ? order.keptPrice : 0;
  const due = cancelledPrice(cancelled, { most, keptPrice, writtenOff: uncountedOf(order) });
  // A bank may hold a part of it back.
  const { refund: amount, entitledPrice } = order.paidAt ? entitle(order, due) : { refund: due, entitledPrice: 0 };
  const columns = order.paidAt
    ? { entitledPrice, dueBack: isWhole ? order.totalPrice - order.waivedPrice - order.keptPrice : null }
    : { waivedPrice: order.waivedPrice + amount };
  const changed = await change(tx, order, isWhole ? by.wholeStep : isAllUnsent ? by.unsentStep : by.linesStep, columns, event);
  await cancelPieces(tx, order.id, chosen, by);
  const isRefunded = order.paidAt !== null && amount > 0;
  await countWriteOff(tx, order, priceToRefund(chosen) - due);
  await settlePieces(tx, order.id, chosen);
  if (isWhole) await endGoodwill(tx, order.id);
  const refund = { amount, pieces: pricesToRefund(chosen), reason: 'Cancelled', detail: pieces, actor: by.actor, isAnnounced: true };
  if (isRefunded) await startRefund(tx, { config }, changed, refund);
  await creditChange(tx, order.id, { reason: 'Cancelled', detail: pieces, waived: order.paidAt ? 0 : amount, pieces: refund.pieces });
  const mailDetails = {
    pieces: isWhole ? '' : pieces,
    cancelled: chosen.map(({ position, qty }) => ({ line: position, qty })),
    because: by.because,
    refund: isRefunded ? amount : 0,
    byCard: order.providerPaymentId !== null,
    isDisputed: order.disputedPrice > 0,
  };
  await tellCustomer(tx, order.id, (mailOrder) => orderCancelledMail(config, mailOrder, mailDetails));
  return `${isWhole ? 'Cancelled' : `Cancelled ${pieces}`}${by.isRestocked ? '' : ', not put back in stock'}`;
}

/**
 * Cancels the customer's own order, or lines of it, before it is packed. Throws 404 for anyone else's, and 409 if it is too late, if the rest would lose
 * what its sum has made free, or if unpaid orders were taken because this one was paid.
 */
export async function cancelOwnOrder(services: Needs, who: Customer, id: string, wish: Wish): Promise<Order> {
  await customerTransactionOf(services.db, who, async (tx) => {
    // Not beside an order of the same account, which would still count this one's payment.
    await lockOrdersOf(tx, who);
    const order = await lockListed(tx, id);
    if (order.userId !== who._id) throw new Problem(404, 'Order not found');
    await cancel(tx, services, order, wish, {
      actor: CUSTOMER,
      isCustomer: true,
      wholeStep: 'cancelByCustomer',
      linesStep: 'cancelLinesByCustomer',
      unsentStep: 'cancelLinesByCustomer',
      because: 'as you asked',
      isRestocked: true,
    });
    if (!order.paidAt) return;
    // Until commit, so that of several cancellations each counts those before. After all other locks, against deadlocks.
    await lockName(tx, 'cancelled by customers');
    await checkUnpaidValues(tx, services, who);
  });
  return readOrder(services.db, who, id);
}

/** What staff cancel; `revision` and `refundable` are those that they have seen. */
type CancelWish = Wish & {
  reason: CancelReason;
  isRestocked?: boolean | undefined;
  revision?: number | undefined;
  refundable?: number | undefined;
};

/**
 * Cancels an order, or lines of it, before dispatch or after a failed delivery. Throws 404, 409 if it is too late, and 403 for a refund without
 * re-authentication.
 */
export function cancelOrder(services: Needs, who: Admin, id: string, wish: CancelWish): Promise<Order> {
  return changeByStaff(services.db, who, id, wish.revision, async (tx, order) => {
    checkRefundable(order, wish.refundable);
    if (order.paidAt) proven(who);
    const { reason, isRestocked = isRestockedFor(reason) } = wish;
    const by: Canceller = { actor: who.name, ...BY_THE_SHOP, because: CANCEL_REASONS[reason], isRestocked };
    await recordChange(tx, who, 'order', id, await cancel(tx, services, order, wish, by));
  });
}

/** Cancels a locked, unsent order that was not paid in time, and mails the customer. */
export async function cancelUnpaid(tx: Tx, services: Pick<Needs, 'config'>, order: LockedOrder): Promise<void> {
  const by: Canceller = { actor: 'The shop', ...BY_THE_SHOP, because: 'as it was not paid in time', isRestocked: true };
  await cancel(tx, services, order, { reason: 'Not paid in time' }, by);
}
