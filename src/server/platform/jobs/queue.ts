import { type SqlBool, sql } from 'kysely';
import { storable } from '#contract/platform/storable.ts';
import type { Db } from '#server/platform/database/connect.ts';

/** A kind of job. */
export interface Job<Payload = unknown> {
  name: string;
  /** Its name for people. */
  label: string;
  /** Jobs of one lane run one after the other, those without a lane concurrently. */
  lane?: string;
  /** It waits for a server that may hang: such jobs never take the last place of a process. */
  mayHang?: true;
  /** When the clock queues it (UTC): each minute, each hour at `minute`, or each day at `hour` and `minute`. */
  at?: { hour?: number; minute?: number };
  /** Exists only as a type. */
  payload?: Payload;
}

/** What a job of this kind is queued with. */
export type PayloadOf<J> = J extends Job<infer P> ? P : never;

type Declared<P> = Omit<Job<P>, 'name'>;

/** A job of `declareJobs`. Only one without a payload is queued by the clock. */
export const job = <P extends object = Record<string, never>>(
  declared: Declared<unknown> & (P extends Record<string, never> ? unknown : { at?: never }),
): Declared<NoInfer<P>> => declared as Declared<P>;

/** The jobs of a module by name. `src/server/app/jobs.ts` has their functions. */
export const declareJobs = <J extends Record<string, Declared<unknown>>>(jobs: J) =>
  Object.fromEntries(Object.entries(jobs).map(([name, one]) => [name, { ...one, name }])) as { [K in keyof J]: J[K] & { name: K } };

/** All jobs by name. Jobs of other versions are missing. */
export type JobList = Readonly<Record<string, Job>>;

/** A job's name for people. Jobs of other versions keep their own name. */
export const jobLabel = (jobs: JobList, name: string): string => jobs[name]?.label ?? name;

interface Timing {
  /** Not before this moment (ISO). */
  runAt?: string;
  /** Replaces a waiting job with the same key. */
  key?: string;
  /** After this many failures, with exponential back-off, the job stays in the queue as a dead letter; 25 by default. */
  maxAttempts?: number;
}

/** A job as a backup holds it. */
export interface SavedJob {
  task: string;
  payload: unknown;
  runAt: string | null;
  maxAttempts: number;
  key: string | null;
  attempts: number;
  lastError: string | null;
  createdAt?: string;
}

/** The query for all jobs as a backup stores them, in the column `item`. */
export const JOBS_AS_JSON = `select json_build_object('task', name, 'payload', payload, 'runAt', run_at, 'maxAttempts', max_attempts,
    'key', key, 'attempts', attempts, 'lastError', last_error, 'createdAt', created_at) as item from jobs order by id`;

/** PostgreSQL notifies every process of a due job on this channel. */
export const JOBS_CHANNEL = 'jobs';

/** Queues a job that a backup or another version has stored. */
export const addSavedJob = (tx: Db, jobs: JobList, job: SavedJob): Promise<void> => addJob(tx, job, jobs[job.task]?.lane);

async function addJob(tx: Db, job: SavedJob, lane: string | undefined): Promise<void> {
  await sql`
    with added as (
      insert into jobs (name, lane, key, payload, run_at, created_at, attempts, max_attempts, last_error)
      values (${job.task}, ${lane ?? null}, ${job.key}, ${JSON.stringify(storable(job.payload))}::jsonb, coalesce(${job.runAt}::timestamptz, now()),
        coalesce(${job.createdAt ?? null}::timestamptz, now()), ${job.attempts}, ${job.maxAttempts}, ${job.lastError})
      on conflict (key) where taken_by is null do update set name = excluded.name, lane = excluded.lane, payload = excluded.payload,
        run_at = excluded.run_at, created_at = excluded.created_at, attempts = excluded.attempts, max_attempts = excluded.max_attempts,
        last_error = excluded.last_error
      returning run_at)
    select pg_notify(${JOBS_CHANNEL}, '') from added where run_at <= now()`.execute(tx);
}

/** Queues a job in the transaction of the change it belongs to: both happen or neither. */
export async function enqueue<P>(tx: Db, job: Job<P>, payload: NoInfer<P>, timing: Timing = {}): Promise<void> {
  const { runAt = null, key = null, maxAttempts = 25 } = timing;
  await addJob(tx, { task: job.name, payload, runAt, key, maxAttempts, attempts: 0, lastError: null }, job.lane);
}

/** The condition for jobs that failed for good, which has a partial index. */
export const FAILED = sql<SqlBool>`taken_by is null and attempts >= max_attempts`;

/** The latest jobs that failed for good. */
export async function readFailedJobs(db: Db, most: number): Promise<{ _id: string; name: string; reason: string; at: string }[]> {
  const { rows } = await sql<{ _id: string; name: string; reason: string; at: string }>`
    select id::text as _id, name, coalesce(last_error, '') as reason, created_at as at
    from jobs where ${FAILED} order by id desc limit ${most}`.execute(db);
  return rows;
}

/** Makes a job that failed for good due again. Returns its name; undefined if there was none. */
export async function retryFailedJob(db: Db, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    with retried as (update jobs set attempts = 0, run_at = now() where id::text = ${id} and ${FAILED} returning name)
    select name, pg_notify(${JOBS_CHANNEL}, '') from retried`.execute(db);
  return rows[0]?.name;
}

/**
 * Corrects the times of waiting jobs that a clock ahead of ours has stored. A job that failed then is due, since no pause after a failure is longer than
 * about six hours. One that was only queued waits as long from now; its key changes with its time of queuing, unless it was tried before and somebody knows it.
 */
export async function correctTimes(db: Db): Promise<void> {
  await sql`update jobs set run_at = now() where taken_by is null and attempts between 1 and max_attempts - 1 and run_at > now() + interval '7 hours'`.execute(
    db,
  );
  await sql`
    update jobs set run_at = now() + greatest(run_at - created_at, interval '0'), created_at = case when last_error is null then now() else created_at end
    where taken_by is null and attempts = 0 and run_at > now() + interval '5 minutes' and created_at > now() + interval '5 minutes'`.execute(
    db,
  );
}

/** Deletes jobs. A running one finishes, and is not tried again after a failure. */
export async function deleteJobs(tx: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom('jobs').where('id', 'in', ids).execute();
}

/** Deletes dead letters that are older than `days`, since their payloads name people. */
export async function deleteFailedJobs(db: Db, days: number): Promise<void> {
  await sql`delete from jobs where ${FAILED} and created_at < now() - ${days} * interval '1 day'`.execute(db);
}
