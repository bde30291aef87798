import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { JOBS } from '#server/app/jobs.ts';
import { adoptGraphileJobs } from '#server/platform/jobs/graphile-jobs.ts';
import { openLog } from '#server/platform/log.ts';
import { ROOT } from '#server/platform/root.ts';
import { emptyDatabase } from '#server/testing/harness.ts';
import type { Db } from './connect.ts';
import { currentNames, knownMigrations, migrate, migrationsOf } from './migrate.ts';

/** What `pg_dump --inserts` wrote of a shop with the demo, four orders and waiting jobs, made by the last version before the baseline (commit 8b761d1). */
const OLD_SHOP = gunzipSync(readFileSync(join(ROOT, 'src/server/testing/shop-of-8b761d1.sql.gz'))).toString();

async function anOldShop() {
  const database = await emptyDatabase();
  const client = await database.pool.connect();
  await client.query(OLD_SHOP);
  // The dump has set the connection's search path.
  client.release(true);
  return database;
}

async function rowsOf<T>(db: Db, text: string): Promise<T[]> {
  return (await sql.raw<T>(text).execute(db)).rows;
}

/** Everything that a schema is made of, as PostgreSQL writes it; columns without their order, which an added one decides. */
async function schemaOf(db: Db) {
  const ours = "n.nspname = 'public' and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')";
  return {
    columns: await rowsOf(
      db,
      `select table_name, column_name, data_type, udt_name, is_nullable, column_default, generation_expression
        from information_schema.columns where table_schema = 'public' order by 1, 2`,
    ),
    constraints: await rowsOf(
      db,
      `select conrelid::regclass::text as of, conname, pg_get_constraintdef(oid) as means from pg_constraint
        where connamespace = 'public'::regnamespace and contype <> 'n' order by 1, 2, 3`,
    ),
    indexes: await rowsOf(db, `select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1`),
    triggers: await rowsOf(
      db,
      `select tgrelid::regclass::text as of, tgname, tgenabled, pg_get_triggerdef(oid) as means from pg_trigger
        where not tgisinternal and tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace) order by 1, 2`,
    ),
    functions: await rowsOf(
      db,
      `select p.proname, pg_get_functiondef(p.oid) as means from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where ${ours} and p.prokind = 'f' order by 1, 2`,
    ),
  };
}

/** What only migrations write. */
const NOT_THE_SHOPS = ['kysely_migration', 'schema_compatibility'];

/** All rows of all tables, by table. */
async function everyRow(db: Db): Promise<[table: string, rows: Record<string, unknown>[]][]> {
  const tables = await rowsOf<{ name: string }>(
    db,
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  );
  const read = async (name: string) =>
    (await rowsOf<{ row: Record<string, unknown> }>(db, `select to_jsonb(t) as row from ${name} t`)).map(({ row }) => row);
  return Promise.all(tables.filter(({ name }) => !NOT_THE_SHOPS.includes(name)).map(async ({ name }) => [name, await read(name)]));
}

/** A row as later migrations leave it: pieces that left an order count as settled (0926, 0932). */
const migrated = (table: string, row: Record<string, unknown>): Record<string, unknown> =>
  table === 'order_items' ? { ...row, refunded_qty: Number(row.cancelled_qty) + Number(row.returned_qty) + Number(row.spoiled_qty) } : row;

test('a shop that the last version before the baseline made is taken over with every row, and gets the schema of a new one', async () => {
  const [old, fresh] = [await anOldShop(), await emptyDatabase()];
  const before = await everyRow(old.db);
  expect(before.find(([table]) => table === 'orders')?.[1]).toHaveLength(4);
  const applied = await migrate(old);
  await migrate(fresh);
  expect(applied).toEqual((await migrationsOf(fresh.db)).filter((name) => name > '0513'));
  expect(await schemaOf(old.db)).toEqual(await schemaOf(fresh.db));
  const after = new Map(await everyRow(old.db));
  for (const [table, rows] of before) {
    expect(after.get(table), table).toHaveLength(rows.length);
    expect(after.get(table), table).toEqual(expect.arrayContaining(rows.map((row) => expect.objectContaining(migrated(table, row)))));
  }
  expect(await migrate(old)).toEqual([]);
});

test('what waited in the queue of that version is taken over too', async () => {
  const { db, pool } = await anOldShop();
  const waiting = await rowsOf<{ name: string }>(
    db,
    'select identifier as name from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = task_id order by 1',
  );
  expect(waiting.length).toBeGreaterThan(0);
  await migrate({ db, pool });
  expect(await adoptGraphileJobs({ db, log: openLog('silent') }, JOBS)).toBe(waiting.length);
  expect(await rowsOf(db, 'select name from jobs order by 1')).toEqual(waiting);
});

test('a database of an earlier version is left as it is, with a sentence that names the way', async () => {
  const { db, pool } = await emptyDatabase();
  await sql`create table kysely_migration (name text primary key, timestamp text)`.execute(db);
  await sql`insert into kysely_migration values ('0001_foundation', ''), ('0130_prices', '')`.execute(db);
  await expect(migrate({ db, pool } as Parameters<typeof migrate>[0])).rejects.toThrow(
    /before 23 November 2026 \(its last migration is 0130_prices\)\. Start a version of that day once/,
  );
});

test('a backup of the version before the baseline is loaded into the baseline’s schema', async () => {
  const baseline = (await knownMigrations()).filter((name) => name < '0513');
  expect(await currentNames(['0001_foundation', '0492_events_by_month', '0520_offers'])).toEqual([...baseline, '0520_offers']);
});
