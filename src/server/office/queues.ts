import { type SqlBool, sql } from 'kysely';
import type { Queues } from '#contract/orders.ts';
import type { Admin } from '#server/context/context.ts';
import type { Db } from '#server/db/connect.ts';
import { listed } from '#server/orders/rules/states.ts';
import { countListed } from './sales/sales.service.ts';

/**
 * What waits for somebody in the office, each a tab of the order list: a row here is a tab there. The conditions are those of indexes, since
 * all are counted whenever the list is opened.
 */
const QUEUES = [
  { id: 'pack', label: 'To pack', where: sql<SqlBool>`status = 'placed' and delivered_at is null` },
  // What could not be delivered is sent again, or cancelled.
  { id: 'dispatch', label: 'To dispatch', where: sql<SqlBool>`status in ('packing', 'delivery_failed')` },
  { id: 'returns', label: 'Returns to judge', where: sql<SqlBool>`id in (select order_id from order_returns where status = 'asked')` },
  { id: 'refunds', label: 'Refunds failed', where: sql<SqlBool>`id in (select order_id from order_refunds where status = 'failed')` },
  { id: 'disputes', label: 'Disputes', where: sql<SqlBool>`id in (select order_id from order_disputes where status = 'open')` },
];

/** The condition of a queue; undefined for a name that none has. */
export const conditionOf = (id: string | undefined) => QUEUES.find((queue) => queue.id === id)?.where;

/** The tabs of the order list with how many orders each has; the last one has all. */
export async function countQueues(db: Db, _: Admin): Promise<Queues> {
  const counts = QUEUES.map(({ id, where }) => sql`(select count(*)::int from orders where ${listed} and ${where}) as ${sql.id(id)}`);
  const [{ rows }, all] = await Promise.all([sql<Record<string, number>>`select ${sql.join(counts)}`.execute(db), countListed(db)]);
  const queues = QUEUES.map(({ id, label }) => ({ id, label, count: rows[0]?.[id] ?? 0 }));
  return { queues: [...queues, { id: '', label: 'All', count: all }] };
}
