import type { z } from 'zod';
import { type Pence, pounds } from '#contract/market/money.ts';
import type { CashBody, WriteOffBody } from '#contract/orders/orders.schema.ts';
import { type Order, PAYMENT_METHOD } from '#contract/orders/orders.ts';
import { OVERPAID, PAID_BACK_BY, type PaidBackBy } from '#contract/orders/reasons.ts';
import { Problem } from '#contract/platform/problem.ts';
import { recordChange } from '#server/context/audit.ts';
import type { Admin, ProvenAdmin } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { creditOrder } from '#server/invoices/issue.service.ts';
import { readPieces } from '#server/orders/lines/parcels.service.ts';
import { priceToRefund } from '#server/orders/refunds/settled-pieces.service.ts';
import { uncountedOf } from '#server/orders/refunds/write-offs.service.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { reopenLink } from './corrections/payment-link.service.ts';
import { mostReceivable, readOrder } from './read.service.ts';
import { startRefund } from './refunds/refunds.service.ts';
import { isAllowed, refusalOf } from './rules/states.ts';
import { invoiceOnce } from './tax-point.service.ts';
import { change, changeByStaff, checkRevision, type LockedOrder } from './transitions.service.ts';

type Needs = Pick<Services, 'db' | 'config'>;
type CashWish = z.infer<typeof CashBody>;

/**
 * Records that an order was paid in cash or by transfer, with its date, or takes that back. Left out, cash on delivery is paid in cash, anything else by
 * transfer, and the sum is what is due; a trigger books only cash. What came in above the sum due, such as cash that a driver collected for pieces that
 * came back since, becomes a refund by hand. Repeats nothing that is recorded already. Throws 409 for a card order, whose payment the provider records, for
 * less than is due or more than the order came to, for another sum or way than was recorded, and for an order that has changed since it was looked at.
 */
export function recordCash(services: Needs, who: Admin, id: string, wish: CashWish): Promise<Order> {
  return changeByStaff(services.db, who, id, undefined, async (tx, order) => {
    if (order.paymentMethod === PAYMENT_METHOD.card)
      throw new Problem(409, 'This order was paid by card; the payment provider keeps its record.');
    if ((order.paidAt !== null) === wish.isPaid) return checkRepeated(await readOrder(tx, who, id), wish);
    checkRevision(order, wish.revision);
    await (wish.isPaid ? receive(tx, services, who, order, wish) : takeBack(tx, who, order));
  });
}

/** Throws 409 for a receipt with another sum or way than the one that is recorded. */
function checkRepeated(order: Order, { isPaid, amount, receivedBy }: CashWish): void {
  if (!isPaid) return;
  const by = order.receivedBy ?? wayOf(order);
  const received = order.totalPrice - order.waivedPrice;
  if ((receivedBy ?? by) === by && (amount ?? received) === received) return;
  throw new Problem(409, `${pounds(received)} ${PAID_BACK_BY[by]} is recorded already. To record something else, undo that first.`);
}

async function receive(
  tx: Tx,
  { config }: Pick<Needs, 'config'>,
  who: Admin,
  order: LockedOrder,
  { amount, receivedBy }: CashWish,
): Promise<void> {
  const by = receivedBy ?? wayOf(order);
  const received = amountOf(order, await readOrder(tx, who, order.id), amount);
  const due = order.totalPrice - order.waivedPrice;
  const isMore = received > due;
  // What was waived has come in after all, so it is refunded instead.
  const columns = { paidAt: new Date().toISOString(), receivedBy: by, waivedPrice: order.totalPrice - Math.max(due, received) };
  const detail = [isMore && pounds(received), by === 'transfer' && 'By transfer'].filter(Boolean).join('. ');
  const paid = await change(tx, order, 'receiveCash', columns, { actor: who.name, detail });
  await invoiceOnce(tx, config, order);
  if (isMore) await startRefund(tx, { config }, paid, { amount: received - due, reason: OVERPAID, detail: '', actor: who.name });
  await recordChange(tx, who, 'order', order.id, by === 'cash' ? 'Recorded cash as received' : 'Recorded a transfer as received');
}

