import type { WorkerEvents } from 'graphile-worker';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Services } from '#server/context/services.ts';
import type { Db } from '#server/db/connect.ts';
import { KEYED } from './queue.ts';

/** Half of the key of every lock that says "these workers live"; the other half is the name of the process's pool of workers, under which jobs are taken. */
const LOCK = 7_267;
const EVERY_MS = 5_000;

/**
 * Gives back what workers of a killed process had taken: the queue itself would wait four hours. A living process holds an advisory
 * lock under its name, which PostgreSQL lets go the moment its connection ends. The five seconds are for one that is just starting.
 */
export async function releaseDeadWorkers(db: Db): Promise<number> {
  const isOfDead = sql`taken.locked_at < now() - interval '5 seconds' and not exists (
    select from pg_locks as alive
    where alive.locktype = 'advisory' and alive.classid = ${LOCK} and alive.objsubid = 2
      and alive.database = (select oid from pg_database where datname = current_database())
      and alive.objid = (hashtext(taken.locked_by)::bigint & 4294967295)::oid)`;
  // A queue whose jobs are done one after the other is taken together with its job.
  const { numAffectedRows } = await sql`
    with queues as (update graphile_worker._private_job_queues as taken set locked_at = null, locked_by = null where ${isOfDead})
    update graphile_worker._private_jobs as taken set locked_at = null, locked_by = null where ${isOfDead}`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/**
 * Removes jobs that were taken when a newer one of their key came, and that failed then. The library leaves them behind as if they had failed
 * for good, but the newer one does their work. It has taken their key from them: that tells them from a true dead letter.
 */
async function removeReplaced(db: Db): Promise<void> {
  await sql`
    delete from graphile_worker._private_jobs job using graphile_worker._private_tasks task
    where task.id = job.task_id and task.identifier = any(${KEYED}::text[])
      and job.key is null and job.locked_at is null and job.attempts >= job.max_attempts`.execute(db);
}

/**
 * Gives back what these workers are on record as having taken but do not work on: the database went away before it could hand the job over.
 * Only what is found so twice, `EVERY_MS` apart: a job that is done has its outcome on the way.
 */
class LostJobs {
  readonly #busy = new Set<string>();
  #suspects: string[] = [];

  constructor(events: WorkerEvents) {
    events.on('job:start', ({ job }) => this.#busy.add(String(job.id)));
    events.on('job:complete', ({ job }) => this.#busy.delete(String(job.id)));
  }

  async release(db: Db, names: Iterable<string>): Promise<number> {
    const taken = await sql<{
      id: string;
    }>`select id::text as id from graphile_worker._private_jobs where locked_by = any(${[...names]}::text[])`.execute(db);
    const lost = taken.rows.map(({ id }) => id).filter((id) => !this.#busy.has(id));
    const again = lost.filter((id) => this.#suspects.includes(id));
    this.#suspects = lost.filter((id) => !again.includes(id));
    if (again.length > 0)
      await sql`
        with jobs as (update graphile_worker._private_jobs set locked_at = null, locked_by = null where id = any(${again}::bigint[]) returning job_queue_id)
        update graphile_worker._private_job_queues set locked_at = null, locked_by = null where id in (select job_queue_id from jobs)`.execute(
        db,
      );
    return again.length;
  }
}

/** Holds this process's lock on a connection of its own, and looks after what the dead left and what was lost on the way. */
export function watchWorkers({ db, pool, log }: Pick<Services, 'db' | 'pool' | 'log'>, events: WorkerEvents): { stop(): Promise<void> } {
  const names = new Set<string>();
  const held = new Set<string>();
  const lost = new LostJobs(events);
  let client: pg.PoolClient | undefined;
  let hasBroken = false;
  let turn = Promise.resolve();
  const drop = () => {
    client?.release(true);
    client = undefined;
    held.clear();
    hasBroken = true;
  };
  const look = async () => {
    if (!client) {
      client = await pool.connect();
      client.once('error', drop);
    }
    for (const name of names) {
      if (held.has(name)) continue;
      await client.query('select pg_try_advisory_lock($1::int, hashtext($2))', [LOCK, name]);
      held.add(name);
    }
    // When the database was away the others may still be on their way back to their locks.
    if (hasBroken) {
      hasBroken = false;
      return;
    }
    const released = await releaseDeadWorkers(db);
    if (released > 0) log.warn({ jobs: released }, 'jobs of a dead process were given back');
    const returned = await lost.release(db, names);
    if (returned > 0) log.warn({ jobs: returned }, 'jobs that were lost on the way were given back');
    await removeReplaced(db);
  };
  const tick = () => {
    turn = turn.then(look).catch((error: unknown) => {
      log.warn({ reason: String(error) }, 'the job queue could not be looked after');
      drop();
    });
  };
  events.on('pool:create', ({ workerPool }) => {
    names.add(workerPool.id);
    tick();
  });
  const clock = setInterval(tick, EVERY_MS).unref();
  return {
    async stop() {
      clearInterval(clock);
      await turn;
      drop();
    },
  };
}
