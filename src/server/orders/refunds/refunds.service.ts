import { sql } from 'kysely';
import { type Pence, pounds } from '#contract/market/money.ts';
import { refundNow } from '#contract/market/worth.ts';
import { type Order, PAYMENT_METHOD, type RefundBody } from '#contract/orders/orders.ts';
import type { LinePieces } from '#contract/orders/pieces.schema.ts';
import { PAID_BACK_BY, type PaidBackBy } from '#contract/orders/reasons.ts';
import { Problem } from '#contract/platform/problem.ts';
import { recordChange } from '#server/context/audit.ts';
import { type ProvenAdmin, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { orderRefundedMail } from '#server/mail/order-mails.ts';
import { type LineOfPieces, mergePieces, piecesText, readPieces } from '#server/orders/lines/parcels.service.ts';
import { takeBackPieces } from '#server/orders/lines/returns.service.ts';
import { isStuck, readOrder } from '#server/orders/read.service.ts';
import { isRefundRepeated, type KeyedRequest, keyedRequest } from '#server/orders/rules/idempotency.ts';
import { isAllowed, refusalOf } from '#server/orders/rules/states.ts';
import {
  change,
  changeByStaff,
  endCorrection,
  type LockedOrder,
  lockListed,
  type OrderEvent,
  recordEvent,
  tellCustomer,
} from '#server/orders/transitions.service.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { countLoss, creditChange } from './lost-disputes.service.ts';
import { heldOf, refundable, refusalOfMore } from './refundable.ts';
import { listOwed, noteKept, payForOwed, payForPieces, priceToRefund, settlePieces } from './settled-pieces.service.ts';
import { countWriteOff, uncountedOf } from './write-offs.service.ts';

type Needs = Pick<Services, 'db' | 'config'>;

interface Wish {
  amount: number;
  reason: string;
  detail: string;
  actor: string;
  /** Already paid back by hand. */
  isPaidBack?: boolean;
  paidBackBy?: PaidBackBy | undefined;
  /** Another mail says what goes back. */
  isAnnounced?: boolean;
  request?: KeyedRequest | undefined;
}

/** Whether the provider makes the refund. */
const isByCard = ({ paymentMethod, providerPaymentId }: LockedOrder) => paymentMethod === PAYMENT_METHOD.card && providerPaymentId !== null;

/** Requests a refund at the provider by a job, which retries. */
export const queueRefund = (tx: Tx, refundId: string): Promise<void> =>
  enqueue(tx, 'sendRefund', { refundId }, { key: `refund ${refundId}` });

/** The history's reason for a correction that a refund has ended. */
export const REFUNDED = 'Some of the order was refunded';

/**
 * Divides a refund among the card payments of an order, the first one first, whose `paymentId` is null: the order has it. An order has further payments if
 * corrections have cost more.
 */
async function sharesOf(tx: Tx, order: LockedOrder, amount: number): Promise<{ paymentId: string | null; amount: number }[]> {
  const further = await tx
    .selectFrom('orderPayments')
    .select(['paymentId', 'amount'])
    .where('orderId', '=', order.id)
    .orderBy('paidAt')
    .execute();
  if (further.length === 0) return [{ paymentId: null, amount }];
  const made = await tx
    .selectFrom('orderRefunds')
    .select(['paymentId', 'amount'])
    .where('orderId', '=', order.id)
    .where('status', '<>', 'failed')
    .execute();
  const disputes = await tx
    .selectFrom('orderDisputes')
    .select(['disputedPaymentId', 'amount'])
    .where('orderId', '=', order.id)
    .where('status', 'in', ['open', 'lost'])
    .execute();
  const firstAmount = further.reduce((sum, payment) => sum - payment.amount, order.totalPrice - order.waivedPrice);
  let left = amount;
  const shares = [{ paymentId: null, amount: firstAmount }, ...further].map(({ paymentId, amount: paid }, index) => {
    const gone = [
      ...made.filter((refund) => refund.paymentId === paymentId),
      ...disputes.filter(({ disputedPaymentId }) => disputedPaymentId === (paymentId ?? order.providerPaymentId)),
    ].reduce((sum, part) => sum + part.amount, 0);
    // The last takes the rest, even without room for it: the provider then refuses it, and a person pays it back by hand.
    const isLast = index === further.length;
    const share = isLast ? left : Math.min(left, Math.max(0, paid - gone));
    left -= share;
    return { paymentId, amount: share };
  });
  return shares.filter((share) => share.amount > 0);
}

/** Starts a refund of a locked order: at the provider for a card payment, else by hand. Throws 409 for more than can be refunded. */
export async function startRefund(tx: Tx, services: Pick<Needs, 'config'>, order: LockedOrder, wish: Wish): Promise<LockedOrder> {
  const { amount, reason, detail, actor, isPaidBack = false, paidBackBy, isAnnounced = false, request } = wish;
  if (!isAllowed('refund', order.status)) throw new Problem(409, refusalOf('refund', order));
  const isByHand = !isByCard(order);
  const status = isByHand && isPaidBack ? 'done' : 'pending';
  const kind = status === 'done' ? 'refunded' : 'refund started';
  const byHand = status === 'done' && paidBackBy ? `Paid back ${PAID_BACK_BY[paidBackBy]}` : '';
  const changed = await reserve(tx, order, amount, {
    kind,
    actor,
    detail: [pounds(amount), reason, detail, byHand].filter(Boolean).join('. '),
  });
  const shares = isByHand ? [{ paymentId: null, amount }] : await sharesOf(tx, order, amount);
  const rows = shares.map((share, index) => ({
    id: newId(),
    orderId: order.id,
    ...share,
    reason,
    detail,
    actor,
    isByHand,
    paidBackBy: (status === 'done' && paidBackBy) || null,
    status,
    isAnnounced,
    // Only the first has the key, which is unique in an order.
    requestKey: index === 0 ? (request?.key ?? null) : null,
    requestHash: index === 0 ? (request?.payloadHash ?? null) : null,
  }));
  await tx.insertInto('orderRefunds').values(rows).execute();
  if (!isByHand) for (const { id } of rows) await queueRefund(tx, id);
  if (status === 'done') {
    await creditChange(tx, order.id, { reason, detail });
    await tellRefunded(tx, services, order.id, { amount, byCard: false });
  }
  return changed;
}

/** Mails the customer about a refund that was made. One that another mail has announced is told only with its credit note. */
export const tellRefunded = (
  tx: Tx,
  { config }: Pick<Needs, 'config'>,
  orderId: string,
  { amount, byCard, isAnnounced = false }: { amount: number; byCard: boolean; isAnnounced?: boolean },
): Promise<void> => tellCustomer(tx, orderId, (order) => orderRefundedMail(config, order, amount, byCard), { needsDocuments: isAnnounced });

/** Checks pieces against what was not refunded yet, and restocks them if they are back. */
async function preparePieces(tx: Tx, who: ProvenAdmin, order: LockedOrder, wanted: LinePieces[], isRestocked: boolean) {
  const items = await readPieces(tx, order.id);
  const pieces = wanted.map(({ line, qty }) => {
    const item = items.find(({ position }) => position === line);
    if (!item) throw new Problem(400, 'Choose lines of the order.');
    const { name, unrefunded: left } = item;
    if (qty > left)
      throw new Problem(409, left > 0 ? `Only ${left} of ${name} can still be refunded.` : `${name} has already been refunded.`);
    return { ...item, qty, isOwed: !isRestocked };
  });
  if (isRestocked) await restock(tx, who, order, pieces);
  return pieces;
}

/** Throws 409 for more than what an earlier refund has left of the pieces' price. */
function checkRest(pieces: readonly LineOfPieces[], amount: number): void {
  const rest = priceToRefund(pieces);
  const before = priceToRefund(pieces.map((line) => ({ ...line, partialRefund: 0 }))) - rest;
  if (before > 0 && amount > rest)
    throw new Problem(
      409,
      `${pounds(before)} was already refunded for these pieces, so ${pounds(rest)} of their price is left. To refund more, enter an amount without pieces.`,
    );
}

async function restock(tx: Tx, who: ProvenAdmin, order: LockedOrder, pieces: LineOfPieces[]): Promise<void> {
  if (order.dispatchedAt === null && order.deliveredAt === null)
    throw new Problem(409, 'These pieces have not left the shop. Cancel the lines instead.');
  for (const { qty, left, unsent, name } of pieces) {
    // Of a partly dispatched order, only pieces that have left can come back.
    const sent = order.status === 'partly_dispatched' ? left - unsent : left;
    if (qty > sent) throw new Problem(409, left > sent ? `${name} has not left the shop.` : `${name} is already back in stock.`);
  }
  await takeBackPieces(
    tx,
    order.id,
    pieces.map(({ qty: restocked, ...piece }) => ({ ...piece, restocked, spoiled: 0 })),
    who.name,
  );
}

/**
 * Refunds an amount, or pieces at their price, or pieces at an amount. A cash refund counts as paid back. Idempotent by key. Throws 404, and 409 for
 * more than can be refunded.
 */
export async function refundOrder(
  services: Needs,
  who: ProvenAdmin,
  id: string,
  body: RefundBody,
  requestKey: string | undefined,
): Promise<Order> {
  const { amount, reason, isRestocked, paidBackBy } = body;
  const wanted = mergePieces(body.lines ?? []);
  if (!amount && wanted.length === 0) throw new Problem(400, CHOOSE, { amount: CHOOSE });
  const request = keyedRequest(requestKey, [who._id, amount ?? null, reason, wanted, isRestocked, paidBackBy ?? null]);
  return changeByStaff(services.db, who, id, undefined, async (tx, order) => {
    if (await isRefundRepeated(tx, id, request)) return;
    if (refundable(order) === 0) throw new Problem(409, refusalOfMore(order));
    const pieces = await preparePieces(tx, who, order, wanted, isRestocked);
    const price = priceToRefund(pieces);
    if (!amount && price === 0) throw new Problem(409, 'Nothing was paid for these pieces: the discount made them free.');
    const haveLeft = pieces.every(({ qty, unrefunded, left }) => qty <= unrefunded - left);
    // What the bank holds or has given back, and what was written off, come off the price of pieces that left the order, not off goodwill.
    const areBack = wanted.length > 0 && (isRestocked || haveLeft);
    const heldPrice = areBack ? heldOf(order) : 0;
    const due = refundNow(price, { heldPrice, writtenOff: areBack ? uncountedOf(order) : 0, refundable: refundable(order) });
    const sum = amount || due;
    checkRest(pieces, sum);
    const byBank = heldPrice > 0 ? await countLoss(tx, order.id, price - Math.max(sum, due)) : 0;
    const notPaid = areBack ? await countWriteOff(tx, order, price - Math.max(sum, due) - byBank) : 0;
    if (sum + byBank + notPaid === 0 && !isRestocked)
      throw new Problem(409, `The bank holds ${pounds(heldPrice)} of this payment, so nothing can be refunded for these pieces now.`);
    // Staff have decided on the price of pieces that left the order, so nothing more is owed for them. An amount without pieces pays the owed pieces first.
    if (amount && areBack) {
      await settlePieces(tx, order.id, pieces);
      const kept = await noteKept(tx, order, price - notPaid, sum + byBank);
      if (haveLeft) await keepOfCancelled(tx, id, kept, sum);
    } else if (wanted.length === 0) await payForOwed(tx, order, sum);
    else await payForPieces(tx, order.id, pieces, sum + byBank + notPaid);
    if (sum === 0) {
      await creditChange(tx, order.id, { reason, detail: piecesText(pieces) });
      return recordChange(
        tx,
        who,
        'order',
        id,
        `Refunded nothing, since ${notPaid > 0 ? 'the price was written off' : 'the bank has the money'}: ${reason}`,
      );
    }
    const wish = { amount: sum, reason, detail: piecesText(pieces), actor: who.name, isPaidBack: true, paidBackBy, request };
    await startRefund(tx, services, order, wish);
    await recordChange(tx, who, 'order', id, `Refunded ${pounds(sum)}: ${reason}`);
  });
}

/** Lowers what a cancelled order has to give back by what staff keep; with the last of its pieces, to what it has given back with `sum`, delivery included. */
async function keepOfCancelled(tx: Tx, orderId: string, kept: Pence, sum: Pence): Promise<void> {
  const isAll = (await listOwed(tx, orderId)).length === 0;
  const failed = sql`(select coalesce(sum(amount), 0)::int from order_refunds where order_id = orders.id and status = 'failed')`;
  const all = sql<number>`least(due_back, refunded_price + lost_price + ${failed} + ${sum})`;
  await tx
    .updateTable('orders')
    .set({ dueBack: isAll ? all : sql<number>`due_back - ${Math.max(0, kept)}` })
    .where('id', '=', orderId)
    .where('dueBack', 'is not', null)
    .execute();
}

const CHOOSE = 'Enter an amount, or choose pieces to refund.';

/** A refund, with its order locked. Throws 404. */
async function lockRefund(tx: Tx, id: string) {
  const find = () => tx.selectFrom('orderRefunds').selectAll().where('id', '=', id).executeTakeFirst();
  const found = await find();
  if (!found) throw new Problem(404, 'Refund not found');
  const order = await lockListed(tx, found.orderId);
  // Read again under the lock: another administrator or the provider may have changed it, or undone the receipt that it belonged to.
  const refund = await find();
  if (!refund) throw new Problem(404, 'Refund not found');
  return { order, refund };
}

/** Retries a refund that failed, or whose job has given up. Throws 404, and 409 for any other refund and for more than can be refunded. */
export async function retryRefund(services: Needs, who: ProvenAdmin, id: string): Promise<Order> {
  const orderId = await transactionOf(services.db, who, async (tx) => {
    const { order, refund } = await lockRefund(tx, id);
    if (await queueStuckAgain(tx, who, order, refund)) return order.id;
    if (refund.status !== 'failed') throw new Problem(409, 'This refund has not failed.');
    await reserve(tx, order, refund.amount, { kind: 'refund tried again', actor: who.name, detail: pounds(refund.amount) });
    // Its announcement was long ago, so the customer gets a mail once it is done.
    const retried = { status: 'pending', attempt: refund.attempt + 1, providerRefundId: null, failure: '', isAnnounced: false };
    await tx.updateTable('orderRefunds').set(retried).where('id', '=', id).execute();
    await queueRefund(tx, id);
    await recordChange(tx, who, 'order', order.id, `Tried the refund of ${pounds(refund.amount)} again`);
    return order.id;
  });
  return readOrder(services.db, who, orderId);
}

/** Queues again a refund whose job has given up, as the same attempt: the provider may have made it. Returns false for any other refund. */
async function queueStuckAgain(
  tx: Tx,
  who: ProvenAdmin,
  order: LockedOrder,
  { id, amount }: { id: string; amount: number },
): Promise<boolean> {
  const stuck = await tx.selectFrom('orderRefunds').select('id').where('id', '=', id).where(isStuck).executeTakeFirst();
  if (!stuck) return false;
  await queueRefund(tx, id);
  await recordEvent(tx, order.id, { kind: 'refund tried again', actor: who.name, detail: pounds(amount) });
  await recordChange(tx, who, 'order', order.id, `Tried the refund of ${pounds(amount)} again`);
  return true;
}

/** Records that a cash refund, or one that failed at the provider, was paid back by hand. Throws 404, and 409 for any other. */
export async function settleRefund(services: Needs, who: ProvenAdmin, id: string, paidBackBy: PaidBackBy): Promise<Order> {
  const orderId = await transactionOf(services.db, who, async (tx) => {
    const { order, refund } = await lockRefund(tx, id);
    const isOwed = refund.status === 'pending' && refund.isByHand;
    if (!isOwed && refund.status !== 'failed') throw new Problem(409, 'This refund is not waiting for you.');
    const event = { kind: 'refunded', actor: who.name, detail: `${pounds(refund.amount)}, ${PAID_BACK_BY[paidBackBy]}` } as const;
    // An owed refund is already in the order's refunded sum, a failed one is not.
    await reserve(tx, order, isOwed ? 0 : refund.amount, event);
    await tx.updateTable('orderRefunds').set({ status: 'done', isByHand: true, paidBackBy, failure: '' }).where('id', '=', id).execute();
    await recordChange(tx, who, 'order', order.id, `Paid ${pounds(refund.amount)} back ${PAID_BACK_BY[paidBackBy]}`);
    await creditChange(tx, order.id, refund);
    await tellRefunded(tx, services, order.id, { amount: refund.amount, byCard: false });
    return order.id;
  });
  return readOrder(services.db, who, orderId);
}

/** Whether the payment became no order: it goes back in full, and changes neither the order's state nor its sums. */
export const isRefused = ({ status }: LockedOrder): boolean => status === 'refunded';

/** Records a step of a refund in the order's history, with the sum of its refunds. */
export async function recordRefundStep(tx: Tx, order: LockedOrder, refundedPrice: number, event: OrderEvent): Promise<LockedOrder> {
  if (!isRefused(order)) return change(tx, order, 'refund', { refundedPrice }, event);
  await recordEvent(tx, order.id, event);
  return order;
}

/** Adds to an order's refunded sum, which ends a correction that waits for its payment. Throws 409 for more than can be refunded. */
async function reserve(tx: Tx, order: LockedOrder, amount: number, event: OrderEvent): Promise<LockedOrder> {
  const isTooMuch = isRefused(order) ? amount <= order.disputedPrice : amount > refundable(order);
  if (isTooMuch) throw new Problem(409, refusalOfMore(order));
  const changed = await recordRefundStep(tx, order, order.refundedPrice + amount, event);
  if (amount > 0) await endCorrection(tx, order.id, { actor: event.actor, detail: REFUNDED });
  return changed;
}
