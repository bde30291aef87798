import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runMigrations as runWorkerMigrations } from 'graphile-worker';
import { type Migration, Migrator, sql } from 'kysely';
import { Refusal } from '#server/base/refusal.ts';
import { ROOT } from '#server/base/root.ts';
import type { Database, Db } from './connect.ts';

const folder = join(ROOT, 'migrations');

async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  const entries = files.map(async (file) => {
    // A large table takes longer than a request may.
    const script = `set local statement_timeout = 0;\n${await readFile(join(folder, file), 'utf8')}`;
    return [file.replace(/\.sql$/, ''), { up: async (db) => void (await sql.raw(script).execute(db)) } satisfies Migration] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Names of the migrations that a database has had, in order; none for one without tables. */
export async function migrationsOf(db: Db): Promise<string[]> {
  const { rows: found } = await sql<{ there: boolean }>`select to_regclass('public.kysely_migration') is not null as there`.execute(db);
  if (!found[0]?.there) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Names of the migrations that this version of the shop knows, in order. */
export async function knownMigrations(): Promise<string[]> {
  return Object.keys(await readMigrations());
}

/** The newest migration that a version of the shop must know to serve this database; undefined where the database does not say. */
async function oldestServing(db: Db): Promise<string | undefined> {
  const { rows: found } = await sql<{ there: boolean }>`select to_regclass('public.schema_compatibility') is not null as there`.execute(db);
  if (!found[0]?.there) return undefined;
  const { rows } = await sql<{ oldest: string }>`select oldest_migration as oldest from schema_compatibility`.execute(db);
  return rows[0]?.oldest;
}

/** Throws a Refusal with a sentence for the operator when a later version of the shop has changed the database so that this one cannot use it. */
async function refuseUnsuited(db: Db, applied: readonly string[], known: readonly string[]): Promise<void> {
  const ahead = applied.filter((name) => !known.includes(name));
  if (ahead.length === 0) return;
  const oldest = await oldestServing(db);
  if (oldest !== undefined && known.includes(oldest)) return;
  throw new Refusal(
    `The database belongs to a later version of the shop: it has ${listed(ahead)}, and this version knows nothing past ${known.at(-1)}. Run the later version, or restore a backup of this one into a new database. Nothing was changed.`,
  );
}

const listed = ([first, ...rest]: readonly string[]) => (rest.length === 0 ? first : `${first} and ${rest.length} more`);

/**
 * For a command beside the shop, which never changes the schema. Throws a Refusal with a sentence for the operator when this version of the shop
 * cannot use the database as it is: it lacks tables, or a later version has changed it too far.
 */
export async function requireSchema(db: Db): Promise<void> {
  const [applied, known] = [await migrationsOf(db), await knownMigrations()];
  const remedy = 'Start this version of the shop once, or run: npm run migrate';
  if (applied.length === 0) throw new Refusal(`The database is empty. ${remedy}`);
  await refuseUnsuited(db, applied, known);
  const lacking = known.filter((name) => !applied.includes(name));
  if (lacking.length > 0) throw new Refusal(`The database is behind this version of the shop: it lacks ${listed(lacking)}. ${remedy}`);
}

/**
 * Brings the schema up to date, the shop's and the job queue's; with `names` the shop's only so far. Returns the names of what was applied.
 * Several processes may call it at once: one works, the others wait. A database of a later version is left as it is where it says that this
 * one can serve it; else throws a Refusal with a sentence for the operator.
 */
export async function migrate({ db, pool }: Database, names?: readonly string[]): Promise<string[]> {
  const migrations = await readMigrations();
  const applied = await migrationsOf(db);
  await refuseUnsuited(db, applied, Object.keys(migrations));
  // The library takes a migration without its file for a mistake; here a later version has made it, and nothing is left to do.
  const done = Object.fromEntries(applied.map((name) => [name, { up: async () => undefined }]));
  const wanted = Object.fromEntries(Object.entries(migrations).filter(([name]) => !names || names.includes(name)));
  const provider = { getMigrations: async () => ({ ...done, ...wanted }) };
  // Branches that were merged in another order than they were numbered leave gaps.
  const { error, results = [] } = await new Migrator({ db, provider, allowUnorderedMigrations: true }).migrateToLatest();
  if (error) throw error;
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock(7266)');
    await runWorkerMigrations({ pgPool: pool });
  } finally {
    await client.query('select pg_advisory_unlock(7266)');
    client.release();
  }
  return results.map(({ migrationName }) => migrationName);
}
