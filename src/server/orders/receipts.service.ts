import type { z } from 'zod';
import { type Pence, pounds } from '#contract/market/money.ts';
import type { CashBody, NotCollectedBody, WriteOffBody } from '#contract/orders/orders.schema.ts';
import { type Order, PAYMENT_METHOD } from '#contract/orders/orders.ts';
import { PAID_BACK_BY, type PaidBackBy } from '#contract/orders/reasons.ts';
import { Problem } from '#contract/platform/problem.ts';
import { recordChange } from '#server/context/audit.ts';
import type { Admin, ProvenAdmin } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { creditOrder } from '#server/invoices/issue.service.ts';
import { refundEndedMail, writtenOffMail } from '#server/mail/order-mails.ts';
import { readPieces, shareAgain } from '#server/orders/lines/parcels.service.ts';
import { priceToRefund } from '#server/orders/refunds/settled-pieces.service.ts';
import { uncountedOf } from '#server/orders/refunds/write-offs.service.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { dueOf, reopenLink } from './corrections/payment-link.service.ts';
import { spendOverpayments, storeOverpayment, undoWithPayment } from './overpayments.service.ts';
import { canReceive, heldByDrivers, readOrder } from './read.service.ts';
import { readAsked, sumOverpaid } from './rules/asked.ts';
import { isAllowed, isDelivered, refusalOf } from './rules/states.ts';
import { invoiceOnce } from './tax-point.service.ts';
import { change, changeByStaff, checkRevision, type LockedOrder, tellCustomer } from './transitions.service.ts';

type Needs = Pick<Services, 'db' | 'config'>;
type CashWish = z.infer<typeof CashBody>;

/**
 * Records that an order was paid in cash or by transfer, with its date, or takes that back. Left out, cash on delivery is paid in cash, anything else by
 * transfer, and the sum is what is due; a trigger books only cash. What came in besides, such as cash that a driver collected for pieces that came back since,
 * is owed to the customer. Repeats nothing that is recorded already. Throws 409 for a card order, whose payment the provider records, for less than is due,
 * for another sum or way than was recorded, and for an order that has changed since it was looked at.
 */
export function recordCash(services: Needs, who: Admin, id: string, wish: CashWish): Promise<Order> {
  return changeByStaff(services.db, who, id, undefined, async (tx, order) => {
    if (order.paymentMethod === PAYMENT_METHOD.card)
      throw new Problem(409, 'This order was paid by card; the payment provider keeps its record.');
    if ((order.paidAt !== null) === wish.isPaid) return checkRepeated(await readOrder(tx, who, id), wish);
    checkRevision(order, wish.revision);
    await (wish.isPaid ? receive(tx, services, who, order, wish) : takeBack(tx, services, who, order));
  });
}

/** Throws 409 for a receipt with another sum or way than the one that is recorded. */
function checkRepeated(order: Order, { isPaid, amount, receivedBy }: CashWish): void {
  if (!isPaid) return;
  const by = order.receivedBy ?? wayOf(order);
  const sumOf = (rows: Order['overpayments']) => rows.reduce((sum, one) => sum + one.amount, 0);
  const more = sumOf(order.overpayments.filter(({ isWithPayment, status }) => isWithPayment && status !== 'undone'));
  const used = sumOf(order.overpayments.filter(({ status }) => status === 'used'));
  const received = order.totalPrice - order.waivedPrice - used + more;
  if ((receivedBy ?? by) === by && (amount ?? received) === received) return;
  throw new Problem(
    409,
    `${pounds(received)} ${PAID_BACK_BY[by]} is recorded already. Record what came in besides as more money, or undo that first.`,
  );
}

