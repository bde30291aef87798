import { sql } from 'kysely';
import type { JOBS } from '#server/app/jobs.ts';
import type { Db } from '#server/platform/database/connect.ts';

interface QueuedJob {
  id: number;
  task: keyof typeof JOBS;
  attempts: number;
  maxAttempts: number;
  /** Seconds from now until it is due. */
  dueIn: number;
}

/** Jobs in the queue, including dead letters, oldest first. */
export async function queuedJobs(db: Db, task: keyof typeof JOBS): Promise<QueuedJob[]> {
  const { rows } = await sql<QueuedJob>`
    select id, name as task, attempts, max_attempts, extract(epoch from run_at - now())::float8 as due_in
    from jobs where name = ${task} order by id`.execute(db);
  return rows;
}

/** Makes all jobs due now. */
export async function makeJobsDue(db: Db): Promise<void> {
  await sql`update jobs set run_at = now() where run_at > now()`.execute(db);
}
