import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import type { Jobs } from '#server/jobs/queue.ts';

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
    select job.id, task.identifier as task, job.attempts, job.max_attempts as max_attempts, extract(epoch from job.run_at - now())::float8 as due_in
    from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
    where task.identifier = ${task} order by job.id`.execute(db);
  return rows;
}

/** Turns the clock of the queue on: whatever waits for its time is due now. */
export async function makeJobsDue(db: Db): Promise<void> {
  await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`.execute(db);
}
