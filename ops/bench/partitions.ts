/**
 * `npm run bench:partitions`: orders, their lines and their events of seven years, each as one table and as one for each month: size, what an
 * order costs, what a question costs, VACUUM after a day's work, and what it takes to let the oldest month go. `-- --orders=N` for another number
 * than a million, `-- order_events` for one table. Ten million take up to 12 GB of disk, a quarter of an hour for the events and hours for the orders;
 * every table is dropped before the next is made.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { connect } from '#server/platform/database/connect.ts';
import { startEmbedded } from '#server/platform/database/embedded.ts';
import { migrate } from '#server/platform/database/migrate.ts';
import { cpuOf, postmasterOf } from './cpu.ts';
import { newFolder } from './shop.ts';
import { micros, printTable, type Row, whole } from './table.ts';

const MONTHS = 84;
const PART = 200_000;
/** How many orders are placed, how many take a step, and how often each question is asked. */
const WORK = 3_000;
const ASKS = 1_020;
const orders = Number(process.argv.find((argument) => argument.startsWith('--orders='))?.slice('--orders='.length) ?? 1_000_000);

const monthAt = (n: number) => Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - MONTHS + 1 + n, 1);
/** Orders come evenly from the first month to the end of the last. */
const START = monthAt(0);
const STEP = Math.floor((monthAt(MONTHS) - START - 86_400_000) / orders);
const keyText = (ms: number, n = 0) => `${ms.toString(16).padStart(12, '0')}70008000${n.toString(16).padStart(12, '0')}`;
/** A key as the shop makes it, with the time in front. */
const KEY = `(lpad(to_hex(${START} + n::bigint * ${STEP}), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid`;
const bound = (month: number) => `'${monthAt(month).toString(16).padStart(12, '0')}${'0'.repeat(20)}'`;
const keyOf = (n: number) => keyText(START + n * STEP, n);

interface Kind {
  table: string;
  /** The column that has the order's key. */
  key: string;
  primary: string;
  /** Writes the rows of the orders from one to another. */
  fill: (table: string, from: string, to: string) => string;
  /** Each once for an order, with its number as the only parameter. */
  work: Record<string, (table: string) => string>;
  questions: Record<string, (table: string) => string>;
}

const LISTED = "status not in ('awaiting_payment', 'expired')";
const NAMED = "order_words(user_name || ' ' || user_email || ' ' || full_name || ' ' || email)";
const AT = `to_timestamp((${START} + $1::bigint * ${STEP}) / 1000.0)`;

