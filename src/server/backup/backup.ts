import type pg from 'pg';
import { type Pictures, pictureIdOf } from '#server/gateways/pictures.ts';
import type { Database } from '#server/platform/database/connect.ts';
import { migrationsOf } from '#server/platform/database/migrate.ts';
import { JOBS_AS_JSON, type SavedJob } from '#server/platform/jobs/queue.ts';

/**
 * One line of a backup, as JSON. Order: head, tables and jobs in batches, sequences, pictures, models (or only the ids of those stored
 * apart), end marker.
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

const PIECE = 200;
const FOREVER = new Date(8.64e15);
/**
 * Tables not copied: the head lists the migrations, which create the compatible versions and an order's steps; catalogue changes concern
 * running processes and hold this server's transaction ids; jobs have lines of their own; the schedule fills itself.
 */
const OWN_TABLES = [
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
    [OWN_TABLES],
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
async function* piecesOf(client: pg.ClientBase, query: string): AsyncGenerator<unknown[]> {
  await client.query(`declare piece no scroll cursor for ${query}`);
  for (;;) {
    const { rows } = await client.query(`fetch ${PIECE} from piece`);
    if (rows.length === 0) break;
    yield rows.map(({ item }) => item as unknown);
  }
  await client.query('close piece');
}

/** A query for a table's rows as JSON (`item`). */
async function rowsOf(client: pg.ClientBase, table: string): Promise<string> {
  const columns = await columnsOf(client, table);
  return `select to_jsonb(r) as item from (select ${columns.join(', ')} from public.${quote(table)}) r`;
}

const SEQUENCES = `select quote_ident(c.relname) as name, pg_sequence_last_value(c.oid)::text as value
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'S' order by c.relname`;

/** A store of files with content-derived ids: picture masters or models. */
interface Shelf {
  list(before: Date): Promise<string[]>;
  read(id: string): Promise<Buffer | undefined>;
  keep(bytes: Buffer): Promise<string>;
}

/** The shelf that a line names. */
export function shelfOf(pictures: Pictures, of: 'models' | undefined): Shelf {
  if (of === 'models') return pictures.models;
  return { list: pictures.list, read: pictures.master, keep: (bytes) => pictures.keep(bytes) };
}

async function* filesOf(shelf: Shelf): AsyncGenerator<{ picture: string }> {
  for (const id of await shelf.list(FOREVER)) {
    const bytes = await shelf.read(id);
    if (bytes) yield { picture: bytes.toString('base64') };
  }
}

/** Whether the stored file matches its id, which derives from its content. */
export async function isKept(shelf: Shelf, id: string): Promise<boolean> {
  const bytes = await shelf.read(id);
  return bytes !== undefined && pictureIdOf(bytes) === id;
}

async function* copiedApart(shelf: Shelf, apart: Shelf): AsyncGenerator<{ apart: string[] }> {
  let ids: string[] = [];
  for (const id of await shelf.list(FOREVER)) {
    if (!(await isKept(apart, id))) {
      const bytes = await shelf.read(id);
      if (!bytes) continue;
      await apart.keep(bytes);
    }
    ids.push(id);
    if (ids.length < PIECE) continue;
    yield { apart: ids };
    ids = [];
  }
  if (ids.length > 0) yield { apart: ids };
}

/** Copies to the pictures and models kept apart those that they lack. */
export async function copyApart(pictures: Pictures, apart: Pictures): Promise<void> {
  for await (const _ of allFiles(pictures, apart));
}

/** Pictures, then models. */
async function* allFiles(pictures: Pictures, apart: Pictures | undefined) {
  for (const of of [undefined, 'models'] as const) {
    const shelf = shelfOf(pictures, of);
    for await (const line of apart ? copiedApart(shelf, shelfOf(apart, of)) : filesOf(shelf)) yield { ...line, ...(of && { of }) };
  }
}

/**
 * Yields everything to back up: a consistent snapshot of the database, and the pictures. With `apart`, missing pictures are copied there
 * instead. The shop may keep running.
 */
export async function* backupLines({ db, pool }: Database, pictures: Pictures, apart?: Pictures): AsyncGenerator<Line> {
  const totals: Totals = { rows: 0, jobs: 0, pictures: 0 };
  yield { format: 'furniture shop backup', version: 2, madeAt: new Date().toISOString(), migrations: await migrationsOf(db) };
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
    for (const table of await tablesOf(client)) {
      for await (const rows of piecesOf(client, await rowsOf(client, table))) {
        totals.rows += rows.length;
        yield { table, rows };
      }
    }
    for await (const jobs of piecesOf(client, JOBS_AS_JSON)) {
      totals.jobs += jobs.length;
      yield { jobs: jobs as SavedJob[] };
    }
    const sequences = (await client.query(SEQUENCES)).rows as { name: string; value: string | null }[];
    yield { sequences: sequences.map(({ name, value }) => ({ name, value: value ?? '1', isCalled: value !== null })) };
    await client.query('commit');
  } finally {
    client.release(true);
  }
  for await (const line of allFiles(pictures, apart)) {
    totals.pictures += 'apart' in line ? line.apart.length : 1;
    yield line;
  }
  yield { end: totals };
}
