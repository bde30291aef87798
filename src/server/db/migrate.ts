import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runMigrations as runWorkerMigrations } from 'graphile-worker';
import { type Migration, Migrator, sql } from 'kysely';
import { ROOT } from '#server/root.ts';
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

/** Names of the migrations that a database has had, in order. */
export async function migrationsOf(db: Db): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: readMigrations } });
  return (await migrator.getMigrations()).filter(({ executedAt }) => executedAt).map(({ name }) => name);
}

/** Names of the migrations that this version of the shop knows, in order. */
export async function knownMigrations(): Promise<string[]> {
  return Object.keys(await readMigrations());
}

/**
 * Brings the schema up to date, the shop's and the job queue's; with `names` the shop's only so far.
 * Several processes may call it at once: one works, the others wait.
 */
export async function migrate({ db, pool }: Database, names?: readonly string[]): Promise<void> {
  const getMigrations = async () =>
    Object.fromEntries(Object.entries(await readMigrations()).filter(([name]) => !names || names.includes(name)));
  const { error } = await new Migrator({ db, provider: { getMigrations } }).migrateToLatest();
  if (error) throw error;
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock(7266)');
    await runWorkerMigrations({ pgPool: pool });
  } finally {
    await client.query('select pg_advisory_unlock(7266)');
    client.release();
  }
}