const KINDS: Kind[] = [
  {
    table: 'orders',
    key: 'id',
    primary: 'id',
    fill: (table, from, to) => `
      insert into ${table} (id, reference, user_id, user_name, user_email, full_name, email, status, sub_total_price, shipping_price, tax_price, total_price,
        line1, city, postal_code, country, phone, payment_method, provider_session_id, idempotency_key, paid_at, delivered_at, dispatched_at, created_at)
      select ${KEY}, upper(substr(md5(n::text), 1, 8)) || n, md5((n % 2500000)::text)::uuid, person, mail, person, mail, case when n > ${orders} * 0.999 then 'placed' when n % 50 = 0 then 'cancelled' else 'placed' end,
        price, 0, 0, price, n % 180 || ' High Street', 'Leeds', 'LS1 4AP', 'United Kingdom', '07700 900123', 'Credit Card',
        case when n % 2 = 0 then 'cs_live_' || md5(n::text) || md5('b' || n) end, md5('key' || n), at, case when n <= ${orders} * 0.999 then at + interval '6 days' end, at, at
      from (select n, 1000 + n::bigint * 7919 % 200000 as price, to_timestamp((${START} + n::bigint * ${STEP}) / 1000.0) as at,
          (array['Ada', 'Ben', 'Cleo', 'Dev', 'Elif', 'Finn', 'Grace'])[n % 7 + 1] || ' ' || (array['Ash', 'Birch', 'Cedar', 'Dale', 'Elder'])[n % 5 + 1]
            || to_hex(n % 2500000) as person, 'buyer' || n % 2500000 || '@example.com' as mail
        from generate_series(${from}, ${to}) as n) as made`,
    work: {
      'a step of it': (table) => `update ${table} set status = 'packing' where id = $1::uuid`,
    },
    questions: {
      'by id': (table) => `select * from ${table} where id = $1::uuid`,
      'by reference': (table) => `select id from ${table} where reference = upper(substr(md5($1::bigint::text), 1, 8)) || $1::bigint`,
      'by payment session': (table) =>
        `select id from ${table} where provider_session_id = 'cs_live_' || md5($1::bigint::text) || md5('b' || $1::bigint)`,
      'by idempotency key': (table) =>
        `select id from ${table} where user_id = md5(($1::bigint % 2500000)::text)::uuid and idempotency_key = md5('key' || $1::bigint)`,
      'of one customer': (table) =>
        `select id from ${table} where user_id = md5(($1::bigint % 2500000)::text)::uuid and ${LISTED} order by created_at desc, id desc limit 12`,
      'list, first page': (table) =>
        `select id from ${table} where ${LISTED} and $1::bigint > 0 order by created_at desc, id desc limit 12`,
      'list, from a day on': (table) =>
        `select id from ${table} where ${LISTED} and created_at <= ${AT} order by created_at desc, id desc limit 12`,
      'list by total': (table) => `select id from ${table} where ${LISTED} and $1::bigint > 0 order by total_price desc, id desc limit 12`,
      'search for an address': (table) =>
        `select id from ${table} where ${NAMED} @@ order_words_query('buyer' || $1::bigint % 2500000 || '@example.com') and ${LISTED}`,
      'how many to pack': (table) => `select count(*) from ${table} where status = 'placed' and delivered_at is null and $1::bigint > 0`,
    },
  },
  {
    table: 'order_items',
    key: 'order_id',
    primary: 'order_id, position',
    fill: (table, from, to) => `
      insert into ${table} (order_id, position, product_id, name, image, qty, price)
      select ${KEY}, line, md5(((n::bigint * 31 + line * 977) % 6300)::text)::uuid, 'Ashford three-seat sofa', '/pictures/0123456789abcdef.webp', 1 + n % 2, 1000
      from generate_series(${from}, ${to}) as n cross join generate_series(0, n % 3) as line`,
    work: { 'a cancelled piece': (table) => `update ${table} set cancelled_qty = 1 where order_id = $1::uuid and position = 0` },
    questions: {
      'of one order': (table) => `select * from ${table} where order_id = $1::uuid order by position`,
      'of one product': (table) => `select count(*) from ${table} where product_id = md5('none' || $1::bigint)::uuid`,
    },
  },
  {
    table: 'order_events',
    key: 'order_id',
    primary: 'order_id, id',
    fill: (table, from, to) => `
      insert into ${table} (id, order_id, at, kind, actor, detail)
      select n::bigint * 5 + step, ${KEY}, to_timestamp((${START} + n::bigint * ${STEP}) / 1000.0), (array['placed', 'paid', 'packed', 'dispatched', 'delivered'])[step + 1],
        case when step = 0 then 'Ada Ash' else 'Administrator' end, ''
      from generate_series(${from}, ${to}) as n cross join generate_series(0, 4) as step`,
    work: { 'a person erased': (table) => `update ${table} set actor = 'Erased' where order_id = $1::uuid and kind = 'placed'` },
    questions: { 'of one order': (table) => `select * from ${table} where order_id = $1::uuid order by id` },
  },
];

class Bench {
  readonly rows: Row[] = [];
  readonly #client: pg.Client;
  readonly #postmaster: number;

  constructor(client: pg.Client, postmaster: number) {
    this.#client = client;
    this.#postmaster = postmaster;
  }

  run = (text: string) => this.#client.query(text);

