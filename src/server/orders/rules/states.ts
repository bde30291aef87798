import { type SqlBool, sql } from 'kysely';
import { PAYMENT_METHOD } from '#contract/orders/orders.ts';
import { type OrderStatus, type Phase, type SeenStatus, STATES, type StepName, statesIn, stepOf } from '#contract/orders/states.ts';

/** Whether an order in this state shows in lists and can be opened. */
export const isSeen = (status: OrderStatus): status is SeenStatus => STATES[status].phase !== 'unpaid';
/** Whether the pieces of an order in this state are bought: on their way, or delivered. */
export const isSold = (status: OrderStatus): boolean => statesIn('shop', 'courier', 'customer').includes(status);
/** Whether an order in this state has been delivered, whatever came back since. */
export const isDelivered = (status: OrderStatus): boolean => STATES[status].phase === 'customer';

/** Rows in some states. */
export const inState = (...states: readonly OrderStatus[]) => sql<SqlBool>`order_state in (${sql.join(states.map(sql.lit))})`;
/** Rows in none of some phases. The indexes of `orders` say the same, and so hold the rows of any state that is added. */
const notIn = (...phases: Phase[]) => sql<SqlBool>`order_state not in (${sql.join(statesIn(...phases).map(sql.lit))})`;
/** Orders that show in lists and can be opened. */
export const listed = notIn('unpaid');
/** Orders whose pieces are bought. */
export const sold = notIn('unpaid', 'ended');
/** Orders that are still to be delivered. */
export const undelivered = notIn('unpaid', 'customer', 'ended');

/** Orders that wait neither for approval nor for an online payment: they may leave if their state allows it. */
export const released = sql<SqlBool>`(not awaits_approval
  and (paid_at is not null or payment_method <> ${sql.lit(PAYMENT_METHOD.online)}))`;
/** Released orders of which nothing has left: they can be dispatched as a whole. */
export const ready = sql<SqlBool>`(${inState('placed', 'packing')} and ${released})`;

/** Whether an order in this state can go through a step. */
export const isAllowed = (name: StepName, status: OrderStatus): boolean => stepOf(name).from.includes(status);

/** The states to which a step can lead. */
export const statesAfter = (name: StepName, status: OrderStatus): readonly OrderStatus[] => stepOf(name).to ?? [status];

/** The sentence that refuses it, for people. */
export const refusalOf = (name: StepName, { reference, status }: { reference: string; status: OrderStatus }): string =>
  `Order ${reference} ${STATES[status].refusal}; ${stepOf(name).refusal}.`;
