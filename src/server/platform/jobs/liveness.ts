import type { WorkerEvents } from 'graphile-worker';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Services } from '#server/context/services.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { unlockJobs } from './private-tables.ts';
import { KEYED } from './queue.ts';

/** The first half of the advisory locks' keys; the second half is a hash of the worker pool's id, which is also in `locked_by` of its jobs. */
const LOCK_CLASS = 7_267;
const EVERY_MS = 5_000;

/**
 * Unlocks the jobs of killed processes, which graphile-worker itself would do after four hours. Each living process holds an advisory lock for its
 * worker pool; PostgreSQL frees it when the process's connection ends. A process takes jobs a moment before it has its lock, so jobs that were
 * taken within the last five seconds are left alone. Returns how many jobs were unlocked.
 */
export async function releaseDeadWorkers(db: Db): Promise<number> {
  const { rows: dead } = await sql<{ worker: string; jobs: number }>`
    select job.locked_by as worker, count(*)::int as jobs from graphile_worker.jobs job
    where job.locked_at < now() - interval '5 seconds' and not exists (
      select from pg_locks held
      where held.locktype = 'advisory' and held.classid = ${LOCK_CLASS} and held.objsubid = 2
        and held.database = (select oid from pg_database where datname = current_database())
        and held.objid = (hashtext(job.locked_by)::bigint & 4294967295)::oid)
    group by job.locked_by`.execute(db);
  if (dead.length === 0) return 0;
  await sql`select graphile_worker.force_unlock_workers(${dead.map(({ worker }) => worker)}::text[])`.execute(db);
  return dead.reduce((sum, { jobs }) => sum + jobs, 0);
}

/**
 * Removes jobs that were being done when a newer one of their key was queued, and that failed then. graphile-worker keeps them as if they had
 * failed for good, but the newer job does their work. It has taken over their key, which tells them from true dead letters.
 */
async function removeReplaced(db: Db): Promise<void> {
  await sql`select graphile_worker.complete_jobs(array(
    select id from graphile_worker.jobs
    where task_identifier = any(${KEYED}::text[]) and key is null and locked_at is null and attempts >= max_attempts))`.execute(db);
}

/**
 * Unlocks jobs that are locked for this process although it does not work on them: the connection broke after the database had locked the job and
 * before the answer arrived. A job that has just ended looks the same until its outcome is stored, so only jobs found twice in a row count.
 */
class LostJobs {
  readonly #running = new Set<string>();
  #suspects: string[] = [];

  constructor(events: WorkerEvents) {
    events.on('job:start', ({ job }) => this.#running.add(String(job.id)));
    events.on('job:complete', ({ job }) => this.#running.delete(String(job.id)));
  }

  /** Returns how many jobs were unlocked. */
  async release(db: Db, pools: Iterable<string>): Promise<number> {
    const { rows } = await sql<{ id: string }>`
      select id::text as id from graphile_worker.jobs where locked_by = any(${[...pools]}::text[])`.execute(db);
    const idle = rows.map(({ id }) => id).filter((id) => !this.#running.has(id));
    const lost = idle.filter((id) => this.#suspects.includes(id));
    this.#suspects = idle.filter((id) => !lost.includes(id));
    if (lost.length > 0) await unlockJobs(db, lost);
    return lost.length;
  }
}

/** Holds the advisory locks of this process's worker pools, on one connection of its own. */
class AliveLocks {
  readonly pools = new Set<string>();
  readonly #held = new Set<string>();
  readonly #pool: pg.Pool;
  #client: pg.PoolClient | undefined;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async take(): Promise<void> {
    if (!this.#client) {
      this.#client = await this.#pool.connect();
      this.#client.once('error', () => this.drop());
    }
    for (const id of this.pools) {
      if (this.#held.has(id)) continue;
      await this.#client.query('select pg_try_advisory_lock($1::int, hashtext($2))', [LOCK_CLASS, id]);
      this.#held.add(id);
    }
  }

  get isConnected(): boolean {
    return this.#client !== undefined;
  }

  /** Ends the connection, which frees the locks. */
  drop(): void {
    this.#client?.release(true);
    this.#client = undefined;
    this.#held.clear();
  }
}

/** Shows that this process's workers are alive and, every five seconds, unlocks jobs that nobody works on. Runs until `stop`. */
export function watchWorkers({ db, pool, log }: Pick<Services, 'db' | 'pool' | 'log'>, events: WorkerEvents): { stop(): Promise<void> } {
  const locks = new AliveLocks(pool);
  const lost = new LostJobs(events);
  let hasRun = false;
  let current = Promise.resolve();
  const check = async () => {
    const isBack = hasRun && !locks.isConnected;
    hasRun = true;
    await locks.take();
    // After an outage the other processes may not have their locks back yet: they must not pass for dead.
    if (isBack) return;
    const ofDead = await releaseDeadWorkers(db);
    if (ofDead > 0) log.warn({ jobs: ofDead }, 'jobs of a dead process were given back');
    const ofOwn = await lost.release(db, locks.pools);
    if (ofOwn > 0) log.warn({ jobs: ofOwn }, 'jobs that were lost on the way were given back');
    await removeReplaced(db);
  };
  const checkNext = () => {
    current = current.then(check).catch((error: unknown) => {
      log.warn({ reason: String(error) }, 'the job queue could not be looked after');
      locks.drop();
    });
  };
  events.on('pool:create', ({ workerPool }) => {
    locks.pools.add(workerPool.id);
    checkNext();
  });
  const timer = setInterval(checkNext, EVERY_MS).unref();
  return {
    async stop() {
      clearInterval(timer);
      await current;
      locks.drop();
    },
  };
}
