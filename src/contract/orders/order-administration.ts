import type { z } from 'zod';
import { type Download, endpoint } from '#contract/platform/endpoint.ts';
import type * as schema from './orders.schema.ts';
import type { ListOrdersQuery, Order, OrderList, Queues, RefundInput, Sales } from './orders.ts';
import type { OrderStatus } from './states.ts';

/** Only the back office makes these calls, so that no shopper's page loads them. */
type Id = { params: { id: string } };

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
export const deliverOrder = endpoint<Id & { body: { isDelivered: boolean } }, Order>('PUT', '/api/orders/:id/deliver');
/** Says that an order is being packed, was dispatched or could not be delivered, or takes such a step back (administrators). */
export const moveOrder = endpoint<Id & { body: { stage: OrderStatus; parcel?: string } }, Order>('PUT', '/api/orders/:id/stage');
/** The same for an administrator, until it is dispatched. */
export const cancelOrder = endpoint<Id & { body: z.input<typeof schema.CancelBody> }, Order>('POST', '/api/office/orders/:id/cancel');
/** Gives money of an order back: through the payment provider where it was paid by card, else it is noted (administrators). Honours an `Idempotency-Key`. */
export const refundOrder = endpoint<Id & { body: RefundInput; idempotencyKey?: string }, Order>('POST', '/api/office/orders/:id/refunds');
/** Asks the payment provider again for a refund that failed (administrators). */
export const retryRefund = endpoint<Id, Order>('POST', '/api/office/refunds/:id/retry');
/** Notes that a refund was paid back by hand (administrators). */
export const settleRefund = endpoint<Id, Order>('POST', '/api/office/refunds/:id/paid');
/** Cash received, or taken back (administrators). */
export const approveOrder = endpoint<Id, Order>('PUT', '/api/office/orders/:id/approval');
export const recordCash = endpoint<Id & { body: { isPaid: boolean } }, Order>('PUT', '/api/orders/:id/cash');
