import { sql } from 'kysely';
import type { z } from 'zod';
import type { Today } from '#contract/office/office.schema.ts';
import { Problem } from '#contract/platform/problem.ts';
import type { Admin } from '#server/context/context.ts';
import { countWaiting, QUEUES } from '#server/orders/office/queues.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { FAILED, readFailedJobs, retryFailedJob } from '#server/platform/jobs/queue.ts';
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
  {
    id: 'jobs',
    label: 'Jobs failed',
    count: sql`select count(*)::int from jobs where ${FAILED}`,
    most: null,
    path: '/admin/today#jobs',
    place: 'today' as const,
  },
];

const JOBS_SHOWN = 20;

/** Counts the work that waits for staff in one statement, and reads permanently failed jobs if there are any. */
export async function readToday(db: Db, _: Admin): Promise<z.infer<typeof Today>> {
  const waiting = await countWaiting(db, WAITING);
  const isFailed = waiting.some(({ id, count }) => id === 'jobs' && count > 0);
  return { waiting, failedJobs: isFailed ? await readFailedJobs(db, JOBS_SHOWN) : [] };
}

/** Queues a job that failed for good again. Throws 404 for any other. */
export async function retryJob(db: Db, _: Admin, id: string): Promise<{ message: string }> {
  if (!(await retryFailedJob(db, id))) throw new Problem(404, 'This job is done, or is being tried again.');
  return { message: 'The job is tried again.' };
}
