import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#server/platform/settings/config.ts';
import { connect, type Database } from './connect.ts';
import { reachEmbedded } from './embedded.ts';
import { requireSchema } from './migrate.ts';

/** The settings of the database. A command bypasses a pooler: it may need one connection for longer than a transaction. */
type Place = Pick<Config, 'databaseUrl' | 'dataDir'> & Partial<Pick<Config, 'databaseDirectUrl'>>;

/**
 * For a command: opens the shop's database during `work`. It is never migrated: a backup must not change the tables of a running shop. Throws an Error for
 * the operator if there is no shop yet, or if its schema does not suit this version.
 */
export async function withDatabase<T>(config: Place, work: (database: Database) => Promise<T>): Promise<T> {
  return withAnyDatabase(config, async (database) => {
    await requireSchema(database.db);
    return work(database);
  });
}

/** For `migrate` and `restore`, which look after the schema themselves; with `mayBeNew` also before the first start. */
export async function withAnyDatabase<T>(
  { databaseUrl, databaseDirectUrl, dataDir }: Place,
  work: (database: Database) => Promise<T>,
  { mayBeNew = false } = {},
): Promise<T> {
  const folder = join(dataDir, 'postgres');
  // The first start creates and fills the database; other commands must not precede it.
  if (!mayBeNew && !databaseUrl && !existsSync(folder))
    throw new Error('There is no shop here yet. Start it once (npm start) or run npm run migrate, or set SHOP_DATA_DIR or DATABASE_URL.');
  const embedded = databaseUrl ? undefined : await reachEmbedded(folder);
  const database = connect(databaseDirectUrl ?? databaseUrl ?? embedded?.url ?? '', { max: 4 });
  try {
    return await work(database);
  } finally {
    await database.close();
    await embedded?.stop();
  }
}
