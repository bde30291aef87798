import { type SqlBool, sql } from 'kysely';
import { type OrderStatus, type SeenStatus, STATES, type StepName, statesIn, stepOf } from '#contract/orders/states.ts';

/** Whether an order in this state shows in lists and can be opened. */
export const isSeen = (status: OrderStatus): status is SeenStatus => STATES[status].phase !== 'unpaid';
/** The same for rows: what the indexes of `orders` hold. */
export const listed = sql<SqlBool>`status not in (${sql.join(statesIn('unpaid').map(sql.lit))})`;

/** The values of the column `status` of orders whose pieces are bought: on their way, or delivered. */
export const SOLD = ['placed', 'packing', 'dispatched', 'delivery_failed'] as const;
/** The same for rows. */
export const sold = sql<SqlBool>`status in (${sql.join(SOLD.map(sql.lit))})`;
/** Whether the pieces of an order in this state are bought. */
export const isSold = (status: OrderStatus): boolean => statesIn('shop', 'courier', 'customer').includes(status);
/** Orders that are still to be delivered. */
export const undelivered = sql<SqlBool>`(${sold} and delivered_at is null)`;

/** Whether an order in this state has been delivered, whatever came back since. */
export const isDelivered = (status: OrderStatus): boolean => STATES[status].phase === 'customer';

/** The columns of a row that make its state. */
export interface StateColumns {
  status: string;
  dispatchedAt: string | null;
  deliveredAt: string | null;
  returnStage: string | null;
}

/** States that have no value of their own in the column `status`: what it and `return_stage` hold for them. */
const STORED: Partial<Record<OrderStatus, Pick<StateColumns, 'status' | 'returnStage'>>> = {
  partly_dispatched: { status: 'packing', returnStage: null },
  delivered: { status: 'placed', returnStage: null },
  return_asked: { status: 'placed', returnStage: 'asked' },
  return_approved: { status: 'placed', returnStage: 'approved' },
  returned: { status: 'placed', returnStage: 'returned' },
};

/** The state of an order from its row. */
export function statusOf({ status, dispatchedAt, deliveredAt, returnStage }: StateColumns): OrderStatus {
  if (status === 'packing' && dispatchedAt !== null) return 'partly_dispatched';
  if (status !== 'placed' || deliveredAt === null) return status as OrderStatus;
  return statesIn('customer').find((one) => STORED[one]?.returnStage === returnStage) ?? 'delivered';
}

/** What the columns `status` and `return_stage` hold for a state. */
export const storedAs = (status: OrderStatus) => STORED[status] ?? { status, returnStage: null };

/** Whether an order in this state can go through a step. */
export const isAllowed = (name: StepName, status: OrderStatus): boolean => stepOf(name).from.includes(status);

/** The states to which a step can lead. */
export const statesAfter = (name: StepName, status: OrderStatus): readonly OrderStatus[] => stepOf(name).to ?? [status];

/** The sentence that refuses it, for people. */
export const refusalOf = (name: StepName, { reference, status }: { reference: string; status: OrderStatus }): string =>
  `Order ${reference} ${STATES[status].refusal}; ${stepOf(name).refusal}.`;