const wayOf = ({ paymentMethod }: Pick<LockedOrder, 'paymentMethod'>): PaidBackBy =>
  paymentMethod === PAYMENT_METHOD.cash ? 'cash' : 'transfer';

/** What came in: what is due, or the amount that staff typed. Throws 409 for less than is due, and for more than the order came to. */
function amountOf({ waivedPrice }: LockedOrder, order: Order, amount: number | undefined): Pence {
  if (!isAllowed('receiveCash', order.status)) throw new Problem(409, refusalOf('receiveCash', order));
  const { amountDue } = order;
  const received = amount ?? amountDue;
  const most = mostReceivable(order);
  if (received > most) throw new Problem(409, `At most ${pounds(most)} can be recorded for this order.`);
  if (received < amountDue)
    throw new Problem(409, `${pounds(amountDue)} is due. Record it once all of it is here, or write off what will not come.`);
  if (received === 0 && waivedPrice > 0 && order.can.includes('receiveCash'))
    throw new Problem(409, 'Nothing is due for this order. Enter what came in.');
  return received;
}

/** Takes a record back, with the refund of what it had above the sum due. Throws 409 once something was refunded. */
async function takeBack(tx: Tx, who: Admin, order: LockedOrder): Promise<void> {
  const refunds = await tx
    .deleteFrom('orderRefunds')
    .where('orderId', '=', order.id)
    .where('reason', '=', OVERPAID)
    .where('status', '=', 'pending')
    .returning('amount')
    .execute();
  const more = refunds.reduce((sum, { amount }) => sum + amount, 0);
  if (order.refundedPrice > more) throw new Problem(409, 'Some of this order has already been refunded.');
  const { receivedBy } = await readOrder(tx, who, order.id);
  const columns = { paidAt: null, receivedBy: null, waivedPrice: order.waivedPrice + more, refundedPrice: 0 };
  await change(tx, order, 'takeBackCash', columns, { actor: who.name });
  await reopenLink(tx, order.id);
  const what = (receivedBy ?? wayOf(order)) === 'transfer' ? 'a transfer' : 'cash';
  await recordChange(tx, who, 'order', order.id, `Took back that ${what} was received`);
}

/** The price of the pieces that are left of an order, and of its delivery, less what was written off for them. */
async function priceLeft(tx: Tx, order: LockedOrder): Promise<Pence> {
  const lines = await readPieces(tx, order.id);
  const goods = priceToRefund(lines.map((line) => ({ ...line, qty: line.left })));
  return goods + order.shippingPrice - order.deliveryOff - uncountedOf(order);
}

/** Writes off what is still due for a delivered order, or an amount of it, with a credit note. Throws 404 and 409. */
export function writeOff({ db }: Pick<Needs, 'db'>, who: ProvenAdmin, id: string, wish: z.infer<typeof WriteOffBody>): Promise<Order> {
  return changeByStaff(db, who, id, wish.revision, async (tx, order) => {
    const due = order.paidAt ? 0 : order.totalPrice - order.waivedPrice;
    if (due === 0) throw new Problem(409, refusalOf('writeOff', order));
    const { amount = due, reason } = wish;
    if (amount > due) throw new Problem(409, `Only ${pounds(due)} is due for this order.`);
    // What is due beyond the price of the pieces that are left was kept of others, so it is counted for those.
    const kept = due - (await priceLeft(tx, order));
    const counted = Math.max(0, Math.min(amount, kept));
    const columns = {
      waivedPrice: order.waivedPrice + amount,
      writtenOff: order.writtenOff + amount,
      writeOffCounted: order.writeOffCounted + counted,
      keptPrice: Math.max(0, order.keptPrice - counted),
    };
    await change(tx, order, 'writeOff', columns, { actor: who.name, detail: `${pounds(amount)}. ${reason}` });
    await creditOrder(tx, id, { reason, detail: '' });
    await recordChange(tx, who, 'order', id, `Wrote off ${pounds(amount)}: ${reason}`);
  });
}
