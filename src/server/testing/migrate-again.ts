import { sql } from 'kysely';
import { statementsOf } from '#server/platform/database/apply-migration.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { readMigrations } from '#server/platform/database/migrate.ts';

/** Runs a migration once more, to see what it makes of data as an earlier version stored them. */
export async function migrateAgain(db: Db, name: string): Promise<void> {
  const migration = (await readMigrations()).find((one) => one.name === name);
  for (const statement of migration ? statementsOf(migration) : []) await sql.raw(statement).execute(db);
}

/** Works out again what orders of earlier versions owe (decision 170). `meanwhile` happens after migration 0985, before 0995. */
export async function migrateOwed(db: Db, meanwhile = async (): Promise<unknown> => undefined): Promise<void> {
  for (const name of ['0963_lost_so_far', '0965_settle_lost', '0981_kept_so_far', '0985_entitled_so_far']) await migrateAgain(db, name);
  await sql`update kysely_migration set timestamp = now()::text where name = '0985_entitled_so_far'`.execute(db);
  await meanwhile();
  await migrateAgain(db, '0995_owed_of_earlier_refunds');
}
