import { type RawBuilder, sql } from 'kysely';
import type { Db } from './connect.ts';

/** Within a statement: waits for other transactions that hold a name, and holds it until the end of this one. */
export const nameLock = (name: string | RawBuilder<string>): RawBuilder<unknown> =>
  sql`pg_advisory_xact_lock(hashtextextended(${name}, 0))`;

/** Serialises the transactions that hold a name: each waits for the end of those before. */
export async function lockName(tx: Db, name: string): Promise<void> {
  await sql`select ${nameLock(name)}`.execute(tx);
}