async function receive(
  tx: Tx,
  { config }: Pick<Needs, 'config'>,
  who: Admin,
  order: LockedOrder,
  { amount, receivedBy }: CashWish,
): Promise<void> {
  if (!isAllowed('receiveCash', order.status)) throw new Problem(409, refusalOf('receiveCash', order));
  if (!canReceive(order)) throw new Problem(409, 'Nothing is due for this order. Record what came in as more money.');
  const by = receivedBy ?? wayOf(order);
  const due = dueOf(order);
  // Less than what is due if some came in before, such as for a change whose order was then recorded as unpaid.
  const asked = await readAsked(tx, order);
  const received = amount ?? asked;
  if (received < asked)
    throw new Problem(409, `${pounds(asked)} is due. Record it once all of it is here, or write off what will not come.`);
  const [more, used] = [Math.max(0, received - due), Math.max(0, due - received)];
  if (used > 0) await spendOverpayments(tx, order.id, used);
  // Until the order is delivered, drivers have nothing but what is for pieces that came back.
  const collected = by === 'transfer' && isDelivered(order.status) ? Math.min(order.toCollect, asked) : 0;
  const usedText = used > 0 && `${pounds(received)}, and ${pounds(used)} that came in before`;
  const detail = [more > 0 && pounds(received), usedText, by === 'transfer' && 'By transfer'].filter(Boolean).join('. ');
  const columns = { paidAt: new Date().toISOString(), receivedBy: by, toCollect: order.toCollect - collected, collected };
  await change(tx, order, 'receiveCash', columns, { actor: who.name, detail });
  await invoiceOnce(tx, config, order);
  if (more > 0) await storeOverpayment(tx, who, order, { amount: more, receivedBy: by, isWithPayment: true });
  await recordChange(tx, who, 'order', order.id, by === 'cash' ? 'Recorded cash as received' : 'Recorded a transfer as received');
}

const wayOf = ({ paymentMethod }: Pick<LockedOrder, 'paymentMethod'>): PaidBackBy =>
  paymentMethod === PAYMENT_METHOD.cash ? 'cash' : 'transfer';

/**
 * Takes a record back, with what came in above the sum due. What was to be paid back of it is waived instead, and the customer hears that it does not come.
 * Throws 409 once something was refunded or paid back.
 */
async function takeBack(tx: Tx, { config }: Pick<Needs, 'config'>, who: Admin, order: LockedOrder): Promise<void> {
  const refunds = await tx
    .selectFrom('orderRefunds')
    .select(['amount', 'status', 'reason', 'detail'])
    .where('orderId', '=', order.id)
    .execute();
  if (refunds.some(({ status, amount }) => status === 'done' && amount > 0))
    throw new Problem(409, 'Some of this order has already been refunded.');
  const owedAgain = await undoWithPayment(tx, order.id);
  await tx.deleteFrom('orderRefunds').where('orderId', '=', order.id).where('status', '=', 'pending').execute();
  // A cancelled order that is not paid owes nothing.
  const hasEnded = order.status === 'cancelled';
  const waived = hasEnded ? dueOf(order) : order.refundedPrice;
  const due = dueOf(order) - waived;
  const by = order.receivedBy ?? wayOf(order);
  const isToCollect = by === 'transfer' && order.paymentMethod === PAYMENT_METHOD.cash;
  // Earlier versions did not store what a transfer has ended of what drivers were to collect: all that was due then.
  const collected = isToCollect ? (order.collected ?? (isDelivered(order.status) ? dueOf(order) : 0)) : 0;
  const columns = {
    paidAt: null,
    receivedBy: null,
    waivedPrice: order.waivedPrice + waived,
    refundedPrice: 0,
    entitledPrice: 0,
    keptPrice: hasEnded ? 0 : order.keptPrice,
    goodwillPrice: 0,
    dueBack: null,
    toCollect: order.toCollect + collected,
    collected: null,
  };
  // What came in before, and exceeds what is due now, still goes back. What was owed by itself is no part of what was announced.
  const overpaid = await sumOverpaid(tx, order.id);
  const still = Math.max(0, Math.max(0, overpaid - due) - (overpaid - owedAgain));
  const ended = Math.max(0, order.refundedPrice - still);
  const detail = ended > 0 ? `${pounds(ended)} is no longer to be paid back` : '';
  await change(tx, order, 'takeBackCash', columns, { actor: who.name, detail });
  // What the drivers of parcels on their way collect stays as it was.
  if (waived > 0 && isDelivered(order.status)) await shareAgain(tx, order.id);
  const wordsOf = (name: 'reason' | 'detail') => [...new Set(refunds.map((refund) => refund[name]).filter(Boolean))].join(', ');
  if (waived > 0) await creditOrder(tx, order.id, { reason: wordsOf('reason') || 'Cancelled', detail: wordsOf('detail') });
  if (due > 0 && !hasEnded) await reopenLink(tx, order.id);
  await recordChange(tx, who, 'order', order.id, `Took back that ${by === 'transfer' ? 'a transfer' : 'cash'} was received`);
  if (ended > 0) await tellCustomer(tx, order.id, (mailOrder) => refundEndedMail(config, mailOrder, ended, still));
}

