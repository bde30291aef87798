import { sql } from 'kysely';
import { type Db, isDatabaseFull } from '#server/platform/database/connect.ts';

/** A temporary table of one megabyte, dropped with its transaction: it fails if the database's files cannot grow. */
const GROW = sql`create temporary table disk_probe on commit drop as select repeat(n::text, 500) as filling from generate_series(1, 600) n`;

/**
 * Detects a full disk of the database, on which reading still works. The check writes nothing until a request has failed for lack of room; from then
 * on each check tries to write, until it succeeds.
 */
export class DatabaseDisk {
  #isFull = false;

  /** Notes the error of a request. */
  notice(error: unknown): void {
    if (isDatabaseFull(error) || isDatabaseFull((error as { cause?: unknown }).cause ?? {})) this.#isFull = true;
  }

  /** Rejects if the database does not answer or its disk is still full. */
  async check(db: Db): Promise<void> {
    await sql`select 1`.execute(db);
    if (!this.#isFull) return;
    await db.transaction().execute((tx) => GROW.execute(tx));
    this.#isFull = false;
  }
}
