import { sql } from 'kysely';
import { type Db, isDatabaseFull } from '#server/platform/database/connect.ts';

/** One megabyte of a table that is gone with its transaction: it fails where the database's files cannot grow. */
const GROW = sql`create temporary table disk_probe on commit drop as select repeat(n::text, 500) as filling from generate_series(1, 600) n`;

/**
 * Whether the database has room to write. Reading goes on when its disk is full, so that the usual question (does it answer?) is no help.
 * Nothing is written to find out until a request has failed for want of room; from then on each question tries to, until it works again.
 */
export class DatabaseDisk {
  #isFull = false;

  /** Takes note of an error that a request ended with. */
  notice(error: unknown): void {
    if (isDatabaseFull(error) || isDatabaseFull((error as { cause?: unknown }).cause ?? {})) this.#isFull = true;
  }

  /** Rejects when the database does not answer, and where it had no room and still has none. */
  async check(db: Db): Promise<void> {
    await sql`select 1`.execute(db);
    if (!this.#isFull) return;
    await db.transaction().execute((tx) => GROW.execute(tx));
    this.#isFull = false;
  }
}
