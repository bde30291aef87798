import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { QUEUE_LABELS, QUEUE_NAMES, type QueueName } from '#contract/orders/queues.ts';
import { statesIn, statesInQueue } from '#contract/orders/states.ts';
import { cancelledWithMoney, isStillOwed, owedItems } from '#server/orders/refunds/settled-pieces.service.ts';
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
  // What staff have to give back: refunds that failed, refunds by hand, what came in besides what was due, and what a dispute held back when pieces left or the
  // order was cancelled.
  refunds: withRows(
    sql`(select order_id from order_refunds where status = 'pending' and is_by_hand
      union all select order_id from order_refunds refund join orders on orders.id = order_id
        where refund.status = 'failed' and ${isStillOwed}
      union all select item.order_id from ${owedItems} union all select id from orders where ${cancelledWithMoney}
      union all select order_id from overpayments where status = 'owed') due`,
  ),
  // After a loss staff cancel the order, or send what the rest of the payment is for.
  disputes: withRows(
    sql`order_disputes dispute where status in ('inquiry', 'open') or status = 'lost' and exists (select from orders where id = dispute.order_id and ${undelivered})`,
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
