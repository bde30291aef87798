import { sql } from 'kysely';
import { areaOf } from '#contract/delivery/areas.ts';
import { deliveryOptionsFor } from '#contract/delivery/delivery-options.ts';
import { dayText } from '#contract/delivery/delivery-window.ts';
import type { DeliveryMethod } from '#contract/delivery/methods.ts';
import { tidyPostalCode } from '#contract/market/address-rules.ts';
import { pounds } from '#contract/market/money.ts';
import { PAYMENT_METHOD } from '#contract/orders/orders.ts';
import { isProblem } from '#contract/platform/problem.ts';
import { isUsual, withFreeDelivery } from '#contract/promotions/free-delivery.ts';
import type { Services } from '#server/context/services.ts';
import type { ProviderSession } from '#server/gateways/provider-session.ts';
import { listInvoices } from '#server/invoices/read.service.ts';
import { paymentRefunded, type RefundReason } from '#server/mail/order-mails.ts';
import { orderJobs } from '#server/orders/jobs.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { enqueue, type PayloadOf } from '#server/platform/jobs/queue.ts';
import { canUseAgain, dropFreeDelivery, hasFreeDelivery } from '#server/promotions/uses.service.ts';
import { orderPath, tellStaff } from '#server/staff-notices/notices.service.ts';
import { forgetBought } from '#server/wishlist/wishlist.service.ts';
import { checkStock } from './lines/pricing.ts';
import { giveStockBack, lockProducts, takeStock } from './lines/stock.service.ts';
import { tellOfOrder } from './office/staff.ts';
import { earliestDispatchOf, offeredMethods, promiseAgain } from './promised-window.ts';
import { storeSecondPayment } from './refunds/second-payments.service.ts';
import { isAllowed } from './rules/states.ts';
import { invoiceOnce } from './tax-point.service.ts';
import { change, confirmationOf, type LockedOrder, lockOrder, type OrderEvent, recordEvent, tellCustomer } from './transitions.service.ts';

// Card orders. A `ProviderSession` proves what the provider reported: only its gateway makes one.

const PROVIDER = 'Payment provider';

/** A payment that cannot be kept: a job refunds it (`refused`), or only a person can (`stranded`). */
export type Refusal = 'refused' | 'stranded';

type Needs = Pick<Services, 'config' | 'log'>;

async function piecesOf(tx: Tx, orderId: string) {
  return tx
    .selectFrom('orderItems')
    .select(['productId', 'setId', 'size', 'qty', 'price', 'name'])
    .where('orderId', '=', orderId)
    .execute();
}

/** Stores the provider's payment page of an order. Returns whether the order still awaits its payment. */
export async function notePaymentPage(db: Db, orderId: string, session: { id: string; url: string }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('orders')
    .set({ providerSessionId: session.id, paymentUrl: session.url })
    .where('id', '=', orderId)
    .where('orderState', '=', 'awaiting_payment')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Expires an unpaid card order: gives back its stock, and its idempotency key, so that the same request starts a new checkout. Does nothing in any other
 * state.
 */
export async function expireOrder(tx: Tx, order: LockedOrder, reason: string): Promise<LockedOrder> {
  if (!isAllowed('expire', order.status)) return order;
  const event = { actor: PROVIDER, detail: reason };
  const expired = await change(tx, order, 'expire', { idempotencyKey: null, payloadHash: null }, event);
  await giveStockBack(tx, order.id, await piecesOf(tx, order.id), { reason: 'unpaid' });
  return expired;
}

/** Expires the order of a checkout whose payment page could not be made, or was never paid. */
export async function giveUpCheckout(db: Db, orderId: string, reason: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order) await expireOrder(tx, order, reason);
  });
}