/** Notes that drivers have nothing of what less is due of by now. Throws 404, and 409 if they were to collect no more than is due. */
export function noteNotCollected(
  { db }: Pick<Needs, 'db'>,
  who: Admin,
  id: string,
  { revision }: z.infer<typeof NotCollectedBody>,
): Promise<Order> {
  return changeByStaff(db, who, id, revision, async (tx, order) => {
    if (heldByDrivers({ ...order, overpaid: await sumOverpaid(tx, id) }) === 0) throw new Problem(409, refusalOf('notCollected', order));
    const sum = pounds(order.toCollect);
    await change(tx, order, 'notCollected', { toCollect: 0 }, { actor: who.name, detail: sum });
    await recordChange(tx, who, 'order', id, `Noted that nothing of ${sum} was collected`);
  });
}

/** The price of the pieces that are left of an order, and of its delivery, less what was written off for them. */
async function priceLeft(tx: Tx, order: LockedOrder): Promise<Pence> {
  const lines = await readPieces(tx, order.id);
  const goods = priceToRefund(lines.map((line) => ({ ...line, qty: line.left })));
  return goods + order.shippingPrice - order.deliveryOff - uncountedOf(order);
}

/** Writes off what is still due for a delivered order, or an amount of it, with a credit note, and mails the customer. Throws 404 and 409. */
export function writeOff({ db, config }: Needs, who: ProvenAdmin, id: string, wish: z.infer<typeof WriteOffBody>): Promise<Order> {
  return changeByStaff(db, who, id, wish.revision, async (tx, order) => {
    const due = order.paidAt ? 0 : dueOf(order);
    if (due === 0) throw new Problem(409, refusalOf('writeOff', order));
    // What came in before needs no write-off.
    const missing = await readAsked(tx, order);
    const { amount = missing, reason } = wish;
    if (amount > missing || missing === 0)
      throw new Problem(
        409,
        missing > 0 ? `Only ${pounds(missing)} is due for this order.` : 'All that is due came in before. Record it instead.',
      );
    // What is due beyond the price of the pieces that are left was kept of others, so it is counted for those.
    const kept = due - (await priceLeft(tx, order));
    const counted = Math.max(0, Math.min(amount, kept));
    const columns = {
      waivedPrice: order.waivedPrice + amount,
      writtenOff: order.writtenOff + amount,
      writeOffCounted: order.writeOffCounted + counted,
      keptPrice: Math.max(0, order.keptPrice - counted),
      // No driver brings it any more.
      toCollect: Math.max(0, order.toCollect - amount),
    };
    await change(tx, order, 'writeOff', columns, { actor: who.name, detail: `${pounds(amount)}. ${reason}` });
    await shareAgain(tx, id);
    await creditOrder(tx, id, { reason, detail: '' });
    await recordChange(tx, who, 'order', id, `Wrote off ${pounds(amount)}: ${reason}`);
    await tellCustomer(tx, id, (mailOrder) => writtenOffMail(config, mailOrder, amount));
  });
}
