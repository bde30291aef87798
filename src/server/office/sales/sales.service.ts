import { sql } from 'kysely';
import { SHOP_TIME_ZONE } from '#contract/market/shop-time.ts';
import type { Sales } from '#contract/orders.ts';
import type { Admin } from '#server/context/context.ts';
import type { Db } from '#server/db/connect.ts';
import { undelivered } from '#server/orders/rules/states.ts';

const DAYS = 30;
const BEST_SELLERS = 5;
/** Pieces by day are kept for a little longer than the panel looks back. */
const PIECES_DAYS = 62;

const ZONE = sql.lit(SHOP_TIME_ZONE);
const TODAY = sql`(now() at time zone ${ZONE})::date`;
/** The first of the 30 days, of which the last is today. */
const START = sql`(${TODAY} - ${sql.lit(DAYS - 1)})`;

/** Each day of a stretch with what is summed up of it, and what has changed since then. */
const days = (from: typeof START, to: typeof START) => sql`
  select every::date as day, coalesce(sum(orders), 0)::int as orders, coalesce(sum(revenue), 0)::bigint as revenue
  from generate_series(${from}, ${to}, interval '1 day') as every
  left join (
    select day, orders, revenue from sales_days where day between ${from} and ${to}
    union all select day, orders, revenue from sales_changes where product_id is null and day between ${from} and ${to}
  ) as summed on summed.day = every::date
  group by 1`;

/**
 * What was sold in the last 30 days, what was cancelled or given back left out, the 30 days before, and how many orders await their delivery;
 * amounts in pence. It is read from sums of each day (migration 0371), never from the orders.
 */
export async function readSales(db: Db, _: Admin): Promise<Sales> {
  const [latest, before, bestSellers, awaiting] = await Promise.all([
    sql<Sales['days'][number]>`
      select to_char(day, 'YYYY-MM-DD') as day, orders, revenue from (${days(START, TODAY)}) as latest order by day`.execute(db),
    sql<Sales['before']>`
      select sum(orders)::int as orders, sum(revenue)::bigint as revenue
      from (${days(sql`(${START} - ${sql.lit(DAYS)})`, sql`(${START} - 1)`)}) as earlier`.execute(db),
    sql<Sales['bestSellers'][number]>`
      select summed.product_id as _id, name, summed.pieces, summed.revenue
      from (
        select product_id, sum(pieces)::bigint as pieces, sum(revenue)::bigint as revenue
        from (
          select product_id, pieces, revenue from sales_pieces where day >= ${START}
          union all select product_id, pieces, revenue from sales_changes where product_id is not null and day >= ${START}
        ) as changes
        group by product_id having sum(pieces) > 0 order by pieces desc, product_id limit ${sql.lit(BEST_SELLERS)}
      ) as summed join products p on p.id = summed.product_id
      order by summed.pieces desc, summed.product_id`.execute(db),
    sql<{ n: number }>`select count(*) as n from orders where ${undelivered}`.execute(db),
  ]);
  const { orders = 0, revenue = 0 } = before.rows[0] ?? {};
  return { days: latest.rows, before: { orders, revenue }, bestSellers: bestSellers.rows, awaitingDelivery: awaiting.rows[0]?.n ?? 0 };
}

/** How many orders the list has without a filter. */
export async function countListed(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (coalesce((select sum(listed) from sales_days), 0) + coalesce((select sum(listed) from sales_changes), 0))::int as n`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}

/** So many changes are added up at a time: after a large import there are millions, more than one statement may take. */
const BATCH = 20_000;

/** Adds a batch of changes to the sums of its days. Returns how many there were. */
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

/** Adds what has changed to the sums of its days, and forgets by which pieces old days were made up. By its key the job runs alone. */
export async function sumSales({ db }: { db: Db }): Promise<void> {
  while ((await sumBatch(db)) === BATCH);
  await sql`delete from sales_pieces where day < ${TODAY} - ${sql.lit(PIECES_DAYS)}`.execute(db);
}
