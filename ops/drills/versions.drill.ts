import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '#server/platform/database/connect.ts';
import { knownMigrations, migrate, migrationsOf } from '#server/platform/database/migrate.ts';
import { freePort } from '#server/platform/ports.ts';
import { ROOT } from '#server/platform/root.ts';
import { aFolder } from '#server/testing/a-folder.ts';
import { runCommand } from '#server/testing/commands.ts';
import { emptyDatabase, testDatabase } from '#server/testing/harness.ts';
import { startShop } from '#server/testing/shop-process.ts';

/** Runs commands of the shop on a database. */
const on =
  ({ url }: { url: string }) =>
  (name: string, ...args: string[]) =>
    runCommand(name, args, { DATABASE_URL: url, SHOP_DATA_DIR: '/nowhere/at/all', SHOP_ADMIN_PASSWORD: 'a long password' });

/** A later version of the shop has been here. */
async function bringAhead({ db }: Database, oldest?: string): Promise<void> {
  await sql`insert into kysely_migration (name, timestamp) values ('9998_tomorrow', now()::text), ('9999_after', now()::text)`.execute(db);
  if (oldest) await sql`update schema_compatibility set oldest_migration = ${oldest}`.execute(db);
}

/** The built server on this database, as it is after a roll-back to an earlier version. */
async function serve({ url }: { url: string }) {
  const settings = {
    DATABASE_URL: url,
    SHOP_DATA_DIR: aFolder(),
    STRIPE_SECRET_KEY: 'sk_test_x',
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
  };
  const shop = await startShop(await freePort(), { ...settings, STRIPE_API_BASE: 'http://127.0.0.1:9' });
  onTestFinished(async () => void (await shop.stop()));
  return shop;
}

test('a database of a later version that says that this one suits is served and used, and left as it is (§17.3)', async () => {
  const database = await testDatabase();
  await bringAhead(database);
  const before = await migrationsOf(database.db);
  const { url } = await serve(database);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  // A DATABASE_URL gets no demo catalogue by default.
  expect(await (await fetch(`${url}/api/products`)).json()).toMatchObject({ total: 0 });
  expect(await on(database)('admin', 'roll@example.com')).toMatchObject({ code: 0, complaint: '' });
  expect(await on(database)('migrate')).toMatchObject({ code: 0, output: 'The database is up to date.' });
  expect(await migrationsOf(database.db)).toEqual(before);
});

test('a database that a later version has changed too far is refused by the server and by each command, with what to do', async () => {
  const database = await testDatabase();
  await bringAhead(database, '9998_tomorrow');
  const sentence = /belongs to a later version of the shop: it has 9998_tomorrow and 1 more, .* Nothing was changed\./;
  await expect(serve(database)).rejects.toThrow(sentence);
  const run = on(database);
  for (const ending of [
    await run('admin', 'a@example.com'),
    await run('backup', 'backup', '/tmp/never'),
    await run('generate'),
    await run('migrate'),
  ])
    expect(ending).toEqual({ code: 1, output: '', complaint: expect.stringMatching(sentence) });
});

test('a command never changes the tables of a shop that is behind: it says what to run, and that then helps', async () => {
  const database = await emptyDatabase();
  const [newest, ...others] = (await knownMigrations()).reverse();
  await migrate(database, others);
  const before = await migrationsOf(database.db);
  const run = on(database);
  for (const ending of [await run('admin', 'a@example.com'), await run('backup', 'backup', '/tmp/never'), await run('generate')])
    expect(ending).toEqual({
      code: 1,
      output: '',
      complaint: `The database is behind this version of the shop: it lacks ${newest}. Start this version of the shop once, or run: npm run migrate`,
    });
  expect(await migrationsOf(database.db)).toEqual(before);
  expect(await run('migrate')).toMatchObject({ code: 0, output: expect.stringContaining(`Applied ${newest}.`), complaint: '' });
  expect(await run('admin', 'a@example.com')).toMatchObject({ code: 0, complaint: '' });
});

test('restore touches no shop that has something in it, not even its tables', async () => {
  const source = await testDatabase();
  const file = join(aFolder(), 'shop.backup');
  expect((await on(source)('backup', 'backup', file)).code).toBe(0);
  const target = await emptyDatabase();
  await migrate(target, (await knownMigrations()).slice(0, -1));
  await sql`insert into users (id, name, email, password_hash) values ('00000000-0000-7000-8000-000000000001', 'A', 'a@example.com', 'x')`.execute(
    target.db,
  );
  const before = await migrationsOf(target.db);
  expect((await on(target)('backup', 'restore', file)).complaint).toMatch(/The database is not empty \(users\)/);
  expect(await migrationsOf(target.db)).toEqual(before);
});

test('a database without tables is refused, and can be given them', async () => {
  const database = await emptyDatabase();
  const run = on(database);
  for (const ending of [await run('admin', 'a@example.com'), await run('generate')])
    expect(ending).toMatchObject({ code: 1, complaint: expect.stringMatching(/^The database is empty\. .*npm run migrate/) });
  expect((await run('migrate')).output).toMatch(/^Applied 0500_foundation, /);
  expect((await run('admin', 'a@example.com')).code).toBe(0);
});

test('a migration that older code cannot live with says so', async () => {
  const folder = join(ROOT, 'migrations');
  const files = (await readdir(folder)).sort();
  const scripts = await Promise.all(files.map(async (file) => [file, await readFile(join(folder, file), 'utf8')] as const));
  // Older code still finds what the same statement recreates, and a new column with a default is filled for it.
  const remade =
    /drop column (\w+),\s+add column \1\b|alter column (\w+) set default [^;]+?, alter column \2 set not null|alter table (\w+) rename to (?=[\s\S]*\bcreate table \3\b)/g;
  const breaking = scripts.filter(([, text]) =>
    /\b(drop (table|column)|rename (to|column)|set not null|alter column \w+ type)\b/i.test(text.replace(remade, '')),
  );
  expect(breaking.filter(([, text]) => !text.includes('update schema_compatibility')).map(([file]) => file)).toEqual([]);
});
