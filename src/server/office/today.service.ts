import { sql } from 'kysely';
import { may, RIGHTS } from '#contract/accounts/roles.ts';
import type { Today } from '#contract/office/office.schema.ts';
import type { Done } from '#contract/platform/lists.schema.ts';
import { Problem } from '#contract/platform/problem.ts';
import { countFaults } from '#server/books/books.service.ts';
import { recordChange } from '#server/context/audit.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { MOST_WAITING, QUEUES, waitingOrders } from '#server/orders/office/queues.ts';
import { countListed } from '#server/orders/office/sales.service.ts';
import { FAILED, jobLabel, readFailedJobs, retryFailedJob } from '#server/platform/jobs/queue.ts';
import { countNewReviews } from '#server/reviews/read.service.ts';
import { countLow, MOST_LOW } from '#server/stock/list.service.ts';

/** Work that waits for staff, in the order of the screen. Counted up to `most`, or to the end if it is null. */
const waitingAt = (config: Services['config']) => [
  ...QUEUES.map(({ id, label, count }) => ({
    id,
    label,
    count,
    most: null,
    path: `/admin/orderlist?queue=${id}`,
    place: 'orders' as const,
  })),
  { id: 'low', label: 'Running low', count: countLow(config), most: MOST_LOW, path: '/admin/stock?show=low', place: 'stock' as const },
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

/** The right to see what waits at a place of the menu. Failed jobs are for those who can try them again. */
const RIGHT_AT = {
  orders: 'see orders',
  stock: 'see products',
  reviews: 'see products',
  books: 'see money',
  today: 'change settings',
} as const;

/** Counts the waiting work that an administrator may see in one statement, and reads permanently failed jobs if there are any. */
export async function readToday({ db, config, jobs }: Pick<Services, 'db' | 'config' | 'jobs'>, who: Admin): Promise<Today> {
  const visible = waitingAt(config).filter(({ place }) => may(who, RIGHT_AT[place]));
  const seesOrders = may(who, 'see orders');
  const counts = visible.map(({ id, count }) => sql`(${count}) as ${sql.id(id)}`);
  const counted = sql<
    Record<string, number>
  >`select ${sql.join([sql`(${seesOrders ? waitingOrders : sql`0`}) as orders`, ...counts])}`.execute(db);
  const [{ rows }, orderCount] = await Promise.all([counted, countListed(db)]);
  const countOf = (id: string) => rows[0]?.[id] ?? 0;
  const waiting = visible.map((work) => ({ ...work, count: countOf(work.id) }));
  const failedJobs = countOf('jobs') > 0 ? await readFailedJobs(db, JOBS_SHOWN) : [];
  return {
    waiting,
    orders: { waiting: countOf('orders'), most: MOST_WAITING, all: seesOrders ? orderCount : 0 },
    rights: RIGHTS.filter((right) => may(who, right)),
    failedJobs: failedJobs.map((job) => ({ ...job, name: jobLabel(jobs, job.name) })),
  };
}

/** Queues a job that failed for good again. Throws 404 for any other. */
export function retryJob({ db, jobs }: Pick<Services, 'db' | 'jobs'>, who: Admin, id: string): Promise<Done> {
  return transactionOf(db, who, async (tx) => {
    const name = await retryFailedJob(tx, id);
    if (!name) throw new Problem(404, 'This job is done, or we are trying it again.');
    // The audit log has no kind for jobs, so the entry is filed under the administrator.
    await recordChange(tx, who, 'user', who._id, `Tried a failed job again: ${jobLabel(jobs, name)}`);
    return { message: `Trying again now: ${jobLabel(jobs, name)}.` };
  });
}
