import { sql } from 'kysely';
import type { Today } from '#contract/office/office.schema.ts';
import type { Done } from '#contract/platform/lists.schema.ts';
import { Problem } from '#contract/platform/problem.ts';
import { countFaults } from '#server/books/books.service.ts';
import { recordChange } from '#server/context/audit.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import { MOST_WAITING, QUEUES, waitingOrders } from '#server/orders/office/queues.ts';
import { countListed } from '#server/orders/office/sales.service.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { jobLabel } from '#server/platform/jobs/labels.ts';
import { FAILED, readFailedJobs, retryFailedJob } from '#server/platform/jobs/queue.ts';
import { countNewReviews } from '#server/reviews/read.service.ts';
import { countLow, MOST_LOW } from '#server/stock/list.service.ts';

/** Work that waits for staff, in the order of the screen. */
const WAITING = [
  ...QUEUES.map(({ id, label, count }) => ({
    id,
    label,
    count,
    most: null,
    path: `/admin/orderlist?queue=${id}`,
    place: 'orders' as const,
  })),
  { id: 'low', label: 'Running low', count: countLow, most: MOST_LOW, path: '/admin/stock?show=low', place: 'stock' as const },
  { id: 'reviews', label: 'New reviews', count: countNewReviews, most: null, path: '/admin/reviews', place: 'reviews' as const },
  { id: 'books', label: 'Books that do not agree', count: countFaults, most: null, path: '/admin/books', place: 'books' as const },
  {
    id: 'jobs',
    label: 'Failed jobs',
    count: sql`select count(*)::int from jobs where ${FAILED}`,
    most: null,
    path: '/admin/today#jobs',
    place: 'today' as const,
  },
];

const JOBS_SHOWN = 20;

/** Counts the work that waits for staff in one statement, and reads permanently failed jobs if there are any. */
export async function readToday(db: Db, _: Admin): Promise<Today> {
  const counts = WAITING.map(({ id, count }) => sql`(${count}) as ${sql.id(id)}`);
  const counted = sql<Record<string, number>>`select (${waitingOrders}) as orders, ${sql.join(counts)}`.execute(db);
  const [{ rows }, all] = await Promise.all([counted, countListed(db)]);
  const countOf = (id: string) => rows[0]?.[id] ?? 0;
  const waiting = WAITING.map((one) => ({ ...one, count: countOf(one.id) }));
  const failedJobs = countOf('jobs') > 0 ? await readFailedJobs(db, JOBS_SHOWN) : [];
  return {
    waiting,
    orders: { waiting: countOf('orders'), most: MOST_WAITING, all },
    failedJobs: failedJobs.map((job) => ({ ...job, name: jobLabel(job.name) })),
  };
}

/** Queues a job that failed for good again. Throws 404 for any other. */
export function retryJob(db: Db, who: Admin, id: string): Promise<Done> {
  return transactionOf(db, who, async (tx) => {
    const name = await retryFailedJob(tx, id);
    if (!name) throw new Problem(404, 'This job is done, or we are trying it again.');
    // A job is no record of the shop: the entry stands with the administrator.
    await recordChange(tx, who, 'user', who._id, `Tried a failed job again: ${jobLabel(name)}`);
    return { message: `Trying again now: ${jobLabel(name)}.` };
  });
}
