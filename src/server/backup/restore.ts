import type pg from 'pg';
import { storable } from '#contract/platform/storable.ts';
import type { Pictures } from '#server/gateways/pictures.ts';
import { type Database, queriesOn } from '#server/platform/database/connect.ts';
import { currentNames, knownMigrations, migrate, migrationsOf } from '#server/platform/database/migrate.ts';
import { addSavedJob, type JobList } from '#server/platform/jobs/queue.ts';
import { columnsOf, fileStoreOf, isIntact, type Line, quote, type Totals, tablesOf } from './backup.ts';
import { suspendRules } from './suspend-constraints.ts';

type FileStore = ReturnType<typeof fileStoreOf>;
type Head = Extract<Line, { format: string }>;

/**
 * Verifies a whole backup, including the pictures stored in `apart` if given, and returns its totals. Throws an Error with a sentence for
 * the operator if incomplete.
 */
export async function checkLines(lines: AsyncIterable<Line>, apart?: Pictures): Promise<{ head: Head; totals: Totals; isApart: boolean }> {
  const totals: Totals = { rows: 0, jobs: 0, pictures: 0 };
  let head: Head | undefined;
  let end: Totals | undefined;
  let isApart = false;
  for await (const line of lines) {
    head ??= headOf(line);
    if ('rows' in line) totals.rows += line.rows.length;
    else if ('jobs' in line) totals.jobs += line.jobs.length;
    else if ('picture' in line) totals.pictures += 1;
    else if ('apart' in line) {
      isApart = true;
      totals.pictures += line.apart.length;
      if (apart) await refuseLost(fileStoreOf(apart, line.of), line.apart);
    } else if ('end' in line) end = line.end;
  }
  if (!head || JSON.stringify(end) !== JSON.stringify(totals)) throw new Error('The backup is incomplete.');
  return { head, totals, isApart };
}

async function refuseLost(apart: FileStore, ids: string[]): Promise<void> {
  for (const id of ids)
    if (!(await isIntact(apart, id))) throw new Error(`The picture ${id} is missing from the folder of pictures, or damaged there.`);
}

function headOf(line: Line | undefined): Head {
  if (line && 'format' in line && line.format === 'furniture shop backup' && line.version === 2) return line;
  throw new Error('This file is not a backup of the shop.');
}

/**
 * Restores a backup into an empty database (all or nothing) and the picture store. An older backup is loaded into its own schema and then
 * migrated. Throws an Error with a sentence for the operator if the database is not empty, or if the backup is newer than this version or
 * incomplete.
 */
export async function restoreLines(
  database: Database,
  pictures: Pictures,
  lines: AsyncIterable<Line>,
  jobs: JobList,
  apart: Pictures = pictures,
): Promise<Totals> {
  const source = lines[Symbol.asyncIterator]();
  const head = headOf((await source.next()).value);
  await refuseNonEmpty(database);
  await prepareSchema(database, head.migrations);
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
    const finish = await suspendRules(client);
    const totals = await load(client, { pictures, apart, jobs }, source);
    await finish();
    await client.query('commit');
    await migrate(database);
    // Without fresh statistics PostgreSQL would plan for empty tables until autovacuum runs.
    await client.query('set statement_timeout = 0');
    await client.query('analyze');
    return totals;
  } finally {
    // Closes the connection, which has no statement timeout any more.
    client.release(true);
  }
}

/** The migration that creates the table for restored jobs; older backups lack it. */
const JOBS_MIGRATION = '0595_jobs';

/** Migrates to the schema of the backup, which had these migrations. */
async function prepareSchema(database: Database, migrations: string[]): Promise<void> {
  const wanted = await currentNames(migrations);
  const known = await knownMigrations();
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown)
    throw new Error(`The backup was made by a later version of the shop (${unknown}). Restore it with that version or a later one.`);
  const applied = await migrationsOf(database.db);
  if (applied.some((name) => name !== JOBS_MIGRATION && !wanted.includes(name)))
    throw new Error(
      'The backup is older than this database’s tables. Restore it into a new, empty database: it is brought up to date there.',
    );
  await migrate(database, [...wanted, JOBS_MIGRATION]);
}

/** Runs first, so that a shop with data keeps its tables unchanged. */
async function refuseNonEmpty({ pool }: Database): Promise<void> {
  const client = await pool.connect();
  try {
    for (const table of await tablesOf(client)) {
      const { rows } = await client.query(`select from public.${quote(table)} limit 1`);
      if (rows.length > 0) throw new Error(`The database is not empty (${table}). Restore into a new one; nothing was changed.`);
    }
  } finally {
    client.release();
  }
}

async function load(
  client: pg.ClientBase,
  { pictures, apart, jobs }: Record<'pictures' | 'apart', Pictures> & { jobs: JobList },
  source: AsyncIterator<Line>,
): Promise<Totals> {
  const totals: Totals = { rows: 0, jobs: 0, pictures: 0 };
  // For the job queue, in the transaction of `client`.
  const db = queriesOn({
    connect: async () => ({ query: client.query.bind(client), release: () => undefined }),
    end: async () => undefined,
  });
  let columns: { table: string; names: string } | undefined;
  for (let next = await source.next(); !next.done; next = await source.next()) {
    const line = next.value;
    if ('rows' in line) {
      if (columns?.table !== line.table) columns = { table: line.table, names: (await columnsOf(client, line.table)).join(', ') };
      await insertRows(client, line.table, columns.names, line.rows);
      totals.rows += line.rows.length;
    } else if ('jobs' in line) {
      for (const job of line.jobs) await addSavedJob(db, jobs, job);
      totals.jobs += line.jobs.length;
    } else if ('sequences' in line) {
      for (const { name, value, isCalled } of line.sequences)
        await client.query('select setval($1::regclass, $2, $3)', [`public.${name}`, value, isCalled]);
    } else if ('picture' in line) {
      await fileStoreOf(pictures, line.of).keep(Buffer.from(line.picture, 'base64'));
      totals.pictures += 1;
    } else if ('apart' in line) {
      for (const id of line.apart) await bringBack(fileStoreOf(pictures, line.of), fileStoreOf(apart, line.of), id);
      totals.pictures += line.apart.length;
    } else if ('end' in line) {
      if (JSON.stringify(line.end) !== JSON.stringify(totals)) break;
      return totals;
    }
  }
  throw new Error('The backup is incomplete. Nothing was restored.');
}

/** Copies a missing picture or model from the store kept apart. */
async function bringBack(store: FileStore, apart: FileStore, id: string): Promise<void> {
  if (await isIntact(store, id)) return;
  const bytes = await apart.read(id);
  if (!bytes) throw new Error(`The picture ${id} is missing from the folder of pictures. Nothing was restored.`);
  await store.keep(bytes);
}

async function insertRows(client: pg.ClientBase, table: string, columns: string, rows: unknown[]): Promise<void> {
  const name = `public.${quote(table)}`;
  await client.query(
    `insert into ${name} (${columns}) overriding system value select ${columns} from jsonb_populate_recordset(null::${name}, $1::jsonb)`,
    [JSON.stringify(storable(rows))],
  );
}
