import { createHash, randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import { v7 as uuid } from 'uuid';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/market/shop-time.ts';
import { storable } from '#contract/platform/storable.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { withoutAddresses } from '#server/platform/log.ts';
import { type Reporting, reportError } from '#server/platform/telemetry/error-reports.ts';
import { inSpan } from '#server/platform/telemetry/tracing.ts';
import { adoptGraphileJobs } from './graphile-jobs.ts';
import { correctTimes, enqueue, JOBS_CHANNEL, type Job, type JobList, type PayloadOf } from './queue.ts';

/** Concurrent jobs of a process. */
const AT_ONCE = 3;
/** How often a process polls for jobs that are due or whose process has died. New jobs are announced by NOTIFY. */
const LOOK_MS = 5_000;
/** The longest wait for running jobs at a stop; unfinished ones run again after the next start. */
const STOP_MS = 5_000;
/** The pause before storing an outcome again. */
const STORE_AGAIN_MS = 250;
/** The first half of the advisory locks' keys; the second half is the process's number, which is also in `taken_by` of its jobs. */
export const LOCK_CLASS = 7_269;

interface RunnerServices extends Reporting {
  db: Db;
  pool: pg.Pool;
  /** Direct connections, if there is a pooler. */
  directPool?: pg.Pool | undefined;
}

/** The key identifies the job and is the same at each attempt. */
type Task<S, P> = (services: S, payload: P, key: string) => Promise<unknown>;

/** One function for each job. */
export type Tasks<S, J> = { [K in keyof J]: Task<S, PayloadOf<J[K]>> };

/** All background work. Of each job that the clock queues at most one waits in the queue. */
export interface Work<S> {
  jobs: JobList;
  tasks: Readonly<Record<string, Task<S, never>>>;
  /** Runs in the transaction that stores a job's last failure. */
  onFailed: (tx: Tx, services: S, job: FailedJob) => Promise<void>;
}

/** A job that has become a dead letter. */
export interface FailedJob {
  name: string;
  payload: unknown;
  reason: string;
}

interface TakenJob {
  id: number;
  name: string;
  payload: unknown;
  attempts: number;
  maxAttempts: number;
  createdAt: string;
  takenBy: number;
}

/** How far ahead of ours the clock of another process may be: less than from one time of a job to the next, which would be queued twice. */
const mostAhead = ({ hour, minute }: NonNullable<Job['at']>): string =>
  hour !== undefined ? '1 day' : minute !== undefined ? '1 hour' : '5 minutes';

/** The latest time by the clock that is not after `now`. */
function lastTime({ hour, minute }: NonNullable<Job['at']>, now: Date): Date {
  const time = new Date(now);
  time.setUTCHours(hour ?? now.getUTCHours(), minute ?? now.getUTCMinutes());
  if (time <= now) return time;
  return new Date(time.getTime() - (hour === undefined ? HOUR_MS : DAY_MS));
}

const reasonOf = (error: unknown) => storable(withoutAddresses(String(error)).slice(0, 300));
const isUniqueViolation = (error: unknown) => (error as { code?: unknown }).code === '23505';

/** A UUIDv7 derived from a job, so that keys sort in the order of queuing. */
const keyOf = ({ id, createdAt }: TakenJob): string =>
  uuid({ msecs: new Date(createdAt).getTime(), seq: id % 2 ** 31, random: createHash('sha256').update(String(id)).digest() });

/** Takes the next due job whose lane is free. */
async function takeJob(db: Db, holder: number, names: readonly string[]): Promise<TakenJob | undefined> {
  try {
    const { rows } = await sql<TakenJob>`
      update jobs set taken_by = ${holder}, attempts = attempts + 1
      where id = (
        select id from jobs
        where taken_by is null and attempts < max_attempts and run_at <= now() and name = any(${names}::text[])
          and (lane is null or lane <> all (array(select lane from jobs where taken_by is not null and lane is not null)))
        order by run_at, id limit 1 for update skip locked)
      returning id, name, payload, attempts, max_attempts, created_at, taken_by`.execute(db);
    return rows[0];
  } catch (error) {
    // Another process has just taken a job of the same lane.
    if (isUniqueViolation(error)) return takeJob(db, holder, names);
    throw error;
  }
}

/** Runs a job. Returns the function that stores its outcome. After its last attempt the job stays in the queue. */
async function doJob<S extends RunnerServices>(services: S, { tasks, onFailed }: Work<S>, job: TakenJob): Promise<() => Promise<unknown>> {
  const { db, log } = services;
  try {
    const task = tasks[job.name] as Task<S, unknown>;
    await inSpan(`job ${job.name}`, () => task(services, job.payload, keyOf(job)));
    return () => db.deleteFrom('jobs').where('id', '=', job.id).execute();
  } catch (error) {
    const reason = reasonOf(error);
    const line = { task: job.name, job: job.id, attempt: job.attempts, reason };
    // The pauses grow to six hours (`correctTimes`).
    const changes = sql`last_error = ${reason}, run_at = now() + exp(least(attempts, 10)) * interval '1 second',`;
    if (job.attempts < job.maxAttempts) {
      log.warn(line, 'a job failed and will be tried again');
      return () => freeJob(db, job, changes);
    }
    log.error(line, 'a job failed for good');
    reportError(services, { source: 'server', error, place: `job ${job.name}` });
    return () => freeJob(db, job, changes, (tx) => onFailed(tx, services, { ...job, reason }));
  }
}

/** Returns a job to the queue, and calls `onFreed` in the same transaction. Deletes the job if a newer one with its key is waiting. */
async function freeJob(
  db: Db,
  { id, takenBy }: Pick<TakenJob, 'id' | 'takenBy'>,
  changes = sql``,
  onFreed?: (tx: Tx) => Promise<void>,
): Promise<void> {
  try {
    await db.transaction().execute(async (tx) => {
      const freed = await sql`update jobs set ${changes} taken_by = null where id = ${id} and taken_by = ${takenBy}`.execute(tx);
      if (freed.numAffectedRows) await onFreed?.(tx);
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    await db.deleteFrom('jobs').where('id', '=', id).where('takenBy', '=', takenBy).execute();
  }
}

/** Works through the queue in one process (decision 85), and resumes after any outage of the database. */
class JobRunner<S extends RunnerServices> {
  readonly #services: S;
  readonly #work: Work<S>;
  readonly #holder = randomInt(1, 2 ** 31);
  readonly #running = new Map<number, { name: string; end: Promise<void> }>();
  /** Listens for new jobs, and holds the advisory lock that shows others that this process is alive. */
  #connection: pg.PoolClient | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Serialises looking and taking, so that a job that is just being taken never looks lost. */
  #turn: Promise<unknown> = Promise.resolve();
  #isWoken = false;
  #isStopped = false;
  #hasLooked = false;
  /** The minute since 1970 in which the schedule was last looked at. */
  #lastMinute = Math.floor(Date.now() / MINUTE_MS);

  constructor(services: S, work: Work<S>) {
    this.#services = services;
    this.#work = work;
  }

  async start(): Promise<void> {
    const look = () => this.#inTurn(() => this.#look());
    this.#timer = setInterval(look, LOOK_MS).unref();
    await this.#inTurn(() => adoptGraphileJobs(this.#services, this.#work.jobs));
    await look();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#turn;
    await Promise.race([Promise.all([...this.#running.values()].map(({ end }) => end)), setTimeout(STOP_MS, undefined, { ref: false })]);
    this.#disconnect();
  }

  #inTurn(step: () => Promise<unknown>): Promise<unknown> {
    this.#turn = this.#turn.then(step).catch((error: unknown) => {
      if (!this.#isStopped) this.#services.log.warn({ reason: reasonOf(error) }, 'the job queue could not be looked after');
    });
    return this.#turn;
  }

  async #look(): Promise<void> {
    if (this.#isStopped) return;
    // After an outage other processes may not have their locks back yet, and must not count as dead.
    const isBack = !this.#connection && this.#hasLooked;
    this.#connection ??= await this.#connect();
    this.#hasLooked = true;
    const lost = isBack ? [] : await this.#findLost(this.#connection);
    for (const job of lost) await freeJob(this.#services.db, job);
    if (lost.length > 0) this.#services.log.warn({ jobs: lost.length }, 'jobs that no process works on were given back');
    await this.#schedule();
    await this.#takeJobs();
  }

  async #connect(): Promise<pg.PoolClient> {
    const { pool, directPool } = this.#services;
    const connection = await (directPool ?? pool).connect();
    connection.once('error', () => connection === this.#connection && this.#disconnect());
    connection.on('notification', () => this.#wake());
    try {
      await connection.query('select pg_advisory_lock($1::int, $2::int)', [LOCK_CLASS, this.#holder]);
      await connection.query(`listen ${JOBS_CHANNEL}`);
    } catch (error) {
      connection.release(true);
      throw error;
    }
    return connection;
  }

  /** Closes the connection, which frees the lock. */
  #disconnect(): void {
    this.#connection?.release(true);
    this.#connection = undefined;
  }

  /**
   * Jobs of dead processes, and jobs of this one that it does not know of, because the connection broke while it took them. In `pg_locks`, `objsubid` is 2
   * for a lock with two keys.
   */
  async #findLost(connection: pg.PoolClient): Promise<Pick<TakenJob, 'id' | 'takenBy'>[]> {
    const text = `select id, taken_by as "takenBy" from jobs where taken_by is not null and case when taken_by = $2 then id <> all($3::bigint[])
      else not exists (
        select from pg_locks where locktype = 'advisory' and classid = $1 and objid = taken_by and objsubid = 2
          and database = (select oid from pg_database where datname = current_database())) end`;
    const values = [LOCK_CLASS, this.#holder, [...this.#running.keys()]];
    try {
      return (await connection.query({ text, values, query_timeout: LOOK_MS } as pg.QueryConfig)).rows;
    } catch (error) {
      this.#disconnect();
      throw error;
    }
  }

  /**
   * Queues what runs by the clock, once for all processes together. A job whose time fell into an outage is queued once afterwards. A time that a clock far
   * ahead of ours has stored does not count.
   */
  async #schedule(): Promise<void> {
    const thisMinute = Math.floor(Date.now() / MINUTE_MS);
    if (thisMinute === this.#lastMinute) return;
    this.#lastMinute = thisMinute;
    const now = new Date(thisMinute * MINUTE_MS);
    const due = Object.values(this.#work.jobs).flatMap((job) =>
      job.at ? [{ job, time: lastTime(job.at, now).toISOString(), ahead: mostAhead(job.at) }] : [],
    );
    const names = due.map(({ job }) => job.name);
    await this.#services.db.transaction().execute(async (tx) => {
      // Of a job that is new here, such as all those of a new shop, no time was missed.
      await sql`
        insert into job_schedule (name, queued_at)
        select name, ${now.toISOString()}::timestamptz - interval '1 minute' from unnest(${names}::text[]) as name order by name
        on conflict (name) do nothing`.execute(tx);
      const { rows } = await sql<{ name: string }>`
        insert into job_schedule (name, queued_at)
        select name, time from unnest(${names}::text[], ${due.map(({ time }) => time)}::timestamptz[]) as due (name, time) order by name
        on conflict (name) do update set queued_at = excluded.queued_at
          where job_schedule.queued_at < excluded.queued_at or job_schedule.queued_at > ${now.toISOString()}::timestamptz
            + (select ahead from unnest(${names}::text[], ${due.map(({ ahead }) => ahead)}::interval[]) as most (name, ahead) where most.name = job_schedule.name)
        returning name`.execute(tx);
      const queued = new Set(rows.map(({ name }) => name));
      for (const { job } of due) if (queued.has(job.name)) await enqueue(tx, job, {}, { key: job.name });
    });
    await correctTimes(this.#services.db);
    await adoptGraphileJobs(this.#services, this.#work.jobs);
  }

  #wake(): void {
    if (this.#isWoken) return;
    this.#isWoken = true;
    void this.#inTurn(() => {
      this.#isWoken = false;
      return this.#takeJobs();
    });
  }

  async #takeJobs(): Promise<void> {
    const mayHang = (name: string) => this.#work.jobs[name]?.mayHang;
    // Without the lock other processes would count this one as dead, and run its jobs too.
    while (this.#connection && !this.#isStopped && this.#running.size < AT_ONCE) {
      const isLast = [...this.#running.values()].filter(({ name }) => mayHang(name)).length === AT_ONCE - 1;
      const names = Object.keys(this.#work.tasks).filter((name) => !isLast || !mayHang(name));
      const job = await takeJob(this.#services.db, this.#holder, names);
      if (!job) return;
      this.#running.set(job.id, { name: job.name, end: this.#finish(job) });
    }
  }

  async #finish(job: TakenJob): Promise<void> {
    const store = await doJob(this.#services, this.#work, job);
    for (;;) {
      try {
        await store();
        break;
      } catch (error) {
        if (this.#isStopped) break;
        this.#services.log.warn({ job: job.id, reason: reasonOf(error) }, 'the outcome of a job could not be stored yet');
        await setTimeout(STORE_AGAIN_MS, undefined, { ref: false });
      }
    }
    this.#running.delete(job.id);
    this.#wake();
  }
}

/** Works through the queue until `stop`. Several processes share it; each job runs in one of them. */
export async function startRunner<S extends RunnerServices>(services: S, work: Work<S>): Promise<{ stop(): Promise<void> }> {
  const runner = new JobRunner(services, work);
  await runner.start();
  return runner;
}

/** Runs all due jobs one after the other (tests). */
export async function runDue<S extends RunnerServices>(services: S, work: Work<S>): Promise<void> {
  const take = () => takeJob(services.db, randomInt(1, 2 ** 31), Object.keys(work.tasks));
  for (let job = await take(); job; job = await take()) await (await doJob(services, work, job))();
}
