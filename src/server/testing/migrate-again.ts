import { sql } from 'kysely';
import { statementsOf } from '#server/platform/database/apply-migration.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { readMigrations } from '#server/platform/database/migrate.ts';

/** Runs a migration once more, to see what it makes of data as an earlier version stored them. */
export async function migrateAgain(db: Db, name: string): Promise<void> {
  const migration = (await readMigrations()).find((one) => one.name === name);
  for (const statement of migration ? statementsOf(migration) : []) await sql.raw(statement).execute(db);
}
