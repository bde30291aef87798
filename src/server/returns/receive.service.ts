import { may } from '#contract/accounts/roles.ts';
import { type Pence, pounds } from '#contract/market/money.ts';
import { entitle, entitleLess } from '#contract/market/owed.ts';
import type { Order } from '#contract/orders/orders.ts';
import { Problem } from '#contract/platform/problem.ts';
import { RETURN_REASONS, type ReturnReason } from '#contract/returns/return-reasons.ts';
import { type Receipt, refundDueOf } from '#contract/returns/returns.ts';
import { recordChange } from '#server/context/audit.ts';
import { type Admin, proven, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { returnReceivedMail } from '#server/mail/return-mails.ts';
import { dueOf } from '#server/orders/corrections/payment-link.service.ts';
import { type LineOfPieces, piecesText, shareAgain } from '#server/orders/lines/parcels.service.ts';
import { takeBackPieces } from '#server/orders/lines/returns.service.ts';
import { offeredMethods } from '#server/orders/promised-window.ts';
import { readOrder } from '#server/orders/read.service.ts';
import { creditChange, payForOwed, storeSums } from '#server/orders/refunds/owed.service.ts';
import { checkRefundable, refundable } from '#server/orders/refunds/refundable.ts';
import { startRefund } from '#server/orders/refunds/refunds.service.ts';
import { pricesToRefund, settlePieces } from '#server/orders/refunds/settled-pieces.service.ts';
import { countWriteOff, uncountedOf } from '#server/orders/refunds/write-offs.service.ts';
import { type LockedOrder, tellCustomer } from '#server/orders/transitions.service.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { changeReturns, lockReturn } from './returns.service.ts';

type Needs = Pick<Services, 'db' | 'config'>;
type LockedReturn = Awaited<ReturnType<typeof lockReturn>>;

/** Pieces of a line that came back: `qty` of them, restocked or spoiled. */
interface Arrived extends LineOfPieces {
  restocked: number;
  spoiled: number;
}

const NOTHING_CAME = 'Enter what came back. If nothing did, refuse the return.';

/** Checks the pieces that came back against the return and the order. Throws 400 and 409. */
function arrivedOf({ orderReturn, items }: LockedReturn, lines: Receipt['lines']): Arrived[] {
  const arrived = items.flatMap((item) => {
    const entered = lines.filter(({ line }) => line === item.position);
    const sum = (name: 'restocked' | 'spoiled') => entered.reduce((all, entry) => all + entry[name], 0);
    const [restocked, spoiled] = [sum('restocked'), sum('spoiled')];
    return restocked + spoiled > 0 ? [{ ...item, restocked, spoiled, qty: restocked + spoiled }] : [];
  });
  if (arrived.length === 0) throw new Problem(400, NOTHING_CAME, { lines: NOTHING_CAME });
  for (const { position, qty, left, name } of arrived) {
    const most = orderReturn.pieces.find(({ line }) => line === position)?.qty ?? 0;
    if (qty > most)
      throw new Problem(409, most > 0 ? `Only ${most} of ${name} can come back with this return.` : `${name} is not part of this return.`);
    if (qty > left) throw new Problem(409, `${name} has already come back.`);
  }
  return arrived;
}

/** Stores what came back in the return and the order, and restocks what can be sold again. */
async function store(tx: Tx, who: Admin, { orderReturn, order }: LockedReturn, arrived: Arrived[], answer: string): Promise<void> {
  for (const { position, restocked, spoiled } of arrived)
    await tx
      .updateTable('orderReturnItems')
      .set({ restockedQty: restocked, spoiledQty: spoiled })
      .where('returnId', '=', orderReturn._id)
      .where('position', '=', position)
      .execute();
  const received = { status: 'received', receivedAt: new Date().toISOString(), ...(answer && { answer }) };
  await tx.updateTable('orderReturns').set(received).where('id', '=', orderReturn._id).execute();
  await takeBackPieces(tx, order.id, arrived, who.name);
}

/**
 * The part of the delivery price that is refunded with the order's last piece: at most the price of the usual delivery, the first of the methods (Consumer
 * Contracts Regulations 2013, regulation 34), or all of it if the shop is at fault.
 */
function deliveryDueFor(
  { config }: Pick<Needs, 'config'>,
  order: Pick<LockedOrder, 'shippingPrice' | 'deliveryOff' | 'deliveryOffer' | 'subTotalPrice'>,
  reason: string,
): Pence {
  const usualPrice = offeredMethods(config, order)[0]?.price ?? 0;
  const shipping = order.shippingPrice - order.deliveryOff;
  const isOurs = RETURN_REASONS[reason as ReturnReason]?.isOurs ?? false;
  return isOurs ? shipping : Math.min(shipping, usualPrice);
}

/** Reads what the screen needs to name the refund of a return before it is recorded. Throws 404. */
export async function readReturnTerms({ db, config }: Needs, _: Admin, id: string): Promise<{ delivery: Pence }> {
  const { reason, ...order } = await db
    .selectFrom('orderReturns')
    .innerJoin('orders', 'orders.id', 'orderId')
    .select(['reason', 'shippingPrice', 'deliveryOff', 'deliveryOffer', 'subTotalPrice'])
    .where('orderReturns.id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem(404, 'Return not found'));
  return { delivery: deliveryDueFor({ config }, order, reason) };
}

/** The refund due for pieces that came back. */
function refundDueFor(services: Pick<Needs, 'config'>, locked: LockedReturn, arrived: Arrived[]): Pence {
  const lines = locked.items.map((item) => ({ ...item, came: arrived.find(({ position }) => position === item.position)?.qty ?? 0 }));
  return refundDueOf(lines, deliveryDueFor(services, locked.order, locked.orderReturn.reason));
}

const WHY_LESS = 'Tell the customer why you refund less than they paid for the pieces.';

/**
 * The amount to refund, or to waive for an unpaid order: what is due now, less with a reason, or more with the right to move money. `price` is due for the
 * pieces in all, without what was written off for them. Throws 400, 403 and 409.
 */
function amountOf(who: Admin, order: LockedOrder, owed: number, { amount, answer }: Receipt): { amount: Pence; due: Pence; price: Pence } {
  const most = order.paidAt ? refundable(order) : order.totalPrice - order.waivedPrice;
  const price = owed - Math.min(uncountedOf(order), Math.max(0, owed - (amount ?? 0)));
  const due = order.paidAt ? entitle(order, price).refund : Math.min(price, most);
  if (amount === null || amount === undefined) return { amount: due, due, price };
  if (amount > most) throw new Problem(409, `At most ${pounds(most)} of this order can still be refunded.`);
  if (amount > due && !may(who, 'move money'))
    throw new Problem(403, `At most ${pounds(due)} is due for these pieces. Only staff who may move money can refund more.`);
  if (amount < due && answer === '') throw new Problem(400, WHY_LESS, { answer: WHY_LESS });
  return { amount, due, price };
}

/**
 * Records what came back of an approved return, and in what condition: restocks what can be sold again, refunds or waives the price, and mails the
 * customer. Throws 404, 400, 403 for a refund without re-authentication, and 409 for a return that was not approved.
 */
export async function receiveReturn(services: Needs, who: Admin, id: string, body: Receipt): Promise<Order> {
  const { db, config } = services;
  const orderId = await transactionOf(db, who, async (tx) => {
    const locked = await lockReturn(tx, id);
    const { order, orderReturn } = locked;
    if (orderReturn.status !== 'approved') throw new Problem(409, 'This return is not waiting for any pieces.');
    checkRefundable(order, body.refundable);
    const arrived = arrivedOf(locked, body.lines);
    const owed = refundDueFor(services, locked, arrived);
    const { amount, due, price } = amountOf(who, order, owed, body);
    if (order.paidAt && amount > 0) proven(who);
    const text = piecesText(arrived);
    await store(tx, who, locked, arrived, body.answer);
    const event = { actor: who.name, detail: conditionOf(arrived) };
    const columns = order.paidAt ? {} : { waivedPrice: order.waivedPrice + amount };
    const changed = await changeReturns(tx, order, 'receiveReturn', event, columns);
    if (!order.paidAt) await shareAgain(tx, order.id);
    await countWriteOff(tx, order, owed - price);
    await settlePieces(tx, order.id, arrived);
    const goodwill = await storeReturned(tx, order, { amount, due, price });
    const refund = {
      amount,
      goodwill,
      pieces: pricesToRefund(arrived),
      reason: 'Returned',
      detail: text,
      actor: who.name,
      isAnnounced: true,
    };
    if (order.paidAt && amount > 0) await startRefund(tx, services, changed, refund);
    await creditChange(tx, order.id, { reason: 'Returned', detail: text, waived: order.paidAt ? 0 : amount, pieces: refund.pieces });
    const given = amount > 0 && `${order.paidAt ? 'refunded' : 'waived'} ${pounds(amount)}`;
    await recordChange(tx, who, 'order', order.id, [`Received the return of ${text}`, given].filter(Boolean).join(', '));
    const mailDetails = {
      text,
      amount,
      isPaid: order.paidAt !== null,
      byCard: order.providerPaymentId !== null,
      isDisputed: order.disputedPrice > 0 && due === 0 && price > 0,
      answer: body.answer,
    };
    await tellCustomer(tx, order.id, (mailOrder) => returnReceivedMail(config, mailOrder, mailDetails));
    return order.id;
  });
  return readOrder(db, who, orderId);
}

/** Stores what a return makes of an order's sums: what staff did not give back is kept. Returns the part of the refund that is goodwill. */
async function storeReturned(
  tx: Tx,
  order: LockedOrder,
  { amount, due, price }: Record<'amount' | 'due' | 'price', Pence>,
): Promise<Pence> {
  if (!order.paidAt) {
    await storeSums(tx, order.id, { entitledPrice: 0, keptPrice: Math.max(0, order.keptPrice + Math.min(price, dueOf(order)) - amount) });
    return 0;
  }
  if (amount < due) {
    await storeSums(tx, order.id, entitleLess(order, price, amount));
    return 0;
  }
  return payForOwed(tx, order, { ...order, entitledPrice: entitle(order, price).entitledPrice }, amount);
}

/** `1 × Lamp back in stock, 1 × Lamp not to be sold again`. */
function conditionOf(arrived: Arrived[]): string {
  const words = (piece: Arrived, qty: number, what: string) => (qty > 0 ? [`${piecesText([{ ...piece, qty }])} ${what}`] : []);
  return arrived
    .flatMap((piece) => [...words(piece, piece.restocked, 'back in stock'), ...words(piece, piece.spoiled, 'not to be sold again')])
    .join(', ');
}
