import { setTimeout } from 'node:timers/promises';
import type { PostgresPool } from 'kysely';
import type pg from 'pg';
import type { Log } from '#server/base/log.ts';
import { type Database, type Db, queriesOn } from './connect.ts';

/** Where catalogue reads go. */
interface Reads {
  db: Db;
  /** The catalogue has changed: the replica is read again once it has what the primary has now. */
  changed: () => void;
  close(): Promise<void>;
}

const LOOK_MS = 25;
const AWAY_MS = 1_000;

/**
 * Catalogue reads on a replica, where there is one. A replica lags; after a change reads go to the primary until the replica has replayed it,
 * so that nobody is shown, and no cache keeps, a page from before a change. A replica that cannot be reached is done without.
 */
export function readsOn(primary: Database, replica: Database | undefined | '', log: Log): Reads {
  if (!replica) return { db: primary.db, changed: () => undefined, close: async () => undefined };
  let isCurrent = false;
  let changes = 0;
  let isClosed = false;
  let catchingUp = Promise.resolve();

  /** Waits until the replica has everything that the primary had at this moment. */
  async function catchUp(): Promise<void> {
    const { rows } = await primary.pool.query('select pg_current_wal_lsn()::text as position');
    for (;;) {
      const replayed = await replayedOf(replica as Database, rows[0]?.position);
      if (replayed || isClosed) return;
      await setTimeout(LOOK_MS, undefined, { ref: false });
    }
  }
  async function catchUpWithAll(): Promise<void> {
    while (!isClosed && !isCurrent) {
      const seen = changes;
      try {
        await catchUp();
        isCurrent = seen === changes;
      } catch (error) {
        log.warn({ reason: String(error) }, 'the replica is not read for the moment');
        await setTimeout(AWAY_MS, undefined, { ref: false });
      }
    }
  }
  function changed(): void {
    changes += 1;
    if (isClosed) return;
    const wasCurrent = isCurrent;
    isCurrent = false;
    if (wasCurrent || changes === 1) catchingUp = catchUpWithAll();
  }
  const connect = async (): Promise<pg.PoolClient> => {
    if (isCurrent) {
      try {
        return await (replica as Database).pool.connect();
      } catch {
        changed();
      }
    }
    return primary.pool.connect();
  };
  changed();
  return {
    db: queriesOn({ connect, end: async () => undefined } as PostgresPool),
    changed,
    async close() {
      isClosed = true;
      await catchingUp;
      await replica.close();
    },
  };
}

async function replayedOf({ pool }: Database, position: string): Promise<boolean> {
  const { rows } = await pool.query('select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn as replayed', [position]);
  return rows[0]?.replayed === true;
}
