import { sql } from 'kysely';
import type { Db } from '#server/platform/database/connect.ts';
import type { Log } from '#server/platform/log.ts';
import { addSavedJob, type JobList, type SavedJob } from './queue.ts';

const BATCH = 500;

/**
 * Takes over the jobs that versions before migration 0595 left in the tables of graphile-worker, once all those versions are gone: each of their
 * processes holds an advisory lock of the class 7267. It stays for as long as a database of commit 8b761d1 is taken over (decision 50): its mails and
 * refunds wait there. Returns how many were taken over.
 */
export async function adoptGraphileJobs({ db, log }: { db: Db; log: Log }, jobs: JobList): Promise<number> {
  const { rows } = await sql<{ canAdopt: boolean }>`
    select to_regclass('graphile_worker._private_jobs') is not null and not exists (
      select from pg_locks where locktype = 'advisory' and classid = 7267
        and database = (select oid from pg_database where datname = current_database())) as can_adopt`.execute(db);
  if (!rows[0]?.canAdopt) return 0;
  let sum = 0;
  for (let moved = BATCH; moved === BATCH; sum += moved) moved = await db.transaction().execute((tx) => moveBatch(tx, jobs));
  if (sum > 0) log.info({ jobs: sum }, 'jobs of the version before were taken over');
  return sum;
}

async function moveBatch(tx: Db, jobs: JobList): Promise<number> {
  const { rows } = await sql<{ job: SavedJob }>`
    with old as (
      delete from graphile_worker._private_jobs
      where id in (select id from graphile_worker._private_jobs order by id limit ${BATCH} for update skip locked)
      returning *)
    select json_build_object('task', task.identifier, 'payload', old.payload, 'runAt', old.run_at, 'maxAttempts', old.max_attempts,
      'key', old.key, 'attempts', old.attempts, 'lastError', old.last_error, 'createdAt', old.created_at) as job
    from old join graphile_worker._private_tasks task on task.id = old.task_id order by old.id`.execute(tx);
  for (const { job } of rows) await addSavedJob(tx, jobs, job);
  return rows.length;
}
