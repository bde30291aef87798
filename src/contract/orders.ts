import type { z } from 'zod';
import { type Download, endpoint } from '#contract/base/endpoint.ts';
import type { Done } from '#contract/base/lists.schema.ts';
import type { Stage } from '#contract/orders/life.ts';
import type * as schema from './orders.schema.ts';

export type CartLine = z.infer<typeof schema.CartLine>;
export type CreateOrderBody = z.infer<typeof schema.CreateOrderBody>;
export type CreateOrderInput = z.input<typeof schema.CreateOrderBody>;
export type OrderItem = z.infer<typeof schema.OrderItem>;
export type OrderSummary = z.infer<typeof schema.OrderSummary>;
export type Order = z.infer<typeof schema.Order>;
export type OrderList = z.infer<typeof schema.OrderList>;
export type ListOrdersQuery = z.infer<typeof schema.ListOrdersQuery>;
export type CheckoutSessionBody = z.infer<typeof schema.CheckoutSessionBody>;
export type CheckoutSessionInput = z.input<typeof schema.CheckoutSessionBody>;
export type CheckoutSession = z.infer<typeof schema.CheckoutSession>;
export type Payment = z.infer<typeof schema.Payment>;
export type Attempt = z.infer<typeof schema.Attempt>;
export type CheckedLine = z.infer<typeof schema.CheckedLine>;
export type CheckedCart = z.infer<typeof schema.CheckedCart>;
export type Sales = z.infer<typeof schema.Sales>;
export type Queues = z.infer<typeof schema.Queues>;
export type Refund = z.infer<typeof schema.Refund>;
export type RefundBody = z.infer<typeof schema.RefundBody>;
export type RefundInput = z.input<typeof schema.RefundBody>;
type Id = { params: { id: string } };

/** The ways to pay, by the names that orders show. */
export const PAYMENT_METHOD = { cash: 'Cash on Delivery', online: 'Online Payment', card: 'Credit Card' } as const;

/** What the shop sees of a line whose colour nobody chose, although the product has colours (clarification 11). */
export const COLOUR_OPEN = 'Colour not chosen';

/** Sent with `Idempotency-Key`: the same key and payload give the same order once. */
export const createOrder = endpoint<{ body: CreateOrderInput; idempotencyKey?: string }, Order>('POST', '/api/orders');
/** Finds the customer's own order by the `Idempotency-Key` it was sent with, for a page that has lost the answer. */
export const readAttempt = endpoint<Id, Attempt>('GET', '/api/orders/attempts/:id');
export const listMyOrders = endpoint<{ query: { pageNumber?: string | number } }, OrderList>('GET', '/api/orders/myorders');
export const listOrders = endpoint<{ query: Partial<Record<keyof ListOrdersQuery, string | number>> }, OrderList>('GET', '/api/orders');
/** The orders that a list's filters find, as CSV (administrators). */
export const exportOrders = endpoint<{ query: Partial<Record<keyof ListOrdersQuery, string | number>> }, Download>(
  'GET',
  '/api/orders/export',
);
/** What waits for somebody in the office, with how many orders each queue has (administrators). */
export const listQueues = endpoint<Record<never, never>, Queues>('GET', '/api/orders/queues');
/** Orders and revenue of the last 30 days and of those before, best sellers, and how many orders await their delivery (administrators). */
export const readSales = endpoint<Record<never, never>, Sales>('GET', '/api/orders/sales');
export const readOrder = endpoint<Id, Order>('GET', '/api/orders/:id');
export const deliverOrder = endpoint<Id & { body: { isDelivered: boolean } }, Order>('PUT', '/api/orders/:id/deliver');
/** Says that an order is being packed, was dispatched or could not be delivered, or takes such a step back (administrators). */
export const moveOrder = endpoint<Id & { body: { stage: Stage; parcel?: string } }, Order>('PUT', '/api/orders/:id/stage');
/** Cancels the customer's own order, or lines of it, until it is being packed; what was paid goes back. */
export const cancelOwnOrder = endpoint<Id & { body: z.input<typeof schema.CancelOwnBody> }, Order>('POST', '/api/orders/:id/cancel');
/** The same for an administrator, until it is dispatched. */
export const cancelOrder = endpoint<Id & { body: z.input<typeof schema.CancelBody> }, Order>('POST', '/api/office/orders/:id/cancel');
/** Gives money of an order back: through the payment provider where it was paid by card, else it is noted (administrators). Honours an `Idempotency-Key`. */
export const refundOrder = endpoint<Id & { body: RefundInput; idempotencyKey?: string }, Order>('POST', '/api/office/orders/:id/refunds');
/** Asks the payment provider again for a refund that failed (administrators). */
export const retryRefund = endpoint<Id, Order>('POST', '/api/office/refunds/:id/retry');
/** Notes that a refund was paid back by hand (administrators). */
export const settleRefund = endpoint<Id, Order>('POST', '/api/office/refunds/:id/paid');
/** Marks several orders delivered, or not, at once (administrators). */
export const deliverOrders = endpoint<{ body: { ids: string[]; isDelivered: boolean } }, Done>('PUT', '/api/orders/deliver');
/** Cash received, or taken back (administrators). */
export const approveOrder = endpoint<Id, Order>('PUT', '/api/office/orders/:id/approval');
export const recordCash = endpoint<Id & { body: { isPaid: boolean } }, Order>('PUT', '/api/orders/:id/cash');
export const checkCart = endpoint<{ body: { orderItems: CartLine[] } }, CheckedCart>('POST', '/api/cart/check');
/** Sent with `Idempotency-Key`: the same key and payload open the same page. */
export const createCheckoutSession = endpoint<{ body: CheckoutSessionInput; idempotencyKey?: string }, CheckoutSession>(
  'POST',
  '/stripe/create-checkout-session',
);
/** What became of a card payment, for the page that waits for it. */
export const readPayment = endpoint<Id, Payment>('GET', '/api/orders/:id/payment');
/** Gives back what a card checkout holds, once its customer came back by the cancel address; says what became of it. */
export const leaveCheckout = endpoint<{ body: { mark: string } }, Done>('POST', '/api/cart/return');

/** What is said of the money of an order that goes back, wholly or in part; empty where none does. */
export function refundText(order: Pick<Order, 'isRefunded' | 'isRefundDue' | 'refundedPrice' | 'waivedPrice' | 'totalPrice'>): string {
  if (order.isRefundDue) return 'Refund pending';
  if (order.isRefunded) return 'Refunded';
  if (order.refundedPrice === 0) return '';
  return order.refundedPrice < order.totalPrice - order.waivedPrice ? 'Partly refunded' : 'Refunded';
}

/** The lines of an order of which pieces have not left the shop yet, with their places and how many. */
export function unsentLines({ orderItems, parcels }: Pick<Order, 'orderItems' | 'parcels'>) {
  const sent = parcels.filter(({ status }) => status === 'sent').flatMap(({ pieces }) => pieces);
  return orderItems.flatMap((item, line) => {
    const gone = sent.filter((one) => one.line === line).reduce((sum, { qty }) => sum + qty, 0);
    const left = item.qty - item.cancelledQty;
    const qty = Math.min(left - gone, left - item.returnedQty - item.spoiledQty);
    return qty > 0 ? [{ ...item, line, qty }] : [];
  });
}
