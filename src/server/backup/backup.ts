import type pg from 'pg';
import { type Pictures, pictureIdOf } from '#server/gateways/pictures.ts';
import type { Database } from '#server/platform/database/connect.ts';
import { migrationsOf } from '#server/platform/database/migrate.ts';
import { JOBS_AS_JSON, type SavedJob } from '#server/platform/jobs/queue.ts';

/**
 * One line of a backup, as JSON, in this order: head, rows and jobs in batches, sequences, pictures, 3D models, end. `picture` is a file in base64. A backup
 * with a folder for pictures has only their ids (`apart`).
 */
export type Line =
  | { format: 'furniture shop backup'; version: 2; madeAt: string; migrations: string[] }
  | { table: string; rows: unknown[] }
  | { jobs: SavedJob[] }
  | { sequences: { name: string; value: string; isCalled: boolean }[] }
  | { picture: string; of?: 'models' }
  | { apart: string[]; of?: 'models' }
  | { end: Totals; sha256?: string };

/** Counts of a backup's rows, waiting jobs, and pictures including models. */
export interface Totals {
  rows: number;
  jobs: number;
  pictures: number;
}

const BATCH = 200;
/** The latest Date: no file is too young to be listed. */
const FOREVER = new Date(8.64e15);
/**
 * Tables whose rows are in no backup. The head lists the migrations, which fill the compatible versions and the steps of orders. Catalogue changes hold
 * this server's transaction ids. Jobs have lines of their own, and the schedule fills itself.
 */
const EXCLUDED_TABLES = [
  'kysely_migration',
  'kysely_migration_lock',
  'schema_compatibility',
  'catalogue_changes',
  'order_steps',
  'jobs',
  'job_schedule',
];

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The shop's tables, by name. */
export async function tablesOf(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> all($1) order by relname`,
    [EXCLUDED_TABLES],
  );
  return rows.map(({ name }) => name as string);
}

/** Quoted names of a table's stored (not generated) columns. */
export async function columnsOf(client: pg.ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [`public.${quote(table)}`],
  );
  return rows.map(({ name }) => quote(name as string));
}

/** Results of a one-column query (`item`), in batches. */
async function* batchesOf(client: pg.ClientBase, query: string): AsyncGenerator<unknown[]> {
  await client.query(`declare batch no scroll cursor for ${query}`);
  for (;;) {
    const { rows } = await client.query(`fetch ${BATCH} from batch`);
    if (rows.length === 0) break;
    yield rows.map(({ item }) => item as unknown);
  }
  await client.query('close batch');
}

/** A query for a table's rows as JSON (`item`). */
async function rowsQuery(client: pg.ClientBase, table: string): Promise<string> {
  const columns = await columnsOf(client, table);
  return `select to_jsonb(r) as item from (select ${columns.join(', ')} from public.${quote(table)}) r`;
}

const SEQUENCES = `select quote_ident(c.relname) as name, pg_sequence_last_value(c.oid)::text as value
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'S' order by c.relname`;

/** A store of files whose ids are hashes of their content: original pictures, or 3D models. */
interface FileStore {
  list(before: Date): Promise<string[]>;
  read(id: string): Promise<Buffer | undefined>;
  keep(bytes: Buffer): Promise<string>;
}

/** The store that a line's `of` names. */
export function fileStoreOf(pictures: Pictures, of: 'models' | undefined): FileStore {
  if (of === 'models') return pictures.models;
  return { list: pictures.list, read: pictures.master, keep: (bytes) => pictures.keep(bytes) };
}

async function* filesOf(store: FileStore): AsyncGenerator<{ picture: string }> {
  for (const id of await store.list(FOREVER)) {
    const bytes = await store.read(id);
    if (bytes) yield { picture: bytes.toString('base64') };
  }
}

/** Whether the store has the file, undamaged. */
export async function isIntact(store: FileStore, id: string): Promise<boolean> {
  const bytes = await store.read(id);
  return bytes !== undefined && pictureIdOf(bytes) === id;
}

/** Copies the store's files that `apart` lacks. Yields the ids of all, in batches. */
async function* copyApart(store: FileStore, apart: FileStore): AsyncGenerator<{ apart: string[] }> {
  let ids: string[] = [];
  for (const id of await store.list(FOREVER)) {
    if (!(await isIntact(apart, id))) {
      const bytes = await store.read(id);
      if (!bytes) continue;
      await apart.keep(bytes);
    }
    ids.push(id);
    if (ids.length < BATCH) continue;
    yield { apart: ids };
    ids = [];
  }
  if (ids.length > 0) yield { apart: ids };
}

/** Copies pictures and models that `apart` does not have. */
export async function copyMissing(pictures: Pictures, apart: Pictures): Promise<void> {
  // Reading the lines makes the copies.
  for await (const _ of allFiles(pictures, apart));
}

/** The lines of all pictures, then of all models. With `apart`, the files are copied there and the lines have only their ids. */
async function* allFiles(pictures: Pictures, apart: Pictures | undefined) {
  for (const kind of [undefined, 'models'] as const) {
    const store = fileStoreOf(pictures, kind);
    const lines = apart ? copyApart(store, fileStoreOf(apart, kind)) : filesOf(store);
    for await (const line of lines) yield { ...line, ...(kind && { of: kind }) };
  }
}

/**
 * The lines of a backup: a consistent snapshot of the database, and the pictures and models. With `apart`, those are copied there instead. The shop may
 * keep running.
 */
export async function* backupLines({ db, pool }: Database, pictures: Pictures, apart?: Pictures): AsyncGenerator<Line> {
  const totals: Totals = { rows: 0, jobs: 0, pictures: 0 };
  yield { format: 'furniture shop backup', version: 2, madeAt: new Date().toISOString(), migrations: await migrationsOf(db) };
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
    for (const table of await tablesOf(client)) {
      for await (const rows of batchesOf(client, await rowsQuery(client, table))) {
        totals.rows += rows.length;
        yield { table, rows };
      }
    }
    for await (const jobs of batchesOf(client, JOBS_AS_JSON)) {
      totals.jobs += jobs.length;
      yield { jobs: jobs as SavedJob[] };
    }
    // A sequence that was never used has no last value.
    const sequences = (await client.query(SEQUENCES)).rows as { name: string; value: string | null }[];
    yield { sequences: sequences.map(({ name, value }) => ({ name, value: value ?? '1', isCalled: value !== null })) };
    await client.query('commit');
  } finally {
    // Closes the connection, which is still in the transaction if the reader has stopped early.
    client.release(true);
  }
  for await (const line of allFiles(pictures, apart)) {
    totals.pictures += 'apart' in line ? line.apart.length : 1;
    yield line;
  }
  yield { end: totals };
}
