import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { SHOP_TIME_ZONE } from '#contract/market/shop-time.ts';
import type { Sales } from '#contract/orders/orders.ts';
import type { Admin } from '#server/context/context.ts';
import { undelivered } from '#server/orders/rules/states.ts';
import type { Db } from '#server/platform/database/connect.ts';
import type { Place } from '#server/platform/lists/read-page.ts';

const DAYS = 30;
const BEST_SELLERS = 5;
/** Sums of pieces are kept a little longer than the panel looks back. */
const PIECES_DAYS = 62;

const ZONE = sql.lit(SHOP_TIME_ZONE);
const TODAY = sql`(now() at time zone ${ZONE})::date`;
/** The first of the 30 days that end today. */
const START = sql`(${TODAY} - ${sql.lit(DAYS - 1)})`;

/** The first day of the best sellers' sums. */
const SINCE = sql`coalesce((select since from sales_window), '-infinity')`;

/** Orders and revenue of each day of a period, from the sums and the changes since: those without a product count orders, the others pieces. */
export const salesByDay = (from: RawBuilder<unknown>, to: RawBuilder<unknown>) => sql`
  select every::date as day, coalesce(sum(orders), 0)::int as orders, coalesce(sum(revenue), 0)::bigint as revenue
  from generate_series(${from}, ${to}, interval '1 day') as every
  left join (
    select day, orders, revenue from sales_days where day between ${from} and ${to}
    union all select day, orders, revenue from sales_changes where product_id is null and day between ${from} and ${to}
  ) as summed on summed.day = every::date
  group by 1`;

/**
 * Sales of the last 30 days without cancellations and refunds, of the 30 days before, and the number of undelivered orders; amounts in pence. Read from daily
 * sums, never from the orders.
 */
export async function readSales(db: Db, _: Admin): Promise<Sales> {
  const [latest, before, bestSellers, awaiting] = await Promise.all([
    sql<Sales['days'][number]>`
      select to_char(day, 'YYYY-MM-DD') as day, orders, revenue from (${salesByDay(START, TODAY)}) as latest order by day`.execute(db),
    sql<Sales['before']>`
      select sum(orders)::int as orders, sum(revenue)::bigint as revenue
      from (${salesByDay(sql`(${START} - ${sql.lit(DAYS)})`, sql`(${START} - 1)`)}) as earlier`.execute(db),
    readBestSellers(db),
    sql<{ n: number }>`select count(*) as n from orders where ${undelivered}`.execute(db),
  ]);
  const { orders = 0, revenue = 0 } = before.rows[0] ?? {};
  return { days: latest.rows, before: { orders, revenue }, bestSellers, awaitingDelivery: awaiting.rows[0]?.n ?? 0 };
}

/**
 * The best sellers of the period: the first rows of an index, except products with sales or returns since the last summing, or with days that have left the
 * period since. Those are calculated here.
 */
async function readBestSellers(db: Db): Promise<Sales['bestSellers']> {
  const { rows } = await sql<Sales['bestSellers'][number]>`
    with changed as materialized (
      select product_id, sum(pieces) as pieces, sum(revenue) as revenue
      from (
        select product_id, pieces, revenue from sales_changes where product_id is not null and day >= ${START}
        union all select product_id, -pieces, -revenue from sales_pieces where day >= ${SINCE} and day < ${START}
      ) as changes
      group by product_id
    ), best as (
      (select product_id, pieces, revenue from sales_best_sellers best_seller
        where not exists (select from changed where changed.product_id = best_seller.product_id)
        order by pieces desc, product_id limit ${sql.lit(BEST_SELLERS)})
      union all
      select product_id, changed.pieces + coalesce(best_seller.pieces, 0), changed.revenue + coalesce(best_seller.revenue, 0)
      from changed left join sales_best_sellers best_seller using (product_id)
    ), top as (
      select product_id, pieces, revenue from best where pieces > 0 order by pieces desc, product_id limit ${sql.lit(BEST_SELLERS)}
    )
    select product_id as _id, name, pieces::bigint as pieces, revenue::bigint as revenue
    from top join products on products.id = product_id order by pieces desc, product_id`.execute(db);
  return rows;
}

