import { sql } from 'kysely';
import { dayText } from '#contract/delivery/delivery-window.ts';
import { methodOf } from '#contract/delivery/methods.ts';
import { type Pence, pounds } from '#contract/market/money.ts';
import { shopTime } from '#contract/market/shop-time.ts';
import { type Order, PAYMENT_METHOD } from '#contract/orders/orders.ts';
import { hasLeft } from '#contract/orders/pay-by.ts';
import type { Admin } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import type { ProviderSession } from '#server/gateways/provider-session.ts';
import { orderConfirmation, orderToPayMail } from '#server/mail/order-mails.ts';
import { cancelUnpaid } from '#server/orders/cancel.service.ts';
import { orderJobs } from '#server/orders/jobs.ts';
import { tellOfOrder } from '#server/orders/office/staff.ts';
import { earliestDispatchOf, offeredMethods, promiseAgain } from '#server/orders/promised-window.ts';
import { sumOverpaid } from '#server/orders/rules/asked.ts';
import { isAllowed } from '#server/orders/rules/states.ts';
import { invoiceOnce } from '#server/orders/tax-point.service.ts';
import { change, type LockedOrder, recordEvent, tellCustomer } from '#server/orders/transitions.service.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { newLinkToken } from '#server/platform/link-token.ts';
import { orderPath, tellStaff } from '#server/staff-notices/notices.service.ts';

// Orders by phone to be paid by card. Each is placed with its stock, and the link asks for the whole sum (decision 143).

type Needs = Pick<Services, 'config'>;

/** What an unpaid order costs now. */
export const dueOf = ({ totalPrice, waivedPrice }: Pick<LockedOrder, 'totalPrice' | 'waivedPrice'>): Pence => totalPrice - waivedPrice;

/** How long a customer has to pay a difference, or an order by phone. */
const HOURS_TO_PAY = 48;
export const endOfPayment = (): string => new Date(Date.now() + HOURS_TO_PAY * 3_600_000).toISOString();

/** Asks the customer of a new order to pay it until a time (ISO), and mails them. */
export async function askForPayment(tx: Tx, { config }: Needs, who: Admin, order: Order, payUntil: string): Promise<void> {
  const [id, actor] = [newId(), who.name];
  const { token, hash: tokenHash } = newLinkToken();
  const row = { id, orderId: order._id, status: 'open', isWhole: true, revision: order.revision, difference: order.totalPrice, tokenHash };
  await tx
    .insertInto('orderCorrections')
    .values({ ...row, plan: JSON.stringify({ off: [], added: [] }), actor, payUntil })
    .execute();
  await recordEvent(tx, order._id, {
    kind: 'to be paid by link',
    actor,
    detail: `${pounds(order.totalPrice)} until ${shopTime(payUntil)}`,
  });
  await enqueue(tx, orderJobs.closeCorrection, { correctionId: id }, { key: `correction ${id}`, runAt: payUntil });
  await tellCustomer(tx, order._id, (mailOrder) => orderToPayMail(config, mailOrder, { payUntil, token }));
}

/** The delivery promise of an order that is paid now: later days if the original ones can no longer be kept, unless it has left already. */
function promiseNow({ config }: Needs, order: LockedOrder): Partial<ReturnType<typeof promiseAgain>> {
  if (hasLeft(order.status)) return {};
  const method = methodOf(offeredMethods(config, order), order.shippingMethod);
  const promise = promiseAgain(config, order, earliestDispatchOf(order), method, order);
  const isLater = (promise.deliveryFrom ?? '') > (order.deliveryFrom ?? '');
  return isLater || promise.lostDay ? promise : {};
}

/** Records a payment by link. Returns false if it came too late or is not what the order costs now. */
export async function payLink(
  tx: Tx,
  services: Needs,
  order: LockedOrder,
  { id: sessionId, paymentId, total, currency }: ProviderSession,
  link: { id: string; status: string },
): Promise<boolean> {
  const paysDue = total === dueOf(order) && currency === 'gbp' && paymentId !== null;
  if (link.status !== 'open' || order.paidAt || !paysDue || !isAllowed('payByLink', order.status)) return false;
  await tx.updateTable('orderCorrections').set({ status: 'paid' }).where('id', '=', link.id).execute();
  const { lostDay, ...promise } = promiseNow(services, order);
  const payment = {
    ...promise,
    paymentMethod: PAYMENT_METHOD.card,
    orderPaymentId: sessionId,
    providerSessionId: sessionId,
    providerPaymentId: paymentId,
    paidAt: sql<string>`now()`,
    // A paid card order with a discount needs this mark (migration 0740).
    knowsDiscount: true,
  };
  const paid = await change(tx, order, 'payByLink', payment, {
    actor: 'Payment provider',
    detail: [sessionId, lostDay && `the chosen day, ${dayText(lostDay)}, cannot be kept`].filter(Boolean).join('; '),
  });
  await invoiceOnce(tx, services.config, paid);
  await tellOfOrder(tx, services, { ...paid, _id: paid.id });
  await tellCustomer(tx, order.id, (mailOrder) => orderConfirmation(services.config, mailOrder, lostDay));
  return true;
}

/**
 * Ends the link of an order that was not paid in time, and cancels the order. If some of it has left, or money came in for it before, the link stays open without
 * its closed page: the customer still owes the price, or staff have to record what came in.
 */
export async function giveUpLink(tx: Tx, services: Needs, order: LockedOrder, linkId: string): Promise<void> {
  const isOwed = dueOf(order) > 0;
  const before = isOwed ? await sumOverpaid(tx, order.id) : 0;
  const why = (hasLeft(order.status) && 'some of it has left') || (before > 0 && `${pounds(before)} came in for it before`);
  const update = isOwed && why ? { paymentUrl: null, sessionUntil: null } : { status: 'ended' };
  await tx.updateTable('orderCorrections').set(update).where('id', '=', linkId).execute();
  if (!isOwed) return;
  if (!why) await cancelUnpaid(tx, services, order);
  const text = `Order ${order.reference} was not paid in time, ${why ? `but ${why}` : 'so it was cancelled'}`;
  await tellStaff(tx, services, { event: 'payment', text, path: orderPath(order.id) });
}

/**
 * Gives the link of an unpaid order its time again: cash that was recorded by mistake has ended it, or it has none since the order was sent, and the order is
 * back. Its closed page is not given out again.
 */
export async function reopenLink(tx: Tx, orderId: string): Promise<void> {
  const payUntil = endOfPayment();
  const link = await tx
    .updateTable('orderCorrections')
    .set({ status: 'open', payUntil, paymentUrl: null, sessionUntil: null })
    .where('orderId', '=', orderId)
    .where('isWhole', '=', true)
    .where('status', '<>', 'paid')
    .returning('id')
    .executeTakeFirst();
  if (link) await enqueue(tx, orderJobs.closeCorrection, { correctionId: link.id }, { key: `correction ${link.id}`, runAt: payUntil });
}
