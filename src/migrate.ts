import { readConfig } from '#server/base/config.ts';
import { migrate } from '#server/db/migrate.ts';
import { withAnyDatabase } from '#server/db/reach.ts';

/** `npm run migrate`: brings the tables of the shop's database up to date, as the server does when it starts. */
try {
  const applied = await withAnyDatabase(readConfig(process.env), migrate, { mayBeNew: true });
  process.stdout.write(applied.length === 0 ? 'The database is up to date.\n' : `Applied ${applied.join(', ')}.\n`);
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  process.stderr.write(`${message || code}\n`);
  process.exitCode = 1;
}
