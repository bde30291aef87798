import { sql } from 'kysely';
import { pounds } from '#contract/market/money.ts';
import { type Order, PAYMENT_METHOD, type RefundBody } from '#contract/orders/orders.ts';
import type { LinePieces } from '#contract/orders/pieces.schema.ts';
import { Problem } from '#contract/platform/problem.ts';
import { recordChange } from '#server/context/audit.ts';
import { type ProvenAdmin, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { creditOrder } from '#server/invoices/issue.service.ts';
import { orderRefundedMail } from '#server/mail/order-mails.ts';
import { type LineOfPieces, mergePieces, piecesText, readPieces } from '#server/orders/lines/parcels.service.ts';
import { takeBackPieces } from '#server/orders/lines/returns.service.ts';
import { isStuck, readOrder } from '#server/orders/read.service.ts';
import { isRefundRepeated, type KeyedRequest, keyedRequest } from '#server/orders/rules/idempotency.ts';
import { isAllowed, refusalOf } from '#server/orders/rules/states.ts';
import { change, type LockedOrder, lockListed, recordEvent, tellCustomer } from '#server/orders/transitions.service.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { isId, newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { refundable, refusalOfMore } from './refundable.ts';

type Needs = Pick<Services, 'db' | 'config'>;

interface Wish {
  amount: number;
  reason: string;
  detail: string;
  actor: string;
  /** The pieces whose price it is. */
  lines?: { position: number; qty: number }[];
  /** The money has already been handed over. */
  isPaidBack?: boolean;
  /** A mail of the same event says that the money is coming. */
  isAnnounced?: boolean;
  request?: KeyedRequest | undefined;
}

/** Whether the order was paid through the provider, which then pays back as well. */
const isByCard = ({ paymentMethod, providerPaymentId }: LockedOrder) => paymentMethod === PAYMENT_METHOD.card && providerPaymentId !== null;

/** Asks the provider in a job, so that nobody waits for it and no failure of the network loses the refund. */
export const queueRefund = (tx: Tx, refundId: string): Promise<void> =>
  enqueue(tx, 'sendRefund', { refundId }, { key: `refund ${refundId}` });

/**
 * Starts to give money of a locked order back: through the provider where it was paid by card; otherwise a person pays it back and says so.
 * Throws 409 where more would go back than was paid.
 */
export async function startRefund(tx: Tx, order: LockedOrder, wish: Wish): Promise<LockedOrder> {
  const { amount, reason, detail, actor, lines = [], isPaidBack = false, isAnnounced = false, request } = wish;
  if (!isAllowed('refund', order.status)) throw new Problem(409, refusalOf('refund', order));
  if (amount > refundable(order)) throw new Problem(409, refusalOfMore(order));
  const [id, isByHand] = [newId(), !isByCard(order)];
  const status = isByHand && isPaidBack ? 'done' : 'pending';
  const keyed = { requestKey: request?.key ?? null, requestHash: request?.payloadHash ?? null };
  await tx
    .insertInto('orderRefunds')
    .values({ id, orderId: order.id, amount, reason, detail, actor, isByHand, status, isAnnounced, ...keyed })
    .execute();
  for (const { position, qty } of lines)
    await tx
      .updateTable('orderItems')
      .set({ refundedQty: sql<number>`least(qty, refunded_qty + ${qty})` })
      .where('orderId', '=', order.id)
      .where('position', '=', position)
      .execute();
  const kind = status === 'done' ? 'refunded' : 'refund started';
  const event = { kind, actor, detail: [pounds(amount), reason, detail].filter(Boolean).join('. ') } as const;
  const changed = await change(tx, order, 'refund', { refundedPrice: order.refundedPrice + amount }, event);
  if (!isByHand) await queueRefund(tx, id);
  if (status === 'done') {
    await creditOrder(tx, order.id, { reason, detail });
    await tellRefunded(tx, order.id, amount, false);
  }
  return changed;
}

/** Tells the customer that a refund has gone out. */
export const tellRefunded = (tx: Tx, orderId: string, amount: number, byCard: boolean): Promise<void> =>
  tellCustomer(tx, orderId, (order) => orderRefundedMail(order, amount, byCard));

/** What pieces of lines cost, checked against what was not given back yet; they go into stock where they are back. */
async function refundLines(tx: Tx, order: LockedOrder, wanted: LinePieces[], isRestocked: boolean) {
  const items = await readPieces(tx, order.id);
  const pieces = wanted.map(({ line, qty }) => {
    const item = items.find(({ position }) => position === line);
    if (!item) throw new Problem(400, 'Choose lines of the order.');
    const { name, unrefunded: left } = item;
    if (qty > left)
      throw new Problem(409, left > 0 ? `Only ${left} of ${name} can still be refunded.` : `${name} has already been refunded.`);
    return { ...item, qty };
  });
  if (isRestocked) await restock(tx, order, pieces);
  return {
    lines: pieces.map(({ position, qty }) => ({ position, qty })),
    price: pieces.reduce((sum, { price, qty }) => sum + price * qty, 0),
    detail: piecesText(pieces),
  };
}

async function restock(tx: Tx, order: LockedOrder, pieces: LineOfPieces[]): Promise<void> {
  if (order.dispatchedAt === null && order.deliveredAt === null)
    throw new Problem(409, 'These pieces have not left the shop. Cancel the lines instead.');
  for (const { qty, left, unsent, name } of pieces) {
    // Of an order that has left in part, only what has left can come back.
    const out = order.status === 'partly_dispatched' ? left - unsent : left;
    if (qty > out) throw new Problem(409, left > out ? `${name} has not left the shop.` : `${name} is back in stock already.`);
  }
  await takeBackPieces(
    tx,
    order.id,
    pieces.map(({ qty: restocked, ...piece }) => ({ ...piece, restocked, spoiled: 0 })),
  );
}

/**
 * Gives money of an order back: an amount, or pieces of lines, and with both the amount for those pieces. Cash is noted as paid back. The same key
 * has its effect once. Throws 404, and 409 for more than was paid.
 */
export async function refundOrder(
  services: Needs,
  who: ProvenAdmin,
  id: string,
  body: RefundBody,
  requestKey: string | undefined,
): Promise<Order> {
  const { amount, reason, isRestocked } = body;
  const wanted = mergePieces(body.lines ?? []);
  if (!amount && wanted.length === 0) throw new Problem(400, CHOOSE, { amount: CHOOSE });
  const request = keyedRequest(requestKey, [who._id, amount ?? null, reason, wanted, isRestocked]);
  await transactionOf(services.db, who, async (tx) => {
    const order = await lockListed(tx, id);
    if (await isRefundRepeated(tx, id, request)) return;
    if (refundable(order) === 0) throw new Problem(409, refusalOfMore(order));
    const { lines, price, detail } = await refundLines(tx, order, wanted, isRestocked);
    const sum = amount || Math.min(price, refundable(order));
    await startRefund(tx, order, { amount: sum, reason, detail, actor: who.name, lines, isPaidBack: true, request });
    await recordChange(tx, who, 'order', id, `Refunded ${pounds(sum)}: ${reason}`);
  });
  return readOrder(services.db, who, id);
}

const CHOOSE = 'Enter an amount, or choose pieces to refund.';

/** A refund with its order locked. Throws 404. */
async function lockRefund(tx: Tx, id: string) {
  const find = () => tx.selectFrom('orderRefunds').selectAll().where('id', '=', id).executeTakeFirst();
  const found = isId(id) ? await find() : undefined;
  if (!found) throw new Problem(404, 'Refund not found');
  const order = await lockListed(tx, found.orderId);
  // Read again under the lock: another administrator, or the provider, may have been quicker.
  return { order, refund: (await find()) ?? found };
}

/** Asks the provider again for a refund that failed, or that nobody asks for any more. Throws 404, and 409 for one that did not fail or no longer fits into what was paid. */
export async function retryRefund(services: Needs, who: ProvenAdmin, id: string): Promise<Order> {
  const orderId = await transactionOf(services.db, who, async (tx) => {
    const { order, refund } = await lockRefund(tx, id);
    if (await askAgain(tx, who, order, refund)) return order.id;
    if (refund.status !== 'failed') throw new Problem(409, 'This refund has not failed.');
    await reserve(tx, order, refund.amount, { kind: 'refund tried again', actor: who.name, detail: pounds(refund.amount) });
    // The mail that announced it is long ago: its end is told.
    const anew = { status: 'pending', attempt: refund.attempt + 1, providerRefundId: null, failure: '', isAnnounced: false };
    await tx.updateTable('orderRefunds').set(anew).where('id', '=', id).execute();
    await queueRefund(tx, id);
    await recordChange(tx, who, 'order', order.id, `Tried the refund of ${pounds(refund.amount)} again`);
    return order.id;
  });
  return readOrder(services.db, who, orderId);
}

/** Queues a refund again whose job has used up its tries; the same try, since the provider may have made it. Returns whether it was such a one. */
async function askAgain(tx: Tx, who: ProvenAdmin, order: LockedOrder, { id, amount }: { id: string; amount: number }): Promise<boolean> {
  const stuck = await tx.selectFrom('orderRefunds').select('id').where('id', '=', id).where(isStuck).executeTakeFirst();
  if (!stuck) return false;
  await queueRefund(tx, id);
  await recordEvent(tx, order.id, { kind: 'refund tried again', actor: who.name, detail: pounds(amount) });
  await recordChange(tx, who, 'order', order.id, `Tried the refund of ${pounds(amount)} again`);
  return true;
}

/** Notes that a refund was paid back by hand: one that is owed in cash, or one that the provider could not make. Throws 404, and 409 for any other. */
export async function settleRefund(services: Needs, who: ProvenAdmin, id: string): Promise<Order> {
  const orderId = await transactionOf(services.db, who, async (tx) => {
    const { order, refund } = await lockRefund(tx, id);
    const isOwed = refund.status === 'pending' && refund.isByHand;
    if (!isOwed && refund.status !== 'failed') throw new Problem(409, 'This refund is not waiting for you.');
    const event = { kind: 'refunded', actor: who.name, detail: `${pounds(refund.amount)}, by hand` } as const;
    await reserve(tx, order, isOwed ? 0 : refund.amount, event);
    await tx.updateTable('orderRefunds').set({ status: 'done', isByHand: true, failure: '' }).where('id', '=', id).execute();
    await recordChange(tx, who, 'order', order.id, `Paid ${pounds(refund.amount)} back by hand`);
    await creditOrder(tx, order.id, refund);
    await tellRefunded(tx, order.id, refund.amount, false);
    return order.id;
  });
  return readOrder(services.db, who, orderId);
}

/** Counts an amount among what goes back. Throws 409 where that is more than was paid. */
async function reserve(tx: Tx, order: LockedOrder, amount: number, event: Parameters<typeof change>[4]): Promise<void> {
  if (amount > refundable(order)) throw new Problem(409, refusalOfMore(order));
  await change(tx, order, 'refund', { refundedPrice: order.refundedPrice + amount }, event);
}
