import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '#server/platform/root.ts';
import { eventually } from '#server/testing/eventually.ts';
import { emptyDatabase, testDatabase } from '#server/testing/harness.ts';
import { faultsOf } from '#server/testing/migration-rules.ts';
import { lockWaits } from '#server/testing/while-waiting.ts';
import { apply } from './apply-migration.ts';
import { connect, type Database } from './connect.ts';
import { migrate, migrationsOf, readMigrations } from './migrate.ts';

/** The first file to which the rules apply; the earlier ones build an empty database. */
const FIRST_UNDER_RULES = '0513';

/** A separate connection to a shop's database. */
async function aConnection(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** A shop with an open read transaction, which blocks changes to the users table. */
async function aLongReader(): Promise<{ database: Database & { url: string }; reader: pg.Client; migrating: pg.Client }> {
  const database = await testDatabase();
  const reader = await aConnection(database.url);
  await reader.query('begin; select count(*) from users');
  return { database, reader, migrating: await aConnection(database.url) };
}

const ADDS = { name: '9990_adds', text: 'alter table users add column nickname text;' };
const INDEXES = {
  name: '9991_indexes',
  text: `-- no transaction
-- By name; for nobody.
drop index concurrently if exists users_nickname;
create index concurrently users_nickname on users (name);
`,
};

/** A statement that readers would queue behind. */
const DROPS = { name: '9993_drops', text: '-- no transaction\nalter table users drop constraint if exists nobody;\n' };

test.each([ADDS, DROPS])(
  'a migration that waits for a table lock blocks no readers, and is applied once the table is free: %j',
  async (file) => {
    const { database, reader, migrating } = await aLongReader();
    const applied = apply(migrating, file);
    for (let n = 0; n < 2; n += 1) {
      await eventually(async () => expect(await lockWaits(database.db)).toBe(1));
      // The long reader ends only after the loop, so this would deadlock behind a migration that did not yield.
      await database.db.selectFrom('users').select('id').execute();
    }
    expect(await migrationsOf(database.db)).not.toContain(file.name);
    await reader.query('commit');
    await applied;
    expect(await migrationsOf(database.db)).toContain(file.name);
  },
);

test('a migration that never gets its lock says so and leaves nothing behind', async () => {
  const { database, migrating } = await aLongReader();
  await expect(apply(migrating, ADDS, 600)).rejects.toThrow(
    /^The migration 9990_adds needs a table .* Nothing of this migration was applied\.$/,
  );
  expect(await migrationsOf(database.db)).not.toContain(ADDS.name);
});

test('a migration without a transaction that never gets its lock says that its first statements may have been applied', async () => {
  const { database, migrating } = await aLongReader();
  const file = { ...DROPS, text: `${DROPS.text.replace('\n', '\ncreate table if not exists left_behind (id int);\n')}` };
  await expect(apply(migrating, file, 600)).rejects.toThrow(
    /^The migration 9993_drops needs a table .* Its first statements may have been applied; the next try repeats them\.$/,
  );
  const { rows } = await sql<{ name: string | null }>`select to_regclass('left_behind')::text as name`.execute(database.db);
  expect(rows).toEqual([{ name: 'left_behind' }]);
});

test('an index is built while the table is in use, and an unfinished one is built again', async () => {
  const { database, reader, migrating } = await aLongReader();
  const writer = await aConnection(database.url);
  await writer.query("begin; insert into users (id, name, email, password_hash) values (gen_random_uuid(), 'A', 'a@example.com', 'x')");
  const isThere = async () =>
    (
      await sql<{ valid: boolean }>`select indisvalid as valid from pg_index where indexrelid = to_regclass('users_nickname')`.execute(
        database.db,
      )
    ).rows[0]?.valid;
  const interrupted = apply(migrating, INDEXES).catch((error: Error) => error.message);
  await eventually(async () => expect(await isThere()).toBe(false));
  // Reads and writes continue while it waits for the two earlier transactions.
  await database.db.updateTable('users').set({ name: 'B' }).where('email', '=', 'b@example.com').execute();
  await sql`select pg_cancel_backend(${(migrating as unknown as { processID: number }).processID})`.execute(database.db);
  expect(await interrupted).toMatch(/canceling statement/);
  expect(await isThere()).toBe(false);
  await Promise.all([reader.query('commit'), writer.query('commit')]);
  await apply(migrating, INDEXES);
  expect(await isThere()).toBe(true);
  expect(await migrationsOf(database.db)).toContain(INDEXES.name);
});

test('migrations have no statement timeout', async () => {
  const { pool } = await testDatabase();
  for (const text of ['select pg_sleep(0.5);', '-- no transaction\nselect pg_sleep(0.5);\n']) {
    const client = await pool.connect();
    try {
      await client.query('set statement_timeout = 200');
      await apply(client, { name: `9992_${text.length}`, text });
    } finally {
      client.release(true);
    }
  }
});

test('if several processes start on an empty database, one migrates and the others wait', async () => {
  const database = await emptyDatabase();
  const others = [1, 2].map(() => connect(database.url, { max: 3 }));
  const applied = await Promise.all([database, ...others].map((one) => migrate(one)));
  await Promise.all(others.map((one) => one.close()));
  expect(applied.map(({ length }) => length).sort((a, b) => b - a)).toEqual([(await readMigrations()).length, 0, 0]);
});

test('every new migration is compatible with the previous version and locks no table for long', async () => {
  const files = await readMigrations();
  const names = files.map(({ name }) => name);
  const faults = files
    .filter(({ name }) => name >= FIRST_UNDER_RULES)
    .flatMap((file) =>
      faultsOf(
        file,
        names.filter((name) => name < file.name),
      ).map((fault) => `${file.name}: ${fault}`),
    );
  expect(faults).toEqual([]);
});

const refused = (text: string) => faultsOf({ name: '0500_new', text }, ['0420_earlier']).join('; ');

test('decision 50 names the functions that no code, index, column, trigger or other function calls, and no others', async () => {
  const { db } = await testDatabase();
  const { rows } = await sql<{ name: string; body: string; isNeeded: boolean }>`
    select proname as name, prosrc || coalesce(pg_get_function_sqlbody(oid), '') as body,
      exists (select from pg_trigger where tgfoid = pg_proc.oid)
        or exists (select from pg_depend where refclassid = 'pg_proc'::regclass and refobjid = pg_proc.oid) as is_needed
    from pg_proc where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')`.execute(db);
  const code = globSync('src/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts', '**/testing/**'] }).map((file) =>
    readFileSync(join(ROOT, file), 'utf8'),
  );
  const isCalled = (name: string) => {
    const call = new RegExp(`\\b${name}\\b`);
    return code.some((text) => call.test(text)) || rows.some((other) => other.name !== name && call.test(other.body));
  };
  const unused = rows.filter(({ name, isNeeded }) => !isNeeded && !isCalled(name)).map(({ name }) => name);
  const [, named = ''] =
    /^Functions that nothing calls.*?: (.*)$/m.exec(readFileSync(join(ROOT, 'docs/decisions/0050-migrations-in-two-phases.md'), 'utf8')) ??
    [];
  expect(unused.sort()).toEqual([...named.replace(/ \(with .*?\)/, '').matchAll(/`(\w+)`/g)].map(([, name]) => name).sort());
});

