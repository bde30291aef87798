import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { buildApp } from '#server/app/app.ts';
import type { Line } from '#server/backup/backup.ts';
import { sealLines } from '#server/backup/backup-file.ts';
import { pictureStore } from '#server/gateways/pictures.ts';
import { mailJobs } from '#server/mail/jobs.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { aFolder } from '#server/testing/a-folder.ts';
import { runCommand } from '#server/testing/commands.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, PASSWORD } from '#server/testing/factories.ts';
import { emptyDatabase, testShop } from '#server/testing/harness.ts';

const shop = await testShop();
const { app, db, services } = shop;
const dir = aFolder('backup', afterAll);

const command = (args: string[], env: Record<string, string> = { DATABASE_URL: shop.databaseUrl, SHOP_DATA_DIR: shop.dataDir }) =>
  runCommand('backup', args, env);

/** A new, empty database and an empty folder for pictures. */
async function anEmptyPlace() {
  const database = await emptyDatabase();
  const dataDir = await mkdtemp(join(dir, 'data-'));
  return { ...database, dataDir, env: { DATABASE_URL: database.url, SHOP_DATA_DIR: dataDir } };
}

/** Everything in a database that matters, as one text: each table's rows in order, the queue and the sequences. A backup notes in `shop_marks` that it was made. */
async function contentsOf(place: Db): Promise<Record<string, unknown>> {
  const tables = await sql<{
    name: string;
  }>`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
    and relname not like 'kysely%' and relname not in ('catalogue_changes', 'jobs', 'shop_marks') order by 1`.execute(place);
  const contents: Record<string, unknown> = {};
  for (const { name } of tables.rows)
    contents[name] = (await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t order by 1`.execute(place)).rows;
  contents.jobs = (
    await sql`select name, lane, payload, run_at, created_at, attempts, max_attempts, key, last_error from jobs order by id`.execute(place)
  ).rows;
  contents.migrations = (await sql`select name from kysely_migration order by 1`.execute(place)).rows;
  contents.rules = (
    await sql`select conname || pg_get_constraintdef(oid) as conname, condeferrable from pg_constraint where connamespace = 'public'::regnamespace and conparentid = 0
      union all select tgname, tgenabled = 'O' from pg_trigger where not tgisinternal order by 1`.execute(place)
  ).rows;
  contents.indexes = (await sql`select indexdef from pg_indexes where schemaname = 'public' order by 1`.execute(place)).rows;
  return contents;
}

/** A shop with something of everything. */
async function aUsedShop() {
  const [buyer, admin] = [await aCustomer(db, { name: 'Zoë “Quote” O’Neil \\ {}' }), await anAdmin(db)];
  const address = await services.pictures.add(
    await sharp({ create: { width: 50, height: 60, channels: 3, background: '#a52' } })
      .png()
      .toBuffer(),
    'a.png',
  );
  const model = await services.pictures.models.keep(Buffer.from('a model'));
  const sofa = await aProduct(db, {
    name: 'Sofa, 100% "wool"\n\t',
    images: [address],
    sizes: [{ size: 'S', quantity: 9, price: 1, measurements: [{ name: 'W', value: '1' }] }],
    rating: 4.3,
  });
  const headers = { ...buyer.headers, 'idempotency-key': 'kept' };
  const placed = await app.inject({
    method: 'POST',
    url: '/api/orders',
    headers,
    payload: aPayload([aLine(sofa, { size: 'S', price: 1 })]),
  });
  expect(placed.statusCode).toBe(201);
  await app.inject({
    method: 'PUT',
    url: `/api/orders/${placed.json()._id}/deliver`,
    headers: admin.headers,
    payload: { isDelivered: true },
  });
  await app.inject({
    method: 'POST',
    url: '/stripe/create-checkout-session',
    headers: buyer.headers,
    payload: { orderItems: [aLine(sofa, { size: 'S', price: 1, qty: 40 })] },
  });
  await enqueue(
    db,
    mailJobs.sendMail,
    { to: 'later@example.com', subject: 'Later', text: 'x', html: 'x' },
    { runAt: '2040-01-01T00:00:00Z', key: 'later', maxAttempts: 3 },
  );
  await sql`update jobs set attempts = 1, last_error = 'it was busy' where key = 'later'`.execute(db);
  return { buyer, sofa, address, model, order: placed.json() };
}

const used = await aUsedShop();
const file = join(dir, 'shop.backup');

test('a backup restored elsewhere is the same shop: every row, job, rule and picture, and people go on in it', async () => {
  const made = await command(['backup', file]);
  expect(made).toMatchObject({ code: 0, complaint: '', output: expect.stringMatching(/holds \d+ rows, \d+ waiting jobs, 2 pictures\.$/) });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await command(['backup', file])).complaint).toContain('already exists');

  const place = await anEmptyPlace();
  expect(await command(['restore', file], place.env)).toMatchObject({
    code: 0,
    complaint: '',
    output: made.output.replace(/.* holds/, 'Restored'),
  });
  expect(await contentsOf(place.db)).toEqual(await contentsOf(db));

  const pictures = pictureStore({ s3: undefined, dataDir: place.dataDir });
  const restored = await buildApp({ ...services, db: place.db, pool: place.pool, readDb: place.db, pictures }, async () => ({
    status: 200,
    head: '',
    body: '',
    state: {},
    modules: [],
  }));
  expect((await restored.inject({ url: used.address })).statusCode).toBe(200);
  expect((await restored.inject({ url: used.model })).body).toBe('a model');
  expect(
    (await restored.inject({ method: 'POST', url: '/api/users/login', payload: { email: used.buyer.email, password: PASSWORD } }))
      .statusCode,
  ).toBe(200);
  const headers = { ...used.buyer.headers, 'idempotency-key': 'kept' };
  const payload = aPayload([aLine(used.sofa, { size: 'S', price: 1 })]);
  const again = await restored.inject({ method: 'POST', url: '/api/orders', headers, payload });
  expect(again.json()._id).toBe(used.order._id);
  expect((await restored.inject({ method: 'POST', url: '/api/orders', headers: used.buyer.headers, payload })).statusCode).toBe(201);
  await restored.close();
});

test('nothing is restored over a shop that has something in it', async () => {
  const before = await contentsOf(db);
  const { code, complaint } = await command(['restore', file]);
  expect([code, complaint]).toEqual([1, expect.stringMatching(/The database is not empty \(\w+\)/)]);
  expect(await contentsOf(db)).toEqual(before);
});

/** What a backup holds, line by line, as JSON. */
const lines = async () =>
  gunzipSync(await readFile(file))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(65));

/** A file with these lines, sealed as the command seals its own. */
async function resealed(texts: string[]): Promise<Buffer> {
  async function* given() {
    for (const text of texts) yield JSON.parse(text) as Line;
  }
  let text = '';
  for await (const line of sealLines(given())) text += line;
  return gzipSync(text);
}
const later = (text = '') => text.replace(/"migrations":\["/, '"migrations":["9999_tomorrow","');

/** The unpacked text, changed and packed again without a thought for its checksums. */
const tampered = async (change: (text: string) => string) => gzipSync(change(gunzipSync(await readFile(file)).toString()));
const anotherPicture = (text: string) => {
  const json = JSON.stringify({ picture: Buffer.from('another picture').toString('base64') });
  return text.replace(/^.*"picture":.*$/m, `${createHash('sha256').update(json).digest('hex')} ${json}`);
};

/** Where none of the damaged backups writes anything. */
const untouched = await anEmptyPlace();

test.each([
  ['cut short', async () => (await readFile(file)).subarray(0, -40), 'damaged'],
  ['without its end', async () => tampered((text) => text.slice(0, text.trimEnd().lastIndexOf('\n') + 1)), 'its end is missing'],
  ['with a letter changed', async () => tampered((text) => text.replace('Zoë', 'Zoé')), 'a part is not what was written'],
  ['whose picture was swapped for another', async () => tampered(anotherPicture), 'parts are missing, or from elsewhere'],
  [
    'without some of its rows',
    async () => tampered((text) => text.replace(/^.*"table":"audit_entries".*\n/m, '')),
    'parts are missing, or from elsewhere',
  ],
  ['with another line after its end', async () => tampered((text) => `${text}{}\n`), 'it goes on after its end'],
  ['with junk after the archive', async () => Buffer.concat([await readFile(file), Buffer.from('junk')]), 'damaged'],
  ['with zeros after the archive', async () => Buffer.concat([await readFile(file), Buffer.alloc(9)]), 'it goes on after its end'],
  ['with another archive after it', async () => Buffer.concat([await readFile(file), gzipSync('{}\n')]), 'it goes on after its end'],
  [
    'that says it holds less',
    async () => resealed((await lines()).map((line) => line.replace(/"pictures":2/, '"pictures":0'))),
    'The backup is incomplete',
  ],
  ['of a later version', async () => resealed((await lines()).map((line, n) => (n === 0 ? later(line) : line))), 'made by a later version'],
  ['of something else', async () => resealed(['{"hello":"world"}', '{"end":{}}']), 'not a backup of the shop'],
  ['from before there were checksums', async () => gzipSync(`${(await lines()).join('\n')}\n`), 'Restore it with that version'],
  ['that is no archive', async () => Buffer.from('hello'), 'damaged'],
])('a backup %s is refused before anything is written', { tags: ['thorough'] }, async (_, bytes, sentence) => {
  const bad = join(dir, `${randomUUID()}.backup`);
  await writeFile(bad, await bytes());
  const { code, complaint } = await command(['restore', bad], untouched.env);
  expect([code, complaint]).toEqual([1, expect.stringContaining(sentence)]);
  expect((await sql`select from pg_tables where schemaname = 'public'`.execute(untouched.db)).rows).toEqual([]);
  expect(await readdir(untouched.dataDir)).toEqual([]);
});

test('a backup can be checked without a database', async () => {
  const good = await command(['backup', '--verify', file], {});
  expect(good).toMatchObject({ code: 0, complaint: '', output: expect.stringMatching(/is whole: \d+ rows, .* 2 pictures, as of 20/) });
  const bad = join(dir, 'bad.backup');
  await writeFile(bad, (await readFile(file)).subarray(0, -9));
  expect(await command(['backup', '--verify', bad], {})).toMatchObject({
    code: 1,
    output: '',
    complaint: expect.stringContaining('damaged'),
  });
});

const [apart, folder] = [join(dir, 'apart.backup'), join(dir, 'pictures')];
const keptApart = pictureStore({ s3: undefined, dataDir: folder });
const id = String(/\w{32}/.exec(used.address)?.[0]);

test('pictures may be kept apart, where a backup adds only what is not there, and mends what is damaged', {
  tags: ['thorough'],
}, async () => {
  expect(await command(['backup', apart, '--pictures', folder])).toMatchObject({
    code: 0,
    output: expect.stringContaining('2 pictures'),
  });
  const place = join(folder, 'pictures/masters', `${id}.webp`);
  const [bytes, before] = [await keptApart.master(id), await stat(place)];
  expect(gunzipSync(await readFile(apart)).toString()).not.toContain(bytes?.toString('base64'));
  await command(['backup', join(dir, 'second.backup'), '--pictures', folder]);
  expect((await stat(place)).mtimeMs).toBe(before.mtimeMs);

  await writeFile(place, 'half of a pic');
  const refused = { code: 1, output: '', complaint: `The picture ${id} is missing from the folder of pictures, or damaged there.` };
  expect(await command(['backup', '--verify', apart, '--pictures', folder], {})).toEqual(refused);
  expect(await command(['restore', apart, '--pictures', folder], untouched.env)).toEqual(refused);
  expect((await sql`select from pg_tables where schemaname = 'public'`.execute(untouched.db)).rows).toEqual([]);
  expect(await readdir(untouched.dataDir)).toEqual([]);
  await command(['backup', join(dir, 'third.backup'), '--pictures', folder]);
  expect(await keptApart.master(id)).toEqual(bytes);
  expect(await command(['backup', '--verify', apart, '--pictures', folder], {})).toMatchObject({ code: 0, complaint: '' });
});

test('a backup whose pictures are apart asks for them, unless the shop still has them', { tags: ['thorough'] }, async () => {
  expect((await command(['backup', '--verify', apart], {})).output).toContain('not looked at');
  const place = await anEmptyPlace();
  expect((await command(['restore', apart], place.env)).complaint).toContain('--pictures FOLDER');
  expect(await readdir(place.dataDir)).toEqual([]);
  expect(await command(['restore', apart, '--pictures', folder], place.env)).toMatchObject({ code: 0, complaint: '' });
  const restored = pictureStore({ s3: undefined, dataDir: place.dataDir });
  expect(await restored.master(id)).toEqual(await keptApart.master(id));
  expect(String(await restored.models.read(String(/\w{32}/.exec(used.model))))).toBe('a model');
  // Only the database is lost.
  const again = { ...(await anEmptyPlace()).env, SHOP_DATA_DIR: place.dataDir };
  expect(await command(['restore', apart], again)).toMatchObject({ code: 0, complaint: '' });
});

test('a backup of an earlier version is brought up to date, also with a waiting mail that PostgreSQL cannot read', async () => {
  const [head = '', ...rest] = await lines();
  const before = JSON.parse(head) as { migrations: string[] };
  const old = join(dir, 'old.backup');
  const migrations = before.migrations.filter((name) => name < '0508');
  const leftOut = new Set([
    ...['orders', 'order_items', 'order_events', 'audit_entries', 'payment_events', 'product_dimensions'],
    ...[
      'cash_receipts',
      'overpayments',
      'bulk_edits',
      'bulk_edit_products',
      'price_log',
      'promotions',
      'redemptions',
      'staff_notices',
      'stock_movements',
      'stock_counts',
      'document_numbers',
      'invoices',
      'sales_changes',
      'sales_days',
      'sales_pieces',
      'sales_window',
      'sales_best_sellers',
      'sales_facts',
      'sales_fact_changes',
      'sales_fact_months',
      'sales_recounts',
      'first_orders',
      'order_networks',
      'stored_pictures',
    ],
  ]);
  const kept = rest.map((line) => JSON.parse(line)).filter(({ table, jobs }) => !leftOut.has(table) && !jobs);
  for (const line of kept)
    line.sequences = line.sequences?.filter(
      ({ name }: { name: string }) => !/^(cash_receipts|staff_notices|stock_movements|webhook_news)_/.test(name),
    );
  const job = {
    task: 'sendMail',
    payload: { subject: 'Hello X\ud83d', text: '\0' },
    runAt: null,
    maxAttempts: 25,
    key: null,
    attempts: 1,
    lastError: null,
  };
  const end = { rows: kept.reduce((sum, { rows = [] }) => sum + rows.length, 0), jobs: 1, pictures: 2 };
  await writeFile(
    old,
    await resealed([{ ...before, migrations }, { jobs: [job] }, ...kept.slice(0, -1), { end }].map((line) => JSON.stringify(line))),
  );
  const place = await anEmptyPlace();
  expect(await command(['restore', old], place.env)).toMatchObject({ code: 0, complaint: '' });
  const { migrations: now, users } = await contentsOf(place.db);
  expect(now).toEqual((await contentsOf(db)).migrations);
  expect(users).toHaveLength(2);
  const { rows } = await sql`select payload, attempts from jobs`.execute(place.db);
  expect(rows).toEqual([{ payload: { subject: 'Hello X\ufffd', text: '' }, attempts: 1 }]);
});

test('the command explains itself', { tags: ['thorough'] }, async () => {
  expect(await command(['backup', '--help'], {})).toMatchObject({ code: 0, output: expect.stringMatching(/^Usage:/), complaint: '' });
});

test.each([
  [[], 'Usage:'],
  [['restore', join(dir, 'nothing.here')], 'There is no file'],
  [['backup', 'a', 'b'], 'Usage:'],
])('the command refuses %j with a sentence', { tags: ['thorough'] }, async (args, sentence) => {
  expect((await command(args)).complaint).toContain(sentence);
});

test('a copy in a PostgreSQL of its own is compared with the shop, and products are taken back from it', {
  tags: ['thorough'],
}, async () => {
  const [file, copy] = [join(dir, 'for-a-copy.backup'), await anEmptyPlace()];
  const chair = await aProduct(db, { name: 'Chair from the copy', price: 20_000 });
  expect(await command(['backup', file])).toMatchObject({ code: 0 });
  expect(await command(['restore', file], copy.env)).toMatchObject({ code: 0 });
  await db.updateTable('products').set({ price: 1 }).where('id', '=', chair._id).execute();

  const compared = await command(['restore', '--compare', copy.url]);
  expect(compared).toMatchObject({ code: 0 });
  expect(compared.output).toContain('1 products differ from the copy:\n  Chair from the copy: price');
  expect(await command(['restore', '--take-back', copy.url])).toMatchObject({ code: 0 });
  const { price } = await db.selectFrom('products').select('price').where('id', '=', chair._id).executeTakeFirstOrThrow();
  expect(price).toBe(20_000);
});
