import type { z } from 'zod';
import { endpoint } from '#contract/platform/endpoint.ts';
import type { Done } from '#contract/platform/lists.schema.ts';
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
export const readOrder = endpoint<Id, Order>('GET', '/api/orders/:id');
/** Cancels the customer's own order, or lines of it, until it is being packed; what was paid goes back. */
export const cancelOwnOrder = endpoint<Id & { body: z.input<typeof schema.CancelOwnBody> }, Order>('POST', '/api/orders/:id/cancel');
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

interface Named {
  name: string;
  size?: string | null | undefined;
  colourName?: string | null | undefined;
}

/** A line by its name, with its size and colour: "Oslo Sofa (Two-seat, Oatmeal)". Its name alone may hold for two lines. */
export const lineName = ({ name, size, colourName }: Named): string => {
  const choice = [size, colourName].filter(Boolean).join(', ');
  return choice ? `${name} (${choice})` : name;
};

/** Pieces of an order's lines in words: "2 × Oslo Sofa (Two-seat), 1 × Fable Lamp". */
export const lineNames = (items: readonly Named[], pieces: readonly { line: number; qty: number }[]): string =>
  pieces.map(({ line, qty }) => `${qty} × ${lineName(items[line] ?? { name: '' })}`).join(', ');
