import { hasAdministrator, NO_ADMINISTRATOR } from '#server/accounts/administrators.service.ts';
import { runCommandLine, say } from '#server/platform/command.ts';
import type { Database } from '#server/platform/database/connect.ts';
import { migrate } from '#server/platform/database/migrate.ts';
import { withAnyDatabase } from '#server/platform/database/with-database.ts';
import { readConfig } from '#server/platform/settings/config.ts';

/** `npm run migrate`: brings the tables of the shop's database up to date, as the server does when it starts. */
async function run(): Promise<void> {
  const bringUpToDate = async (database: Database) => ({ applied: await migrate(database), hasAdmin: await hasAdministrator(database.db) });
  const { applied, hasAdmin } = await withAnyDatabase(readConfig(process.env), bringUpToDate, { mayBeNew: true });
  say(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`);
  if (!hasAdmin) say(NO_ADMINISTRATOR);
}

await runCommandLine(run);