/** Applies a paid session: places the order and mails its confirmation, or refunds the payment if it cannot be placed. */
export async function payOrder(tx: Tx, services: Needs, order: LockedOrder, session: ProviderSession): Promise<'settled' | Refusal> {
  const { config, log } = services;
  const { id, total, currency } = session;
  const offered = offeredMethods(config, order);
  const shipping = shippingOf(offered, order, session);
  if (shipping === undefined || currency !== 'gbp' || total !== order.subTotalPrice - order.discount + shipping.price) {
    log.error({ order: order.id, session: id, paid: total, currency }, 'a payment is not what the order costs');
    const expired = await expireOrder(tx, order, 'another amount was paid');
    return refuse(tx, services, expired, session, 'amount', `Paid ${total} ${currency}, which is not what the order costs`);
  }
  const totals = { shippingMethod: shipping.id, shippingLabel: shipping.label, shippingPrice: shipping.price, totalPrice: total };
  if (!isUsual(offered, shipping.id)) await dropFreeDelivery(tx, order.id);
  const { line1, line2, city, state, country } = session.address;
  const address = { line1, line2, city, state, postalCode: tidyPostalCode(session.address), country, phone: session.phone };
  const earliestDispatch = earliestDispatchOf(order);
  const { area, options: undiscounted } = deliveryOptionsFor(config.delivery, {
    now: earliestDispatch,
    place: address,
    subtotal: order.subTotalPrice,
  });
  if (area?.refusal) {
    const expired = await expireOrder(tx, order, 'we do not deliver to the address that was given');
    return refuse(tx, services, expired, session, 'place', 'Paid, but we do not deliver to the address', totals);
  }
  const lateReason = order.status === 'expired' ? await takeAgain(tx, services, order.id) : undefined;
  if (lateReason) return refuse(tx, services, order, session, lateReason, TOO_LATE[lateReason], totals);
  // The price stays the one that was paid; the days are those of the address.
  const isElsewhere = area !== areaOf(config.delivery.areas, order);
  const optionsThere = withFreeDelivery(undiscounted, await hasFreeDelivery(tx, order.id));
  const methodThere = isElsewhere ? optionsThere.find((option) => option.id === shipping.id) : undefined;
  const priceText = methodThere && methodThere.price > shipping.price ? `, and delivery there costs ${pounds(methodThere.price)}` : '';
  const { lostDay, ...promise } = promiseAgain(config, order, earliestDispatch, methodThere ?? shipping, address);
  const detail = [
    id,
    isElsewhere && `the address is in another delivery area than the cart’s postcode${priceText}`,
    lostDay && `the chosen day, ${dayText(lostDay)}, is not possible for this address`,
  ]
    .filter(Boolean)
    .join('; ');
  const columns = {
    ...paymentColumns(session),
    ...totals,
    ...address,
    ...promise,
    providerSessionId: id,
  };
  const paid = await change(tx, order, 'pay', columns, { actor: PROVIDER, detail });
  // The previous version stored orders without this mark, so their invoices are looked for.
  const awaitsInvoice = paid.awaitsInvoice || (await listInvoices(tx, { _id: order.id, hasProForma: false })).length === 0;
  await invoiceOnce(tx, config, { id: order.id, awaitsInvoice });
  if (paid.userId) {
    // The order has a set's parts where the cart has the set.
    const bought = (await piecesOf(tx, order.id)).map(({ productId, setId }) => setId ?? productId);
    await forgetBought(tx, paid.userId, bought);
  }
  await tellOfOrder(tx, services, { ...paid, _id: paid.id });
  await tellCustomer(tx, order.id, confirmationOf(config, lostDay));
  return 'settled';
}

/** An order's columns from its paid session, whether the payment is kept or refunded. */
const paymentColumns = ({ id, paymentId, email, name }: ProviderSession) => ({
  paymentMethod: PAYMENT_METHOD.card,
  orderPaymentId: id,
  providerPaymentId: paymentId,
  email,
  fullName: name,
  paidAt: sql<string>`now()`,
  // A paid card order with a discount needs this mark (migration 0740).
  knowsDiscount: true,
});

async function refuse(
  tx: Tx,
  services: Needs,
  order: LockedOrder,
  session: ProviderSession,
  reason: RefundReason,
  detail: string,
  totals: { shippingMethod?: string; shippingLabel?: string; shippingPrice?: number; totalPrice?: number } = {},
): Promise<Refusal> {
  await change(tx, order, 'refuse', { ...paymentColumns(session), ...totals }, refundEvent(session, detail));
  await storeSecondPayment(tx, order.id, session.paymentId, session.total);
  await tellOfPayment(tx, services, order, detail);
  return queueRefund(tx, services, order, session, reason);
}

const NOT_KEPT = {
  twice: 'Paid a second time',
  change: 'A correction was paid too late',
  link: 'The payment link was paid too late, or for another sum',
} as const;

