import { sql } from 'kysely';
import type { Db } from '#server/platform/database/connect.ts';
import type { Jobs } from '#server/platform/jobs/queue.ts';

interface QueuedJob {
  id: number;
  task: keyof Jobs;
  attempts: number;
  maxAttempts: number;
  /** Seconds from now until it is due. */
  dueIn: number;
}

/** What waits in the queue, dead letters too, oldest first. */
export async function queuedJobs(db: Db, task: keyof Jobs): Promise<QueuedJob[]> {
  const { rows } = await sql<QueuedJob>`
    select id, task_identifier as task, attempts, max_attempts, extract(epoch from run_at - now())::float8 as due_in
    from graphile_worker.jobs where task_identifier = ${task} order by id`.execute(db);
  return rows;
}

/** Turns the clock of the queue on: whatever waits for its time is due now. */
export async function makeJobsDue(db: Db): Promise<void> {
  await sql`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs where run_at > now()), run_at := now())`.execute(
    db,
  );
}