  /** Processor time of the database for `work`, in milliseconds. */
  async cpu(work: () => Promise<void>): Promise<number> {
    const before = cpuOf(this.#postmaster).database;
    await work();
    return cpuOf(this.#postmaster).database - before;
  }

  /** The cost of one statement, prepared once, averaged over a number of orders. */
  async each(name: string, text: string, numbers: number[]): Promise<number> {
    const ask = async (n: number) => void (await this.#client.query({ name, text, values: [text.includes('$1::uuid') ? keyOf(n) : n] }));
    for (const n of numbers.slice(0, 20)) await ask(n);
    const spent = await this.cpu(async () => {
      for (const n of numbers.slice(20)) await ask(n);
    });
    return spent / (numbers.length - 20);
  }

  async number(text: string): Promise<number> {
    return Number((await this.#client.query<{ value: string }>(text)).rows[0]?.value);
  }
}

/** The statements that make the indexes of a table for its twin. What is unique without the key of the months cannot be so there. */
async function indexesOf(client: pg.Client, { table }: Kind, twin: string, isWhole: boolean): Promise<string[]> {
  const { rows } = await client.query<{ definition: string }>(
    'select pg_get_indexdef(indexrelid) as definition from pg_index where indrelid = $1::regclass and not indisprimary',
    [table],
  );
  return rows.map(({ definition }) =>
    definition
      .replace(
        /^CREATE (UNIQUE )?INDEX (\w+) ON (?:ONLY )?public\.\w+/,
        (_, unique = '', name) => `create ${unique}index ${twin}_${name} on ${twin}`,
      )
      .replace('create UNIQUE', isWhole ? 'create unique' : 'create'),
  );
}

async function make(bench: Bench, client: pg.Client, kind: Kind, isWhole: boolean): Promise<string> {
  const twin = `${isWhole ? 'one' : 'monthly'}_${kind.table}`;
  await bench.run(
    `create table ${twin} (like ${kind.table} including defaults including constraints) ${isWhole ? '' : `partition by range (${kind.key})`}`,
  );
  for (let month = 0; month <= MONTHS && !isWhole; month += 1)
    await bench.run(
      `create table ${twin}_${month} partition of ${twin} for values from (${month === 0 ? 'minvalue' : bound(month)}) to (${bound(month + 1)})`,
    );
  if (!isWhole) await bench.run(`create table ${twin}_other partition of ${twin} default`);
  for (let from = 1; from <= orders; from += PART)
    await bench.run(kind.fill(twin, String(from), String(Math.min(from + PART - 1, orders))));
  await bench.run(`alter table ${twin} add primary key (${kind.primary})`);
  for (const index of await indexesOf(client, kind, twin, isWhole)) await bench.run(index);
  await bench.run(`vacuum (analyze) ${twin}`);
  return twin;
}

const megabytes = (bytes: number) => `${whole(bytes / 1e6)} MB`;
const sum = (what: string, tables: string) => `select sum(${what}(oid))::bigint as value from pg_class where relname ~ '^(${tables})$'`;

async function measure(bench: Bench, kind: Kind, twin: string, isWhole: boolean): Promise<Map<string, string>> {
  const all = isWhole ? twin : `${twin}(_\\d+|_other)?`;
  const newest = isWhole ? twin : `${twin}_${MONTHS - 1}`;
  const got = new Map<string, string>();
  got.set('rows on disk', megabytes(await bench.number(sum('pg_table_size', all))));
  got.set('indexes', megabytes(await bench.number(sum('pg_indexes_size', all))));
  got.set('indexes that a new order writes to', megabytes(await bench.number(sum('pg_indexes_size', newest))));
  const recent = Array.from({ length: WORK }, (_, n) => orders - n);
  const anywhere = Array.from({ length: ASKS }, (_, n) => 2 * Math.floor((((n * 7919) % 1000) * orders) / 2000) + 2);
  for (const [name, text] of Object.entries(kind.questions))
    got.set(name, micros(await bench.each(`${twin} ${name}`, text(twin), anywhere)));
  const later = recent.map((_, n) => orders + 1 + n);
  got.set('rows of a new order', micros(await bench.each(`${twin} new`, kind.fill(twin, '$1::int', '$1::int'), later)));
  for (const [name, text] of Object.entries(kind.work)) got.set(name, micros(await bench.each(`${twin} ${name}`, text(twin), recent)));
  const vacuum = await bench.cpu(async () => void (await bench.run(`vacuum (index_cleanup on) ${newest}`)));
  got.set(`VACUUM after ${whole(WORK)} of these`, `${whole(vacuum)} ms`);
  const gone = await bench.cpu(async () => {
    await bench.run(isWhole ? `delete from ${twin} where ${kind.key} < ${bound(1)}` : `drop table ${twin}_0`);
    if (isWhole) await bench.run(`vacuum (index_cleanup on) ${twin}`);
  });
  got.set('the oldest month removed', `${whole(gone)} ms`);
  return got;
}

async function compare(bench: Bench, client: pg.Client, kind: Kind): Promise<void> {
  const figures: Map<string, string>[] = [];
  for (const isWhole of [true, false]) {
    const began = performance.now();
    const twin = await make(bench, client, kind, isWhole);
    console.log(`${twin}: made in ${whole((performance.now() - began) / 1000)} s`);
    figures.push(await measure(bench, kind, twin, isWhole));
    await bench.run(`drop table ${twin}`);
    await bench.run('checkpoint');
  }
  const [one, monthly] = figures;
  printTable(
    [`\`${kind.table}\``, 'one table', `${MONTHS} months`],
    [...(one ?? [])].map(([name, value]) => [name, value, monthly?.get(name) ?? '']),
  );
}

const dir = newFolder();
const embedded = await startEmbedded(join(dir, 'postgres'), { settings: { autovacuum: 'off', max_wal_size: '2GB', fsync: 'off' } });
const database = connect(embedded.url);
try {
  await migrate(database);
  const client = new pg.Client({ connectionString: embedded.url });
  await client.connect();
  await client.query("set maintenance_work_mem = '512MB'; set work_mem = '16MB'; set random_page_cost = 1.1; set synchronous_commit = off");
  const bench = new Bench(client, postmasterOf(dir));
  console.log(`${whole(orders)} orders of ${MONTHS} months; processor time is the database's`);
  const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
  for (const kind of KINDS) if (wanted.length === 0 || wanted.includes(kind.table)) await compare(bench, client, kind);
  await client.end();
} finally {
  await database.close();
  await embedded.stop();
  rmSync(dir, { recursive: true, force: true });
}
