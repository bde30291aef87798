import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runMigrations as runWorkerMigrations } from 'graphile-worker';
import { type Migration, Migrator, sql } from 'kysely';
import { ROOT } from '#server/root.ts';
import type { Database } from './connect.ts';

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

/** Brings the schema up to date, the shop's and the job queue's. Several processes may call it at once: one works, the others wait. */
export async function migrate({ db, pool }: Database): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: readMigrations } });
  const { error } = await migrator.migrateToLatest();
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
