import { sql } from 'kysely';
import type pg from 'pg';
import { storable } from '#contract/platform/storable.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { queueOf } from './queue.ts';

/**
 * All that touches the private tables of graphile-worker (0.17.3); src/owners.test.ts refuses it anywhere else. Everything else goes through its
 * public view `graphile_worker.jobs` and its functions. Those show no payloads, delete no job that a worker has taken, unlock only all jobs of a
 * worker together, and cannot set the number of failures and the last error of a job. Look here when the library is updated.
 */

/** The query for all jobs, as a backup holds them, in the column `item`. Who works on one is left out, since nobody will after a restore. */
export const JOBS_AS_JSON = `select json_build_object('task', task.identifier, 'payload', job.payload, 'runAt', job.run_at, 'maxAttempts', job.max_attempts,
    'key', job.key, 'attempts', job.attempts, 'lastError', job.last_error) as item
  from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id order by job.id`;

/** Queues a job of a backup again, with the failures that it had. */
export async function restoreJob(client: pg.ClientBase, job: { task: string }): Promise<void> {
  const { rows } = await client.query(
    `select added.id, (job ->> 'attempts')::int as attempts, job ->> 'lastError' as last_error
     from (select $1::json as job) given, graphile_worker.add_job(job ->> 'task', payload := job -> 'payload', queue_name := $2,
       run_at := (job ->> 'runAt')::timestamptz, max_attempts := (job ->> 'maxAttempts')::int, job_key := job ->> 'key') added`,
    [JSON.stringify(storable(job)), queueOf(job.task)],
  );
  const { id, attempts, last_error } = rows[0];
  await client.query('update graphile_worker._private_jobs set attempts = $2, last_error = $3 where id = $1', [id, attempts, last_error]);
}

/** Every job with its payload as JSON text, the oldest first. */
export async function listPayloads(db: Db): Promise<{ id: string; payload: string; createdAt: string }[]> {
  const { rows } = await sql<{ id: string; payload: string; createdAt: string }>`
    select id::text as id, payload::text as payload, created_at from graphile_worker._private_jobs order by created_at, id`.execute(db);
  return rows;
}

/** Deletes jobs, also those that a worker has taken: after a failure it would not try again. */
export async function deleteJobs(tx: Db, ids: readonly string[]): Promise<void> {
  await sql`delete from graphile_worker._private_jobs where id = any(${ids}::bigint[])`.execute(tx);
}

/** Deletes jobs that have failed for good and are older than so many days: their payloads name people. */
export async function deleteFailedJobs(db: Db, days: number): Promise<void> {
  await sql`
    delete from graphile_worker._private_jobs
    where attempts >= max_attempts and locked_at is null and created_at < now() - ${days} * interval '1 day'`.execute(db);
}

/** Unlocks single jobs, with the queues that are locked for them. */
export async function unlockJobs(db: Db, ids: readonly string[]): Promise<void> {
  await sql`
    with jobs as (update graphile_worker._private_jobs set locked_at = null, locked_by = null where id = any(${ids}::bigint[]) returning job_queue_id)
    update graphile_worker._private_job_queues set locked_at = null, locked_by = null where id in (select job_queue_id from jobs)`.execute(
    db,
  );
}
