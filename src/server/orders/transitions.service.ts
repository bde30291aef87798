import { sql, type UpdateObject } from 'kysely';
import type { EventKind } from '#contract/orders/events.ts';
import type { Order } from '#contract/orders/orders.ts';
import { type OrderStatus, type StepName, stepOf } from '#contract/orders/states.ts';
import { Problem } from '#contract/platform/problem.ts';
import type { Mail } from '#server/gateways/mail.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import type { DB } from '#server/platform/database/schema.ts';
import { isId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { readOrderForMail } from './read.service.ts';
import { isAllowed, isDelivered, isSeen, refusalOf, statesAfter } from './rules/states.ts';

declare const lock: unique symbol;

/** An order that nobody else changes until the transaction ends; only `lockOrder` makes one. */
export interface LockedOrder {
  readonly [lock]: true;
  readonly id: string;
  readonly reference: string;
  readonly userId: string | null;
  readonly status: OrderStatus;
  readonly paymentMethod: string;
  readonly paidAt: string | null;
  readonly dispatchedAt: string | null;
  readonly deliveredAt: string | null;
  readonly providerSessionId: string | null;
  /** Of a card order that was paid: the session that paid it. */
  readonly orderPaymentId: string | null;
  /** What a refund through the provider names; null for an order that was not paid by card. */
  readonly providerPaymentId: string | null;
  readonly subTotalPrice: number;
  readonly totalPrice: number;
  /** Cancelled before it was paid. */
  readonly waivedPrice: number;
  readonly refundedPrice: number;
  /** Taken back by the customer's bank, or held by it while a dispute is open. */
  readonly disputedPrice: number;
  /** It must not leave the shop before an administrator has approved it. */
  readonly awaitsApproval: boolean;
}

const COLUMNS = [
  ...(['id', 'reference', 'userId', 'orderState as status', 'paymentMethod', 'paidAt', 'dispatchedAt', 'deliveredAt'] as const),
  ...([
    'providerSessionId',
    'orderPaymentId',
    'providerPaymentId',
    'subTotalPrice',
    'totalPrice',
    'waivedPrice',
    'refundedPrice',
    'disputedPrice',
    'awaitsApproval',
  ] as const),
];

/** Locks an order, whatever its state: everything that can happen to it happens one after the other. */
export async function lockOrder(tx: Tx, id: string): Promise<LockedOrder | undefined> {
  if (!isId(id)) return undefined;
  const row = await tx.selectFrom('orders').select(COLUMNS).where('id', '=', id).forUpdate().executeTakeFirst();
  return row as LockedOrder | undefined;
}

/** Locks an order that staff can see. Throws 404 for any other. */
export async function lockListed(tx: Tx, id: string): Promise<LockedOrder> {
  const order = await lockOrder(tx, id);
  if (!order || !isSeen(order.status)) throw new Problem(404, 'Order not found');
  return order;
}

/** An entry of an order's history: what happened, who did or said it, and what else is to be known. */
export interface OrderEvent {
  kind: EventKind;
  actor: string;
  detail?: string;
}

/** Writes an entry of an order's history. */
export async function recordEvent(db: Db, orderId: string, { kind, actor, detail = '' }: OrderEvent): Promise<void> {
  await db.insertInto('orderEvents').values({ orderId, kind, actor, detail }).execute();
}

/** The day of delivery: set as an order is delivered, kept while pieces of it come back, gone where it was not delivered after all. */
const deliveryDay = (before: OrderStatus, after: OrderStatus) =>
  isDelivered(before) === isDelivered(after) ? {} : { deliveredAt: isDelivered(after) ? sql<string>`now()` : null };

/**
 * Takes an order through a step: its new state, the columns that change with it and the entry in its history. The only code that changes the state of
 * a stored order. `to` says which state and `kind` which event, where the step has several. Throws 409 where the table of steps does not allow it.
 */
export async function change(
  tx: Tx,
  order: LockedOrder,
  name: StepName,
  columns: Omit<UpdateObject<DB, 'orders'>, 'id' | 'orderState' | 'status' | 'deliveredAt' | 'returnStage'>,
  { kind = stepOf(name).events[0], ...event }: Omit<OrderEvent, 'kind'> & Partial<OrderEvent>,
  to?: OrderStatus,
): Promise<LockedOrder> {
  if (!isAllowed(name, order.status)) throw new Problem(409, refusalOf(name, order));
  if (order.awaitsApproval && stepOf(name).isLeaving)
    throw new Problem(409, `Order ${order.reference} has to be approved first: it is a large first order of a new account.`);
  const possible = statesAfter(name, order.status);
  const [after = order.status] = to ? possible.filter((one) => one === to) : possible;
  const changed = await tx
    .updateTable('orders')
    .set({ ...columns, ...deliveryDay(order.status, after), orderState: after })
    .where('id', '=', order.id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  await recordEvent(tx, order.id, { kind, ...event });
  return changed as unknown as LockedOrder;
}

/** Queues a mail to the customer of an order; nobody is left to write to once they have been erased. */
export async function tellCustomer(tx: Tx, orderId: string, mailOf: (order: Order) => Mail): Promise<void> {
  const { order, hourly } = await readOrderForMail(tx, orderId);
  if (order.user.email) await enqueue(tx, 'sendMail', { ...mailOf(order), hourly });
}
