import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { isDatabaseGone } from '#server/platform/database/connect.ts';

const RETRY_MS = 250;

/**
 * The pool that graphile-worker is given: while the database is away its statements wait and are retried, until `stopped` is aborted. The library
 * itself stores a job's outcome with one attempt. If that failed, the job would stay locked as long as the process lives, or the process would end
 * by an unhandled rejection. A retry may repeat a statement whose answer was lost; the library's single statements allow that.
 */
export function reconnectingPool(pool: pg.Pool, stopped: AbortSignal): pg.Pool {
  /** Pauses before a retry, or throws the error when a retry would not help. */
  const pauseOrThrow = async (error: unknown): Promise<void> => {
    if (stopped.aborted || pool.ending || !isDatabaseGone(error)) throw error;
    await setTimeout(RETRY_MS, undefined, { ref: false });
  };
  const connect = async (): Promise<pg.PoolClient> => {
    for (;;) {
      try {
        return retrying(await pool.connect());
      } catch (error) {
        await pauseOrThrow(error);
      }
    }
  };
  const query = async (client: pg.PoolClient, statement: pg.QueryConfig): Promise<pg.QueryResult> => {
    for (let isFirst = true; ; isFirst = false) {
      try {
        return await (isFirst ? client : pool).query(statement);
      } catch (error) {
        await pauseOrThrow(error);
      }
    }
  };
  // A statement given as an object is complete in itself. One given as text may be part of a transaction, which cannot be retried in the middle.
  const retrying = (client: pg.PoolClient): pg.PoolClient =>
    replaceMethod(client, 'query', (original) => (...args) => {
      const [statement] = args;
      return typeof statement === 'object' && args.length === 1 ? query(client, statement as pg.QueryConfig) : original(...args);
    });
  // The library connects with a callback only to listen for new jobs, and reconnects that by itself.
  return replaceMethod(
    pool,
    'connect',
    (original) =>
      (...args) =>
        args.length === 0 ? connect() : original(...args),
  );
}

type Method = (...args: unknown[]) => unknown;

/** The same object with one method replaced. */
function replaceMethod<T extends object>(target: T, method: string, replace: (original: Method) => Method): T {
  return new Proxy(target, {
    get(object, name) {
      const value: unknown = Reflect.get(object, name);
      if (typeof value !== 'function') return value;
      const bound = value.bind(object) as Method;
      return name === method ? replace(bound) : bound;
    },
  });
}
