import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '#server/platform/refusal.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { connect, type Database } from './connect.ts';
import { reachEmbedded } from './embedded.ts';
import { requireSchema } from './migrate.ts';

/** Where the settings say that the database is. A command goes past a pooler: it may need the same connection for longer than a transaction. */
type Place = Pick<Config, 'databaseUrl' | 'dataDir'> & Partial<Pick<Config, 'databaseDirectUrl'>>;

/**
 * For a command beside the shop: opens the database that the shop uses, for as long as `work` takes. It is used as it is: nobody who makes a
 * backup or an administrator expects a running shop's tables to change. Throws a Refusal with a sentence for the operator where there is no
 * shop, or one of a version that does not suit.
 */
export async function withDatabase<T>(config: Place, work: (database: Database) => Promise<T>): Promise<T> {
  return withAnyDatabase(config, async (database) => {
    await requireSchema(database.db);
    return work(database);
  });
}

/** The same for the two commands that look after the schema themselves, `migrate` and `restore`; with `mayBeNew` there need be no shop yet. */
export async function withAnyDatabase<T>(
  { databaseUrl, databaseDirectUrl, dataDir }: Place,
  work: (database: Database) => Promise<T>,
  { mayBeNew = false } = {},
): Promise<T> {
  const folder = join(dataDir, 'postgres');
  // The first start makes the database and fills it; a command must not come before it.
  if (!mayBeNew && !databaseUrl && !existsSync(folder))
    throw new Refusal('There is no shop here yet. Start it once (npm start) or run npm run migrate, or set SHOP_DATA_DIR or DATABASE_URL.');
  const embedded = databaseUrl ? undefined : await reachEmbedded(folder);
  const database = connect(databaseDirectUrl ?? databaseUrl ?? embedded?.url ?? '', { max: 4 });
  try {
    return await work(database);
  } finally {
    await database.close();
    await embedded?.stop();
  }
}
