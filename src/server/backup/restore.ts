import type pg from 'pg';
import { storable } from '#contract/base/storable.ts';
import type { Database } from '#server/db/connect.ts';
import { knownMigrations, migrate, migrationsOf } from '#server/db/migrate.ts';
import type { Pictures } from '#server/gateways/pictures.ts';
import { restoreJob } from '#server/jobs/private-tables.ts';
import { columnsOf, type Line, quote, type Totals, tablesOf } from './backup.ts';

type Head = Extract<Line, { format: string }>;

function isHead(line: Line | undefined): line is Head {
  return line !== undefined && 'format' in line && line.format === 'furniture shop backup' && line.version === 2;
}

/** Reads a whole backup and returns what it holds. Throws an Error with a sentence for the operator when it is not whole. */
export async function checkLines(lines: AsyncIterable<Line>): Promise<{ head: Head; totals: Totals }> {
  const totals: Totals = { rows: 0, jobs: 0, pictures: 0 };
  let [head, end]: [Head?, Totals?] = [];
  for await (const line of lines) {
    head ??= headOf(line);
    if ('rows' in line) totals.rows += line.rows.length;
    else if ('jobs' in line) totals.jobs += line.jobs.length;
    else if ('picture' in line) totals.pictures += 1;
    else if ('end' in line) end = line.end;
  }
  if (!head || JSON.stringify(end) !== JSON.stringify(totals)) throw new Error('The backup is incomplete.');
  return { head, totals };
}

function headOf(line: Line | undefined): Head {
  if (!isHead(line)) throw new Error('This file is not a backup of the shop.');
  return line;
}

/**
 * Brings a backup back into an empty database and the picture store: all of the database or nothing. A backup of an earlier version of the shop
 * is loaded into the schema of its time and then migrated. Throws an Error with a sentence for the operator when the database is not empty,
 * or the backup is of a later version or not whole.
 */
export async function restoreLines(database: Database, pictures: Pictures, lines: AsyncIterable<Line>): Promise<Totals> {
  const source = lines[Symbol.asyncIterator]();
  const head = headOf((await source.next()).value);
  await refuseShop(database);
  await prepareSchema(database, head.migrations);
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
    const finish = await suspendRules(client);
    const totals = await load(client, pictures, source);
    await finish();
    await client.query('commit');
    await migrate(database);
    return totals;
  } finally {
    client.release(true);
  }
}

/** Makes the schema that the backup was made with. */
async function prepareSchema(database: Database, wanted: string[]): Promise<void> {
  const known = await knownMigrations();
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown)
    throw new Error(`The backup was made by a later version of the shop (${unknown}). Restore it with that version or a later one.`);
  const applied = await migrationsOf(database.db);
  if (applied.some((name) => !wanted.includes(name)))
    throw new Error(
      'The backup is older than this database’s tables. Restore it into a new, empty database: it is brought up to date there.',
    );
  await migrate(database, wanted);
}

/** Before anything is touched: a shop that has something in it keeps its tables as they are, too. */
async function refuseShop({ pool }: Database): Promise<void> {
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

/** Foreign keys are checked at the end, and triggers rest: what they would write is in the backup. Returns what brings both back. */
async function suspendRules(client: pg.ClientBase): Promise<() => Promise<void>> {
  const tables = await tablesOf(client);
  const { rows } = await client.query<{ place: string }>(
    `select format('alter table %s alter constraint %I', conrelid::regclass, conname) as place
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and not condeferrable and conparentid = 0`,
  );
  const { rows: always } = await client.query<{ again: string }>(
    `select format('alter table %s enable always trigger %I', tgrelid::regclass, tgname) as again
     from pg_trigger join pg_class on pg_class.oid = tgrelid
     where tgenabled = 'A' and not tgisinternal and relnamespace = 'public'::regnamespace`,
  );
  for (const { place } of rows) await client.query(`${place} deferrable initially deferred`);
  for (const table of tables) await client.query(`alter table public.${quote(table)} disable trigger user`);
  return async () => {
    await client.query('set constraints all immediate');
    for (const { place } of rows) await client.query(`${place} not deferrable`);
    for (const table of tables) await client.query(`alter table public.${quote(table)} enable trigger user`);
    for (const { again } of always) await client.query(again);
    const views = await client.query(
      "select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'm'",
    );
    for (const { name } of views.rows) await client.query(`refresh materialized view ${name}`);
  };
}

async function load(client: pg.ClientBase, pictures: Pictures, source: AsyncIterator<Line>): Promise<Totals> {
  const totals: Totals = { rows: 0, jobs: 0, pictures: 0 };
  let columns: { table: string; names: string } | undefined;
  for (let next = await source.next(); !next.done; next = await source.next()) {
    const line = next.value;
    if ('rows' in line) {
      if (columns?.table !== line.table) columns = { table: line.table, names: (await columnsOf(client, line.table)).join(', ') };
      await insertRows(client, line.table, columns.names, line.rows);
      totals.rows += line.rows.length;
    } else if ('jobs' in line) {
      for (const job of line.jobs) await restoreJob(client, job);
      totals.jobs += line.jobs.length;
    } else if ('sequences' in line) {
      for (const { name, value, isCalled } of line.sequences)
        await client.query('select setval($1::regclass, $2, $3)', [`public.${name}`, value, isCalled]);
    } else if ('picture' in line) {
      await pictures.keep(Buffer.from(line.picture, 'base64'));
      totals.pictures += 1;
    } else if ('end' in line) {
      if (JSON.stringify(line.end) !== JSON.stringify(totals)) break;
      return totals;
    }
  }
  throw new Error('The backup is incomplete. Nothing was restored.');
}

async function insertRows(client: pg.ClientBase, table: string, columns: string, rows: unknown[]): Promise<void> {
  const place = `public.${quote(table)}`;
  await client.query(
    `insert into ${place} (${columns}) overriding system value select ${columns} from jsonb_populate_recordset(null::${place}, $1::jsonb)`,
    [JSON.stringify(storable(rows))],
  );
}