test.each([
  ['alter table orders drop column state;', 'later phase'],
  ['alter table orders rename column state to county;', 'later phase'],
  ['alter table orders rename to old_orders;', 'later phase'],
  ['alter table orders alter column state set not null;', 'later phase'],
  ['drop table stock_alerts;', 'later phase'],
  ["alter table orders drop column state;\nupdate schema_compatibility set oldest_migration = '0500_new';", 'must be an earlier migration'],
  ["alter table orders add column county text;\nupdate schema_compatibility set oldest_migration = '0420_earlier';", 'removes nothing'],
  ['create index orders_county on orders (state);', 'concurrently'],
  ["alter table orders add constraint a check (state <> '');", 'not valid'],
  ['alter table orders alter column state type varchar(9);', 'rewrites the table'],
  ['alter table orders add column county text generated always as (upper(state)) stored;', 'rewrites the table'],
  ['alter table orders drop state;', 'later phase'],
  ['alter table orders rename state to county;', 'later phase'],
  ['alter table orders alter state type varchar(9);', 'rewrites the table'],
  ["alter table orders add check (state <> '');", 'not valid'],
  ["alter table orders add column county text check (county <> '');", 'not valid'],
  ['alter table orders add column buyer uuid references users;', 'not valid'],
  ['alter table orders add constraint a unique (state);', 'using index'],
  ['alter table orders add primary key (id);', 'using index'],
  ['alter table orders add column county text unique;', 'using index'],
  ['alter table orders add column code uuid not null default gen_random_uuid();', 'differs from row to row'],
  ['alter table orders add column number bigserial;', 'differs from row to row'],
  ['alter table orders add column county text;\nupdate orders set county = state;', 'a migration of their own'],
  ['lock table orders;', 'lock a table'],
  ['-- no transaction\ndrop index if exists orders_county;', 'cannot be repeated'],
  ['-- no transaction\ncreate index concurrently if not exists orders_county on orders (state);', 'cannot be repeated'],
  ['-- no transaction\nalter table orders add column county text;', 'cannot be repeated'],
])('a migration is refused that says %j', (text, why) => expect(refused(text)).toContain(why));

test.each([
  'alter table orders add column county text;',
  "-- drop column state comes later\nalter table orders add column county text not null default '';",
  "alter table orders drop column state;\nupdate schema_compatibility set oldest_migration = '0420_earlier';",
  'create table samples (id uuid primary key, county text not null);\ncreate index samples_county on samples (county);\nalter table samples alter column county set not null;',
  "alter table orders add constraint a check (state <> '') not valid;",
  'alter table orders rename to oldest_orders;\ncreate table orders (id uuid primary key) partition by range (id);',
  '-- no transaction\nalter table orders validate constraint a;',
  'alter table orders drop constraint a;\nalter table orders alter column state drop default;',
  'alter table orders add constraint a unique using index orders_state;',
  'alter table orders add column noted timestamptz not null default now(), add constraint b check (noted > created_at) not valid;',
  "update orders set state = '' where state is null;",
  INDEXES.text,
])('a migration is taken that says %j', (text) => expect(refused(text)).toBe(''));
