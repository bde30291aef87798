import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import { ROOT } from '#server/platform/root.ts';
import { apply, type MigrationFile, recordMigration } from './apply-migration.ts';
import type { Database, Db } from './connect.ts';

const folder = join(ROOT, 'migrations');

/** The migrations of this version, in order. */
export async function readMigrations(): Promise<MigrationFile[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(files.map(async (file) => ({ name: file.replace(/\.sql$/, ''), text: await readFile(join(folder, file), 'utf8') })));
}

async function hasTable(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass(${`public.${name}`}) is not null as exists`.execute(db);
  return rows[0]?.exists === true;
}

/** Names of a database's applied migrations, in order; empty for a new database. */
export async function migrationsOf(db: Db): Promise<string[]> {
  if (!(await hasTable(db, 'kysely_migration'))) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Names of this version's migrations, in order. */
export async function knownMigrations(): Promise<string[]> {
  return (await readMigrations()).map(({ name }) => name);
}

/**
 * The last of the 54 migrations that a baseline, the files up to 0512, has replaced. A database that applied them keeps their names beside the baseline's,
 * so that earlier versions recognise it.
 */
const LAST_REPLACED = '0492_events_by_month';
const isReplaced = (name: string) => name <= LAST_REPLACED;
const isBaseline = (name: string) => !isReplaced(name) && name < '0513';

/**
 * A database's applied migrations by the names of this version: the baseline in place of those that it replaced. Throws an Error for the operator if only
 * some of those were applied.
 */
export async function currentNames(applied: readonly string[]): Promise<string[]> {
  if (!applied.some(isReplaced)) return [...applied];
  if (!applied.includes(LAST_REPLACED))
    throw new Error(
      `The database is of a version of the shop before 23 November 2026 (its last migration is ${applied.at(-1)}). Start a version of that day once, such as commit 8b761d1, then this one. Nothing was changed.`,
    );
  const baseline = (await knownMigrations()).filter(isBaseline);
  return [...new Set([...baseline, ...applied.filter((name) => !isReplaced(name))])];
}

/** The migration that the oldest compatible version of the shop has; undefined if the database does not say. */
async function oldestCompatible(db: Db): Promise<string | undefined> {
  if (!(await hasTable(db, 'schema_compatibility'))) return undefined;
  const { rows } = await sql<{ oldest: string }>`select oldest_migration as oldest from schema_compatibility`.execute(db);
  return rows[0]?.oldest;
}

/** Throws an Error for the operator if a later version has changed the database so that this one cannot use it. */
async function requireCompatible(db: Db, applied: readonly string[], known: readonly string[]): Promise<void> {
  const isKnown = (name: string) => isReplaced(name) || known.includes(name);
  const ahead = applied.filter((name) => !isKnown(name));
  if (ahead.length === 0) return;
  const oldest = await oldestCompatible(db);
  if (oldest !== undefined && isKnown(oldest)) return;
  throw new Error(
    `The database belongs to a later version of the shop: it has ${listed(ahead)}, and this version knows nothing past ${known.at(-1)}. Run the later version, or restore a backup of this one into a new database. Nothing was changed.`,
  );
}

const listed = ([first, ...rest]: readonly string[]) => (rest.length === 0 ? first : `${first} and ${rest.length} more`);

/**
 * For commands, which never migrate. Throws an Error for the operator if the database lacks migrations, or a later version has changed it so that this one
 * cannot use it.
 */
export async function requireSchema(db: Db): Promise<void> {
  const [applied, known] = [await migrationsOf(db), await knownMigrations()];
  const remedy = 'Start this version of the shop once, or run: npm run migrate';
  if (applied.length === 0) throw new Error(`The database is empty. ${remedy}`);
  await requireCompatible(db, applied, known);
  const lacking = known.filter((name) => !applied.includes(name));
  if (lacking.length > 0) throw new Error(`The database is behind this version of the shop: it lacks ${listed(lacking)}. ${remedy}`);
}

/** The key of the advisory lock. Earlier versions, which wait for theirs within a statement, used another. */
const LOCK = 7_268;
const RETRY_MS = 100;

/**
 * Waits until no other process migrates. Polls, since waiting within a statement would deadlock with `create index concurrently`, which waits for all other
 * statements.
 */
async function lock(client: pg.ClientBase): Promise<void> {
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as locked', [LOCK]);
    if (rows[0]?.locked) return;
    await setTimeout(RETRY_MS);
  }
}

/** Kysely's table, which earlier versions read too. */
const CREATE_TABLE =
  'create table if not exists kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null)';

/**
 * Applies the missing migrations, or only those of `names`, and returns their names. Each is recorded once it is applied, so that after an error the next
 * call continues. Other processes that call it wait. Throws an Error for the operator if a later version has changed the database so that this one
 * cannot use it. Needs a direct connection, without a pooler.
 */
export async function migrate({ db, pool }: Pick<Database, 'db' | 'pool'>, names?: readonly string[]): Promise<string[]> {
  const files = await readMigrations();
  const known = files.map(({ name }) => name);
  const client = await pool.connect();
  try {
    await requireCompatible(db, await migrationsOf(db), known);
    await lock(client);
    await client.query(CREATE_TABLE);
    const before = await migrationsOf(db);
    await requireCompatible(db, before, known);
    const applied = await currentNames(before);
    // Records the baseline in a database that applied the migrations that it replaced.
    for (const name of applied) if (!before.includes(name)) await recordMigration(client, name);
    // Not only the newest files: branches that are merged out of order leave gaps in the numbers.
    const missing = files.filter(({ name }) => !applied.includes(name) && (!names || names.includes(name)));
    for (const file of missing) await apply(client, file);
    return missing.map(({ name }) => name);
  } finally {
    // Closes the connection, which releases the lock.
    client.release(true);
  }
}