/** Refunds a second payment of an order, which itself does not change. Its page is not given out again. */
export async function refundSecondPayment(
  tx: Tx,
  services: Needs,
  order: LockedOrder,
  session: ProviderSession,
  reason: keyof typeof NOT_KEPT,
): Promise<Refusal> {
  services.log.error({ order: order.id, session: session.id, reason }, 'an order was paid a second time');
  const detail = `${NOT_KEPT[reason]}, by session ${session.id}`;
  await recordEvent(tx, order.id, refundEvent(session, detail));
  await storeSecondPayment(tx, order.id, session.paymentId, session.total);
  await tx.updateTable('orderCorrections').set({ paymentUrl: null, sessionUntil: null }).where('sessionId', '=', session.id).execute();
  await tellOfPayment(tx, services, order, detail);
  return queueRefund(tx, services, order, session, reason);
}

const tellOfPayment = (tx: Tx, services: Needs, { id, reference }: Pick<LockedOrder, 'id' | 'reference'>, detail: string): Promise<void> =>
  tellStaff(tx, services, { event: 'payment', text: `Order ${reference}: ${detail}`, path: orderPath(id) });

/** Without a payment id only a person can refund, in the provider's dashboard. */
function refundEvent({ id, paymentId }: ProviderSession, detail: string): OrderEvent {
  if (paymentId) return { kind: 'refund started', actor: PROVIDER, detail };
  const task = `${detail}. Session ${id} names no payment: refund it at the provider`;
  return { kind: 'refund by hand needed', actor: PROVIDER, detail: task };
}

async function queueRefund(
  tx: Tx,
  { log }: Pick<Needs, 'log'>,
  { id: orderId }: LockedOrder,
  { id, paymentId, total: amount }: ProviderSession,
  reason: RefundReason,
): Promise<Refusal> {
  if (paymentId) {
    await enqueue(tx, orderJobs.refundPayment, { orderId, paymentId, amount, reason }, { key: `refund-${paymentId}` });
    return 'refused';
  }
  log.error({ order: orderId, session: id }, 'a payment must be refunded by hand: its session names no payment');
  return 'stranded';
}

/** Records a refund that the provider has made, and mails the customer. */
export async function recordRefund(
  tx: Tx,
  { config }: Pick<Services, 'config'>,
  { orderId, paymentId, reason }: PayloadOf<typeof orderJobs.refundPayment>,
): Promise<void> {
  await recordEvent(tx, orderId, { kind: 'refunded', actor: PROVIDER, detail: paymentId });
  await tellCustomer(tx, orderId, (order) => paymentRefunded(config, order, reason));
}

/** Records that the provider does not know the payment of a paid order. */
export async function recordMissingPayment(
  services: Needs & Pick<Services, 'db'>,
  order: Pick<LockedOrder, 'id' | 'reference'>,
  sessionId: string | null,
): Promise<void> {
  await services.db.transaction().execute(async (tx) => {
    await recordEvent(tx, order.id, { kind: 'payment not found', actor: PROVIDER, detail: sessionId ?? '' });
    await tellOfPayment(tx, services, order, 'It says paid, but the provider knows no payment');
  });
}

/** The method that the payer chose among those of the payment page. A page of an earlier version tells only its price. */
function shippingOf(
  offered: readonly DeliveryMethod[],
  order: LockedOrder,
  { shipping, shippingMethod }: ProviderSession,
): DeliveryMethod | undefined {
  const possible = offered.filter(({ price }) => price === shipping);
  const wanted = shippingMethod || order.shippingMethod;
  return possible.find(({ id }) => id === wanted) ?? possible[0];
}

const TOO_LATE = {
  sold: 'Paid after its stock was given back and sold',
  used: 'Paid late, when its promotion could no longer be used',
} as const;

/** Takes the pieces and promotions of a late payment again, at the order's prices. Returns why it cannot; undefined if it could. */
async function takeAgain(tx: Tx, services: Needs, orderId: string): Promise<keyof typeof TOO_LATE | undefined> {
  const pieces = await piecesOf(tx, orderId);
  const products = await lockProducts(
    tx,
    pieces.map(({ productId }) => productId),
  );
  // One that has become a set by now has no stock of its own.
  if ([...products.values()].some(({ setParts }) => setParts)) return 'sold';
  try {
    checkStock(pieces, products);
  } catch (error) {
    if (isProblem(error)) return 'sold';
    throw error;
  }
  if (!(await canUseAgain(tx, orderId))) return 'used';
  await takeStock(tx, services, orderId, products, pieces);
  return undefined;
}