/** The number of orders in the list without filters. */
export async function countListed(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (coalesce((select sum(listed) from sales_days), 0) + coalesce((select sum(listed) from sales_changes), 0))::int as n`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}

/** The start of the day of the order at offset `skip`, as a place in the order list. */
export async function findDayStart(db: Db, skip: number, order: 'newest' | 'oldest'): Promise<Place | undefined> {
  const [direction, rowsOf] =
    order === 'newest'
      ? [sql`desc`, (day: string) => sql<SqlBool>`created_at < (${day}::date + 1)::timestamp at time zone ${ZONE}`]
      : [sql`asc`, (day: string) => sql<SqlBool>`created_at >= ${day}::date::timestamp at time zone ${ZONE}`];
  const { rows } = await sql<{ day: string; before: number }>`
    select day::text, before::int from (
      select day, sum(sum(listed)) over (order by day ${direction}) - sum(listed) as before
      from (select day, listed from sales_days union all select day, listed from sales_changes where product_id is null) as listings
      group by day
    ) as days where before <= ${skip} order by before desc limit 1`.execute(db);
  const [found] = rows;
  return found && { rows: rowsOf(found.day), before: found.before };
}

/** Changes summed at a time: after a large import there are millions, too many for one statement. */
const BATCH = 20_000;

/** Adds a batch of changes to the daily sums and returns its size. */
async function sumBatch(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with moved as (
      delete from sales_changes where ctid = any(array(select ctid from sales_changes limit ${sql.lit(BATCH)})) returning *
    ), days as (
      insert into sales_days (day, listed, orders, revenue)
      select day, sum(listed), sum(orders), sum(revenue) from moved where product_id is null group by day
      on conflict (day) do update set listed = sales_days.listed + excluded.listed, orders = sales_days.orders + excluded.orders,
        revenue = sales_days.revenue + excluded.revenue
    ), pieces as (
      insert into sales_pieces (day, product_id, pieces, revenue)
      select day, product_id, sum(pieces), sum(revenue) from moved
      where product_id is not null and day >= ${TODAY} - ${sql.lit(PIECES_DAYS)} group by day, product_id
      on conflict (day, product_id) do update set pieces = sales_pieces.pieces + excluded.pieces, revenue = sales_pieces.revenue + excluded.revenue
    )
    select count(*)::int as n from moved`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Adds a batch of changed facts to their sums by day and by month, and returns its size. */
async function sumFacts(db: Db): Promise<number> {
  const added = (table: string) =>
    sql.raw(`
    count = ${table}.count + excluded.count, amount = ${table}.amount + excluded.amount, net = ${table}.net + excluded.net, cost = ${table}.cost + excluded.cost`);
  const { rows } = await sql<{ n: number }>`
    with moved as (
      delete from sales_fact_changes where ctid = any(array(select ctid from sales_fact_changes limit ${sql.lit(BATCH)})) returning *
    ), days as (
      insert into sales_facts (day, fact, key, count, amount, net, cost)
      select day, fact, key, sum(count), sum(amount), sum(net), sum(cost) from moved group by 1, 2, 3
      on conflict (day, fact, key) do update set ${added('sales_facts')}
    ), months as (
      insert into sales_fact_months (month, fact, key, count, amount, net, cost)
      select date_trunc('month', day)::date, fact, key, sum(count), sum(amount), sum(net), sum(cost) from moved group by 1, 2, 3
      on conflict (month, fact, key) do update set ${added('sales_fact_months')}
    )
    select count(*)::int as n from moved`.execute(db);
  return rows[0]?.n ?? 0;
}

/** How long one run may count older days, in ms; the next run continues. */
const RECOUNT_MS = 20_000;

/** Counts the facts of days that were never counted, the oldest first: which order is a customer's first depends on the days before. */
async function recountDays(db: Db): Promise<void> {
  const until = Date.now() + RECOUNT_MS;
  while (Date.now() < until) {
    const isDone = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ day: string }>`
        delete from sales_recounts where day = (select min(day) from sales_recounts) returning day::text as day`.execute(tx);
      for (const { day } of rows) await sql`select recount_sales_facts(${day}::date)`.execute(tx);
      return rows.length === 0;
    });
    if (isDone) return;
    while ((await sumFacts(db)) === BATCH);
  }
}

/** Removes days before the period from the best sellers' sums. */
async function moveWindow(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const due = sql<{ isDue: boolean }>`select ${SINCE} < ${START} and exists (select from sales_best_sellers) as is_due`;
    if (!(await due.execute(tx)).rows[0]?.isDue) return;
    await sql`
      update sales_best_sellers best_seller set pieces = best_seller.pieces - past.pieces, revenue = best_seller.revenue - past.revenue
      from (
        select product_id, sum(pieces) as pieces, sum(revenue) as revenue from sales_pieces
        where day >= ${SINCE} and day < ${START} group by 1
      ) as past
      where best_seller.product_id = past.product_id`.execute(tx);
    await sql`insert into sales_window (since) values (${START}) on conflict (is_only) do update set since = excluded.since`.execute(tx);
    await sql`delete from sales_best_sellers where pieces = 0 and revenue = 0`.execute(tx);
  });
}

/** Adds changes to the daily sums and deletes old sums of pieces. The job's key keeps it from running twice at once. */
export async function sumSales({ db }: { db: Db }): Promise<void> {
  while ((await sumBatch(db)) === BATCH);
  while ((await sumFacts(db)) === BATCH);
  await recountDays(db);
  await moveWindow(db);
  await sql`delete from sales_pieces where day < ${TODAY} - ${sql.lit(PIECES_DAYS)}`.execute(db);
}
