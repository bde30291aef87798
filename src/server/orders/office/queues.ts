import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { QUEUE_LABELS, QUEUE_NAMES, type QueueName } from '#contract/orders/queues.ts';
import { statesIn, statesInQueue } from '#contract/orders/states.ts';
import { isOwed, owedRefunds } from '#server/orders/refunds/to-pay-back.ts';
import { awaitsPayment, inState, released, undelivered } from '#server/orders/rules/states.ts';

/** Orders by an indexed condition. */
const matching = (where: RawBuilder<SqlBool>) => ({
  where,
  ids: sql`select id from orders where ${where}`,
  count: sql`select count(*)::int from orders where ${where}`,
});

/** Orders with rows of another table. Only listed orders have such rows, so counting the other table is enough. */
const withRows = (rows: RawBuilder<unknown>) => ({
  where: sql<SqlBool>`id in (select order_id from ${rows})`,
  ids: sql`select distinct order_id as id from ${rows}`,
  count: sql`select count(distinct order_id)::int from ${rows}`,
});

/** The conditions of the queues of staff work; each has an index. */
const CONDITIONS: Record<QueueName, ReturnType<typeof matching>> = {
  approve: matching(sql`awaits_approval and ${inState('placed')}`),
  // Orders that were sent before their payment stay here until they are delivered; then they are in `unpaid`.
  payment: matching(sql`${undelivered} and not awaits_approval and ${awaitsPayment}`),
  pack: matching(sql`${inState(...statesInQueue('pack'))} and ${released}`),
  // An order that could not be delivered is sent again or cancelled.
  dispatch: matching(inState(...statesInQueue('dispatch'))),
  // The last day of the promise has passed.
  late: matching(sql`${undelivered} and delivery_to < shop_day(now())`),
  returns: withRows(sql`order_returns where status = 'asked'`),
  coming: withRows(sql`order_returns where status = 'approved'`),
  // Of a returned order, the part of the price or the delivery that staff did not waive. Also what drivers may have for pieces that came back.
  unpaid: matching(
    sql`${inState(...statesIn('customer'))} and (paid_at is null and total_price > waived_price or to_collect > 0 and (paid_at is null or received_by = 'transfer'))`,
  ),
  // What staff have to give back: what is owed for pieces that left, goodwill that failed, refunds by hand, and what came in besides what was due.
  refunds: withRows(
    sql`(select order_id from order_refunds where status = 'pending' and is_by_hand
      union all select refund.order_id from ${owedRefunds} union all select id from orders where ${isOwed}
      union all select order_id from overpayments where status = 'owed') due`,
  ),
  // After a loss staff cancel the order, or send what the rest of the payment is for. Also open disputes of payments that were not kept.
  disputes: withRows(
    sql`(select order_id from order_disputes dispute
        where status in ('inquiry', 'open') or status = 'lost' and exists (select from orders where id = dispute.order_id and ${undelivered})
      union all select order_id from second_payment_outcomes outcome join second_payments using (payment_id)
        where kind = 'dispute' and status in ('inquiry', 'open')) dispute`,
  ),
};

export const QUEUES = QUEUE_NAMES.map((id) => ({ id, label: QUEUE_LABELS[id], ...CONDITIONS[id] }));

/** The condition of a queue; undefined for an unknown name. */
export const conditionOf = (id: string | undefined) => QUEUES.find((queue) => queue.id === id)?.where;

/** Counting stops at this number. */
export const MOST_WAITING = 1_000;

/** Counts the orders that wait, each once although it may be in several queues; up to `MOST_WAITING`. */
export const waitingOrders = sql`
  select least(count(*), ${sql.lit(MOST_WAITING)})::int
  from (${sql.join(
    QUEUES.map(({ ids }) => sql`(${ids} limit ${sql.lit(MOST_WAITING)})`),
    sql` union `,
  )}) as waiting`;
