import { pounds } from '#contract/market/money.ts';
import type { Order } from '#contract/orders/orders.ts';
import { Problem } from '#contract/platform/problem.ts';
import { recordChange } from '#server/context/audit.ts';
import type { Admin } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import type { ProviderSession } from '#server/gateways/provider-session.ts';
import { differenceMail } from '#server/mail/order-mails.ts';
import { orderJobs } from '#server/orders/jobs.ts';
import { giveStockBack } from '#server/orders/lines/stock.service.ts';
import { isAllowed } from '#server/orders/rules/states.ts';
import {
  changeByStaff,
  endCorrection,
  type LockedOrder,
  lockOrder,
  recordEvent,
  tellCustomer,
} from '#server/orders/transitions.service.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { newLinkToken } from '#server/platform/link-token.ts';
import { orderPath, tellStaff } from '#server/staff-notices/notices.service.ts';
import { carryOut } from './carry-out.service.ts';
import { endOfPayment, giveUpLink, payLink } from './payment-link.service.ts';
import { differenceOf, differenceText, type Plan, takenOffText } from './plan.ts';

// Corrections that wait for a payment. `ProviderSession` proves what the provider reported.
//
// A row of `order_corrections` is `open`, then `paid`, or `ended` if it was not paid in time. What ends it earlier makes it `closing`
// (`transitions.service.ts`): its page could still be paid, so the job `closeCorrection` closes that first, and then calls `giveUpCorrection`.
// A row with `is_whole` is the link to pay an order by phone: its plan is empty, since its pieces are the order's own.

type Needs = Pick<Services, 'db' | 'config'>;

/** Keeps a correction until its difference is paid, and mails the customer. The added pieces must have been taken from stock. */
export async function askForDifference(
  tx: Tx,
  { config }: Pick<Needs, 'config'>,
  who: Admin,
  order: LockedOrder,
  plan: Plan,
): Promise<void> {
  const [id, difference, actor] = [newId(), differenceOf(plan), who.name];
  const payUntil = endOfPayment();
  const { token, hash: tokenHash } = newLinkToken();
  const row = { id, orderId: order.id, status: 'open', revision: order.revision, difference, actor, payUntil, tokenHash };
  await tx
    .insertInto('orderCorrections')
    .values({ ...row, plan: JSON.stringify(plan) })
    .execute();
  const sentences = [plan.takenOff && `To be taken off: ${takenOffText(plan)}`, `To be added: ${plan.more}`, differenceText(difference)];
  await recordEvent(tx, order.id, { kind: 'correction to be paid', actor, detail: sentences.filter(Boolean).join('. ') });
  await enqueue(tx, orderJobs.closeCorrection, { correctionId: id }, { key: `correction ${id}`, runAt: payUntil });
  await recordChange(tx, who, 'order', order.id, `Asked for ${pounds(difference)} for a correction`);
  const mailDetails = { takenOff: plan.takenOff, added: plan.more, difference, payUntil, token };
  await tellCustomer(tx, order.id, (mailOrder) => differenceMail(config, mailOrder, mailDetails));
}

/**
 * Makes the correction, or pays the order by phone, that a payment is for. Returns `paid` also if an earlier call has done it; `change` (of a correction) or
 * `link`, as the reason to refund it, for a payment that is too late or of another sum; and undefined for any other payment, such as the order's own.
 */
export async function payCorrection(
  tx: Tx,
  services: Pick<Needs, 'config'>,
  order: LockedOrder,
  session: ProviderSession,
): Promise<'paid' | 'change' | 'link' | undefined> {
  const found = await tx
    .selectFrom('orderCorrections')
    .selectAll()
    .where('sessionId', '=', session.id)
    .where('orderId', '=', order.id)
    .executeTakeFirst();
  if (!found) return undefined;
  const { id, status, revision, difference, actor } = found;
  if (status === 'paid') return 'paid';
  if (found.isWhole) return (await payLink(tx, services, order, session, found)) ? 'paid' : 'link';
  const paysDifference = session.total === difference && session.currency === 'gbp' && session.paymentId !== null;
  // Every step of an order but a refund raises its revision.
  if (status !== 'open' || revision !== order.revision || !paysDifference || !isAllowed('correctPieces', order.status)) return 'change';
  // First, since `carryOut` takes a step of the order, which ends the open correction.
  await tx.updateTable('orderCorrections').set({ status: 'paid' }).where('id', '=', id).execute();
  const payment = { paymentId: session.paymentId ?? '', orderId: order.id, sessionId: session.id, amount: difference };
  await tx.insertInto('orderPayments').values(payment).execute();
  await carryOut(tx, services, { order, plan: found.plan as Plan, actor });
  return 'paid';
}

/**
 * Ends a correction that was not paid, and gives its pieces back; an order by phone is cancelled unless it was sent. Its page must be closed.
 * `isClosing`: it was ended before its time.
 */
export async function giveUpCorrection(tx: Tx, services: Pick<Needs, 'config'>, correctionId: string, isClosing: boolean): Promise<void> {
  const found = await tx.selectFrom('orderCorrections').select('orderId').where('id', '=', correctionId).executeTakeFirst();
  const order = found && (await lockOrder(tx, found.orderId));
  if (!order) return;
  // Read under the lock: it may have been paid meanwhile.
  const { status, plan, isWhole } = await tx
    .selectFrom('orderCorrections')
    .selectAll()
    .where('id', '=', correctionId)
    .executeTakeFirstOrThrow();
  if (status !== 'open' && status !== 'closing') return;
  // Opened again meanwhile, with a job of its own.
  if (isClosing && status === 'open') return;
  if (isWhole && status === 'open') return giveUpLink(tx, services, order, correctionId);
  await tx.updateTable('orderCorrections').set({ status: 'ended' }).where('id', '=', correctionId).execute();
  // The order was paid in another way, or cancelled, which gave its pieces back.
  if (isWhole) return;
  await giveStockBack(tx, order.id, (plan as Plan).added, { reason: 'unpaid' });
  // The history already says why a `closing` one has ended.
  if (status !== 'open') return;
  await recordEvent(tx, order.id, { kind: 'correction ended', actor: 'The shop', detail: 'It was not paid in time' });
  const text = `Order ${order.reference}: its change was not paid in time, so the order stays as it was`;
  await tellStaff(tx, services, { event: 'payment', text, path: orderPath(order.id) });
}

/**
 * Withdraws an order's unpaid correction; its pieces come back once its page is closed. Does not end a link to pay the order. Throws 404 for an unknown
 * order, and 409 if no correction waits for its payment.
 */
export function withdrawCorrection({ db }: Pick<Needs, 'db'>, who: Admin, id: string): Promise<Order> {
  return changeByStaff(db, who, id, undefined, async (tx, order) => {
    if (!(await endCorrection(tx, order.id, { actor: who.name, detail: 'Withdrawn' })))
      throw new Problem(409, 'No change of this order is waiting for payment.');
    await recordChange(tx, who, 'order', id, 'Withdrew a correction that was to be paid');
  });
}
