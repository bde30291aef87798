import { type SqlBool, sql } from 'kysely';
import { PAYMENT_METHOD } from '#contract/orders/orders.ts';
import { type OrderStatus, type Phase, type SeenStatus, STATES, statesIn } from '#contract/orders/states.ts';
import { type StepName, stepOf } from '#contract/orders/steps.ts';

/** Whether people see an order in this state. */
export const isSeen = (status: OrderStatus): status is SeenStatus => STATES[status].phase !== 'unpaid';
/** Whether an order in this state is a sale: neither unpaid nor ended. */
export const isSold = (status: OrderStatus): boolean => statesIn('shop', 'courier', 'customer').includes(status);
/** Whether an order in this state was delivered; returns do not change that. */
export const isDelivered = (status: OrderStatus): boolean => STATES[status].phase === 'customer';

/** Rows in some states. */
export const inState = (...states: readonly OrderStatus[]) => sql<SqlBool>`order_state in (${sql.join(states.map(sql.lit))})`;
/** Rows outside some phases. The partial indexes of `orders` have the same conditions, which hold for new states too. */
const notIn = (...phases: Phase[]) => sql<SqlBool>`order_state not in (${sql.join(statesIn(...phases).map(sql.lit))})`;
/** Orders that people see. */
export const listed = notIn('unpaid');
/** Orders that are sales. */
export const sold = notIn('unpaid', 'ended');
/** Orders that are still to be delivered. */
export const undelivered = notIn('unpaid', 'customer', 'ended');

/** Orders that await an online payment: something is due. `is true` hides the condition from indexes of unpaid orders, whose size PostgreSQL underestimates. */
export const awaitsPayment = sql<SqlBool>`((paid_at is null and payment_method = ${sql.lit(PAYMENT_METHOD.online)}
  and total_price > waived_price) is true)`;
/** Orders that the bank holds back: a dispute is open, or was lost with all that was paid. */
export const heldByBank = sql<boolean>`(disputed_price > 0 and (disputed_price + refunded_price >= total_price - waived_price
  or exists (select from order_disputes dispute where dispute.order_id = orders.id and dispute.status = 'open')))`;
/** Orders that wait neither for approval nor for an online payment, nor for the bank: they may leave if their state allows it. */
export const sendable = sql<SqlBool>`(not awaits_approval and not ${awaitsPayment} and not ${heldByBank})`;
/** Sendable orders whose payment is whole. After the loss of a part, staff decide on the order's page. */
export const released = sql<SqlBool>`(not awaits_approval and not ${awaitsPayment} and disputed_price = 0)`;
/** Orders of which all that was paid has been refunded, though nothing was cancelled. Staff decide on the order's page. */
export const refundedWhole = sql<boolean>`(refunded_price > 0 and refunded_price + disputed_price >= total_price - waived_price)`;
/** Released orders that can be dispatched as a whole, since nothing has left. */
export const ready = sql<SqlBool>`(${inState('placed', 'packing')} and ${released} and not ${refundedWhole})`;

/** Whether a step is possible in a state. */
export const isAllowed = (name: StepName, status: OrderStatus): boolean => stepOf(name).from.includes(status);

export const statesAfter = (name: StepName, status: OrderStatus): readonly OrderStatus[] => stepOf(name).to ?? [status];

/** The message that refuses a step. */
export const refusalOf = (name: StepName, { reference, status }: { reference: string; status: OrderStatus }): string =>
  `Order ${reference} ${STATES[status].refusal}; ${stepOf(name).refusal}.`;
