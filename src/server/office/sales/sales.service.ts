import { sql } from 'kysely';
import { SHOP_TIME_ZONE } from '#contract/market/shop-time.ts';
import type { Sales } from '#contract/orders.ts';
import type { Admin } from '#server/context/context.ts';
import type { Db } from '#server/db/connect.ts';
import { sold, undelivered } from '#server/orders/rules/states.ts';

const DAYS = 30;
const BEST_SELLERS = 5;

const ZONE = sql.lit(SHOP_TIME_ZONE);

/** Midnight in the shop's time, as the lists show days, at which the first of the 30 days begins; the last day is today. */
const START = sql`(date_trunc('day', now() at time zone ${ZONE}) - ${sql.lit(DAYS - 1)} * interval '1 day') at time zone ${ZONE}`;

/** What was sold in the last 30 days, what was cancelled or given back left out, and how many orders await their delivery; amounts in pence. */
export async function readSales(db: Db, _: Admin): Promise<Sales> {
  const [days, bestSellers, awaiting] = await Promise.all([
    sql<Sales['days'][number]>`
      select to_char(day, 'YYYY-MM-DD') as day, coalesce(orders, 0) as orders, coalesce(revenue, 0) as revenue
      from generate_series(${START} at time zone ${ZONE}, now() at time zone ${ZONE}, interval '1 day') as day
      left join (
        select date_trunc('day', created_at at time zone ${ZONE}) as day, count(*) as orders, sum(total_price - waived_price - refunded_price)::bigint as revenue
        from orders where ${sold} and created_at >= ${START} group by 1
      ) as sold using (day)
      order by day`.execute(db),
    // The offset keeps the lines to be looked up order by order: what counts is the month's sales, not those of all years.
    sql<Sales['bestSellers'][number]>`
      select sold.product_id as _id, name, sold.pieces, sold.revenue
      from (
        select i.product_id, sum(i.qty)::bigint as pieces, sum(i.qty::bigint * i.price)::bigint as revenue
        from orders o
        cross join lateral (
          select product_id, qty - cancelled_qty - returned_qty as qty, price from order_items where order_id = o.id offset 0) i
        where ${sold} and o.created_at >= ${START}
        group by i.product_id having sum(i.qty) > 0 order by pieces desc, i.product_id limit ${sql.lit(BEST_SELLERS)}
      ) as sold join products p on p.id = sold.product_id
      order by sold.pieces desc, sold.product_id`.execute(db),
    sql<{ n: number }>`select count(*) as n from orders where ${undelivered}`.execute(db),
  ]);
  return { days: days.rows, bestSellers: bestSellers.rows, awaitingDelivery: awaiting.rows[0]?.n ?? 0 };
}
