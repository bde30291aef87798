import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { isDatabaseGone } from '#server/db/connect.ts';

const AGAIN_MS = 250;

/**
 * The same pool for the job queue's library, which writes a job's outcome once, without looking back: an answer that it could not give would
 * leave the job taken for as long as the process lives, and an error that nobody awaits would end the process. Its statements, each complete
 * in itself, wait while the database is away and are said again where the connection broke under them, until `stopped` is aborted.
 */
export function reconnectingPool(pool: pg.Pool, stopped: AbortSignal): pg.Pool {
  const again = async (error: unknown): Promise<void> => {
    if (stopped.aborted || pool.ending || !isDatabaseGone(error)) throw error;
    await setTimeout(AGAIN_MS, undefined, { ref: false });
  };
  const connect = async (): Promise<pg.PoolClient> => {
    for (;;) {
      try {
        return patient(await pool.connect());
      } catch (error) {
        await again(error);
      }
    }
  };
  const say = async (client: pg.PoolClient, statement: pg.QueryConfig): Promise<pg.QueryResult> => {
    for (let first = true; ; first = false) {
      try {
        return await (first ? client : pool).query(statement);
      } catch (error) {
        await again(error);
      }
    }
  };
  /** Statements given as a text may be part of a transaction and are left as they are. */
  const patient = (client: pg.PoolClient): pg.PoolClient =>
    withMember(client, 'query', (original) => (...args: unknown[]) => {
      const [statement] = args;
      return typeof statement === 'object' && args.length === 1 ? say(client, statement as pg.QueryConfig) : original(...args);
    });
  // With a callback it is the listener for new jobs, which comes back by itself.
  return withMember(
    pool,
    'connect',
    (original) =>
      (...args: unknown[]) =>
        args.length === 0 ? connect() : original(...args),
  );
}

type Call = (...args: unknown[]) => unknown;

/** The same object with one of its functions changed. */
function withMember<T extends object>(target: T, member: string, change: (original: Call) => Call): T {
  return new Proxy(target, {
    get(object, name) {
      const value: unknown = Reflect.get(object, name);
      if (typeof value !== 'function') return value;
      const bound = value.bind(object) as Call;
      return name === member ? change(bound) : bound;
    },
  });
}
