import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Queues } from '#contract/orders/orders.ts';
import { statesInQueue } from '#contract/orders/states.ts';
import type { Admin } from '#server/context/context.ts';
import { awaitsPayment, inState, released } from '#server/orders/rules/states.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { countListed } from './sales.service.ts';

/** Orders by an indexed condition. */
const counted = (where: RawBuilder<SqlBool>) => ({ where, count: sql`select count(*)::int from orders where ${where}` });

/** Orders with rows of another table. Only listed orders have such rows, so counting the other table is enough. */
const withRows = (rows: RawBuilder<unknown>) => ({
  where: sql<SqlBool>`id in (select order_id from ${rows})`,
  count: sql`select count(distinct order_id)::int from ${rows}`,
});

/** The queues of staff work: each row is a tab of the order list, with its count. */
export const QUEUES = [
  { id: 'approve', label: 'To approve', ...counted(sql`awaits_approval and ${inState('placed')}`) },
  {
    id: 'payment',
    label: 'Awaiting payment',
    ...counted(sql`${inState('placed')} and not awaits_approval and ${awaitsPayment}`),
  },
  { id: 'pack', label: 'To pack', ...counted(sql`${inState(...statesInQueue('pack'))} and ${released}`) },
  // An order that could not be delivered is sent again or cancelled.
  { id: 'dispatch', label: 'To dispatch', ...counted(inState(...statesInQueue('dispatch'))) },
  { id: 'returns', label: 'Returns to judge', ...withRows(sql`order_returns where status = 'asked'`) },
  { id: 'refunds', label: 'Refunds failed', ...withRows(sql`order_refunds where status = 'failed'`) },
  { id: 'disputes', label: 'Disputes', ...withRows(sql`order_disputes where status = 'open'`) },
];

/** The condition of a queue; undefined for an unknown name. */
export const conditionOf = (id: string | undefined) => QUEUES.find((queue) => queue.id === id)?.where;

/** Counts of what waits, in one statement. */
export async function countWaiting<W extends { id: string; count: RawBuilder<unknown> }>(
  db: Db,
  waiting: readonly W[],
): Promise<(Omit<W, 'count'> & { count: number })[]> {
  const counts = waiting.map(({ id, count }) => sql`(${count}) as ${sql.id(id)}`);
  const { rows } = await sql<Record<string, number>>`select ${sql.join(counts)}`.execute(db);
  return waiting.map((one) => ({ ...one, count: rows[0]?.[one.id] ?? 0 }));
}

/** The tabs of the order list with their counts; the last one has all orders. */
export async function countQueues(db: Db, _: Admin): Promise<Queues> {
  const [queues, all] = await Promise.all([countWaiting(db, QUEUES), countListed(db)]);
  return { queues: [...queues.map(({ id, label, count }) => ({ id, label, count })), { id: '', label: 'All', count: all }] };
}
