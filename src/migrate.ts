import { hasAdministrator, NO_ADMINISTRATOR } from '#server/accounts/administrators.service.ts';
import type { Database } from '#server/platform/database/connect.ts';
import { migrate } from '#server/platform/database/migrate.ts';
import { withAnyDatabase } from '#server/platform/database/with-database.ts';
import { readConfig } from '#server/platform/settings/config.ts';

/** `npm run migrate`: brings the tables of the shop's database up to date, as the server does when it starts. */
try {
  const run = async (database: Database) => ({ applied: await migrate(database), hasAdmin: await hasAdministrator(database.db) });
  const { applied, hasAdmin } = await withAnyDatabase(readConfig(process.env), run, { mayBeNew: true });
  process.stdout.write(applied.length === 0 ? 'The database is up to date.\n' : `Applied ${applied.join(', ')}.\n`);
  if (!hasAdmin) process.stdout.write(`${NO_ADMINISTRATOR}\n`);
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  process.stderr.write(`${message || code}\n`);
  process.exitCode = 1;
}
