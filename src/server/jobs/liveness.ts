import type { WorkerEvents } from 'graphile-worker';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Db } from '#server/db/connect.ts';
import type { Services } from '#server/services.ts';

/** Half of the key of every lock that says "these workers live"; the other half is the name of the process's pool of workers, under which jobs are taken. */
const LOCK = 7_267;
const EVERY_MS = 5_000;

/**
 * Gives back what workers of a killed process had taken: the queue itself would wait four hours. A living process holds an advisory
 * lock under its name, which PostgreSQL lets go the moment its connection ends. The five seconds are for one that is just starting.
 */
export async function releaseDeadWorkers(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    update graphile_worker._private_jobs as job set locked_at = null, locked_by = null
    where job.locked_at < now() - interval '5 seconds' and not exists (
      select from pg_locks as alive
      where alive.locktype = 'advisory' and alive.classid = ${LOCK} and alive.objsubid = 2
        and alive.database = (select oid from pg_database where datname = current_database())
        and alive.objid = (hashtext(job.locked_by)::bigint & 4294967295)::oid)`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Holds this process's lock on a connection of its own, and looks after what the dead left. */
export function watchWorkers({ db, pool, log }: Services, events: WorkerEvents): { stop(): Promise<void> } {
  const names = new Set<string>();
  const held = new Set<string>();
  let client: pg.PoolClient | undefined;
  let turn = Promise.resolve();
  const drop = () => {
    client?.release(true);
    client = undefined;
    held.clear();
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
    const released = await releaseDeadWorkers(db);
    if (released > 0) log.warn({ jobs: released }, 'jobs of a dead process were given back');
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
