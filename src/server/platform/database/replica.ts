import { setTimeout } from 'node:timers/promises';
import { type PostgresPool, sql } from 'kysely';
import type pg from 'pg';
import type { Log } from '#server/platform/log.ts';
import { type Database, type Db, queriesOn } from './connect.ts';

/** The database for catalogue reads. */
interface Reads {
  db: Db;
  /** After a change of the catalogue: replicas are read again once they have replayed it. */
  changed: () => void;
  close(): Promise<void>;
}

const POLL_MS = 25;
const RETRY_MS = 1_000;

/** A replica, with connections to it only while it has replayed all changes. */
class Replica {
  readonly #primary: Database;
  readonly #replica: Database;
  readonly #log: Log;
  #isCurrent = false;
  #changes = 0;
  #isClosed = false;
  #catchingUp = Promise.resolve();

  constructor(primary: Database, replica: Database, log: Log) {
    this.#primary = primary;
    this.#replica = replica;
    this.#log = log;
    this.changed();
  }

  changed(): void {
    this.#changes += 1;
    if (this.#isClosed) return;
    const wasCurrent = this.#isCurrent;
    this.#isCurrent = false;
    // A replica that is not current is catching up already, except at the very first call.
    if (wasCurrent || this.#changes === 1) this.#catchingUp = this.#catchUpWithAll();
  }

  /** A connection, unless the replica is behind or cannot be reached. */
  async connect(): Promise<pg.PoolClient | undefined> {
    if (!this.#isCurrent) return undefined;
    try {
      return await this.#replica.pool.connect();
    } catch {
      this.changed();
      return undefined;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#catchingUp;
    await this.#replica.close();
  }

  async #catchUpWithAll(): Promise<void> {
    while (!this.#isClosed && !this.#isCurrent) {
      const changesBefore = this.#changes;
      try {
        await this.#catchUp();
        this.#isCurrent = changesBefore === this.#changes;
      } catch (error) {
        this.#log.warn({ reason: String(error) }, 'the replica is not read for the moment');
        await setTimeout(RETRY_MS, undefined, { ref: false });
      }
    }
  }

  /** Waits until the replica has replayed everything that the primary has now. */
  async #catchUp(): Promise<void> {
    const { rows } = await sql<{ position: string }>`select pg_current_wal_lsn()::text as position`.execute(this.#primary.db);
    for (;;) {
      if ((await this.#hasReplayed(rows[0]?.position ?? '')) || this.#isClosed) return;
      await setTimeout(POLL_MS, undefined, { ref: false });
    }
  }

  /** False for a replica that was promoted: it no longer follows the primary. */
  async #hasReplayed(position: string): Promise<boolean> {
    const { rows } = await sql<{ replayed: boolean }>`
      select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ${position}::pg_lsn as replayed`.execute(this.#replica.db);
    return rows[0]?.replayed === true;
  }
}

/**
 * Sends catalogue reads to the replicas in turn. After a change a replica is left out until it has replayed the change, so that no stale page is shown or
 * cached. While no replica is current and reachable, reads go to the primary.
 */
export function readsOn(primary: Database, databases: readonly Database[], log: Log): Reads {
  if (databases.length === 0) return { db: primary.db, changed: () => undefined, close: async () => undefined };
  const replicas = databases.map((database) => new Replica(primary, database, log));
  let turn = 0;
  const connect = async (): Promise<pg.PoolClient> => {
    turn += 1;
    for (let n = 0; n < replicas.length; n += 1) {
      const client = await replicas[(turn + n) % replicas.length]?.connect();
      if (client) return client;
    }
    return primary.pool.connect();
  };
  return {
    db: queriesOn({ connect, end: async () => undefined } as PostgresPool),
    changed: () => {
      for (const replica of replicas) replica.changed();
    },
    close: async () => void (await Promise.all(replicas.map((replica) => replica.close()))),
  };
}
