import type { UpdateObject } from 'kysely';
import { Problem } from '#contract/base/problem.ts';
import { isId } from '#server/base/ids.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { DB } from '#server/db/schema.ts';
import { isAllowed, type OrderStatus, refusalOf, type TransitionName, transitions } from './states.ts';

declare const lock: unique symbol;

/** An order that nobody else changes until the transaction ends; only `lockOrder` makes one. */
export interface LockedOrder {
  readonly [lock]: true;
  readonly id: string;
  readonly status: OrderStatus;
  readonly paymentMethod: string;
  readonly paidAt: string | null;
  readonly deliveredAt: string | null;
  readonly providerSessionId: string | null;
  /** Of a card order that was paid: the session that paid it. */
  readonly orderPaymentId: string | null;
  readonly subTotalPrice: number;
}

const COLUMNS = ['id', 'status', 'paymentMethod', 'paidAt', 'deliveredAt', 'providerSessionId', 'orderPaymentId', 'subTotalPrice'] as const;

/** Locks an order, whatever its state: everything that can happen to it happens one after the other. */
export async function lockOrder(tx: Tx, id: string): Promise<LockedOrder | undefined> {
  if (!isId(id)) return undefined;
  const order = await tx.selectFrom('orders').select(COLUMNS).where('id', '=', id).forUpdate().executeTakeFirst();
  return order as LockedOrder | undefined;
}

/** An entry of an order's history: what happened, who did or said it, and what else is to be known. */
export interface OrderEvent {
  kind: string;
  actor: string;
  detail?: string;
}

/** Writes an entry of an order's history. */
export async function recordEvent(db: Db, orderId: string, { kind, actor, detail = '' }: OrderEvent): Promise<void> {
  await db.insertInto('orderEvents').values({ orderId, kind, actor, detail }).execute();
}

/**
 * Takes an order through a transition: its new state, the columns that change with it and the entry in its history. The only code that
 * changes the state of a stored order. Throws 409 where the table of transitions does not allow it.
 */
export async function change(
  tx: Tx,
  order: LockedOrder,
  name: TransitionName,
  columns: Omit<UpdateObject<DB, 'orders'>, 'id' | 'status'>,
  event: OrderEvent,
): Promise<LockedOrder> {
  if (!isAllowed(name, order.status)) throw new Problem(409, refusalOf(name, order));
  const changed = await tx
    .updateTable('orders')
    .set({ ...columns, status: transitions[name].to })
    .where('id', '=', order.id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  await recordEvent(tx, order.id, event);
  return changed as LockedOrder;
}
