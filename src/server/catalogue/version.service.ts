import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';

/** Tells every process that what the catalogue shows has changed; takes effect with the transaction. */
export async function catalogueChanged(tx: Db): Promise<void> {
  await sql`select nextval('catalogue_version'), pg_notify('catalogue', '')`.execute(tx);
}
