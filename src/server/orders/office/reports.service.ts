import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { daysIn, type Period, periodBefore, wholeMonths } from '#contract/orders/periods.ts';
import {
  BREAKDOWN_NAMES,
  BREAKDOWNS,
  type Breakdown,
  type Figures,
  GOODS,
  marginOf,
  OTHER_MONEY,
  type Report,
  type ReportRow,
  ROWS_SHOWN,
} from '#contract/orders/reports.ts';
import type { Admin } from '#server/context/context.ts';
import { BYTE_ORDER_MARK, csvRow } from '#server/platform/csv.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { salesByDay } from './sales.service.ts';

/** The most days of a chart with a bar for each day; longer ones have a bar for each month. */
const MOST_DAYS = 92;

/** The facts of a period: the sums of its whole months and of its other days, and the changes that are not summed yet. */
function factsOf({ from, to }: Period): RawBuilder<unknown> {
  const columns = sql`fact, key, count, amount, net, cost`;
  const whole = wholeMonths({ from, to });
  const otherDays = whole
    ? sql<SqlBool>`((day >= ${from} and day < ${whole.from}) or (day >= ${whole.before} and day <= ${to}))`
    : within({ from, to });
  const monthFacts = whole
    ? sql`select ${columns} from sales_fact_months where month >= ${whole.from} and month < ${whole.before} union all`
    : sql``;
  return sql`(${monthFacts} select ${columns} from sales_facts where ${otherDays}
    union all select ${columns} from sales_fact_changes where ${within({ from, to })})`;
}

const within = ({ from, to }: Period) => sql<SqlBool>`(day >= ${from} and day <= ${to})`;

/** The facts of a period and of the period before, which has `is_before`. */
const factsOfBoth = (period: Period): RawBuilder<unknown> => sql`(
  select false as is_before, now.* from ${factsOf(period)} as now
  union all select true, earlier.* from ${factsOf(periodBefore(period))} as earlier)`;

/** A sum of both periods. `kind` is the table of goods that it belongs to, `goods` for all goods together, or `fact` for every other fact. */
interface Sum extends ReportRow {
  kind: 'product' | 'category' | 'brand' | 'goods' | 'fact';
  fact: string;
  netBefore: number;
  costBefore: number;
}

/**
 * Sums the facts of both periods: the goods by product, category and brand (the best `most` of each, or all), all goods together, and every other fact.
 * Cancelled and returned pieces are stored by product, and summed over all.
 */
async function readSums(db: Db, period: Period, most: number | null): Promise<Sum[]> {
  const names = ['count', 'amount', 'net', 'cost'];
  const pivoted = names.map(
    (name) => `coalesce(sum(${name}) filter (where not is_before), 0) as ${name},
    coalesce(sum(${name}) filter (where is_before), 0) as ${name}_before`,
  );
  const summed = names.map(
    (name) => `coalesce(sum(${name}), 0)::bigint as ${name}, coalesce(sum(${name}_before), 0)::bigint as ${name}_before`,
  );
  const sums = sql.raw(summed.join(', '));
  const { rows } = await sql<Sum>`
    with facts as materialized (
      select fact, case when fact in ('cancelled pieces', 'returned pieces') then '' else key end as key, ${sql.raw(pivoted.join(', '))} from ${factsOfBoth(period)} as both_of group by 1, 2
    ), named as materialized (
      select facts.*, coalesce(p.name, 'Deleted product') as name, coalesce(p.category, '') as category, coalesce(p.category_key, '') as category_key,
        coalesce(p.brand, '') as brand, coalesce(p.brand_key, '') as brand_key
      from facts left join products p on p.id = key::uuid where fact = 'product'
    ), ranked as (
      select *, row_number() over (partition by kind order by amount desc, amount_before desc, key) as place
      from (
        select 'product' as kind, key, min(name) as label, ${sums} from named group by key
        union all select 'category', category_key, min(category), ${sums} from named group by category_key
        union all select 'brand', brand_key, min(brand), ${sums} from named group by brand_key
      ) as goods
      where count <> 0 or amount <> 0 or count_before <> 0 or amount_before <> 0
    )
    select kind, '' as fact, key, coalesce(nullif(label, ''), 'Without a name') as label, count, count_before, amount, amount_before, net, net_before, cost,
      cost_before
    from ranked where place <= coalesce(${most}::int, place)
    union all select 'goods', '', '', '', ${sums} from named
    union all select 'fact', fact, key, key, ${sums} from facts where fact <> 'product' group by fact, key`.execute(db);
  return rows;
}

async function readBars(db: Db, period: Period): Promise<Report['bars']> {
  const unit = daysIn(period) > MOST_DAYS ? sql`'YYYY-MM'` : sql`'YYYY-MM-DD'`;
  const { rows } = await sql<Report['bars'][number]>`
    select to_char(day, ${unit}) as day, sum(orders)::int as orders, sum(revenue)::bigint as revenue
    from (${salesByDay(sql`${period.from}::date`, sql`${period.to}::date`)}) as each_day group by 1 order by 1`.execute(db);
  return rows;
}

/** The cost of the stock, as far as it is known: by size if a product has sizes, without sets, whose pieces are their parts'. */
async function readStock(db: Db): Promise<Report['stock']> {
  const { rows } = await sql<Report['stock']>`
    select coalesce(sum(pieces), 0)::int as pieces, coalesce(sum(pieces) filter (where cost is not null), 0)::int as known,
      coalesce(sum(pieces * cost), 0)::bigint as cost
    from (
      select coalesce(s.quantity, p.count_in_stock)::bigint as pieces, coalesce(s.cost_price, p.cost_price) as cost
      from products p left join product_sizes s on s.product_id = p.id where p.deleted_at is null and p.set_parts = ''
    ) as places`.execute(db);
  return rows[0] ?? { pieces: 0, known: 0, cost: 0 };
}

/** Whether days of either period are still being recounted. */
async function isRecounting(db: Db, period: Period): Promise<boolean> {
  const { rows } = await sql<{ isCounting: boolean }>`
    select exists (select from sales_recounts where day >= ${periodBefore(period).from} and day <= ${period.to}) as is_counting`.execute(
    db,
  );
  return rows[0]?.isCounting ?? false;
}

/** The figures of one of the two periods. */
function figuresOf(which: 'now' | 'before', bars: Report['bars'], sums: readonly Sum[]): Figures {
  const valuesOf =
    which === 'now'
      ? (sum: Sum) => sum
      : ({ countBefore, amountBefore, netBefore, costBefore }: Sum) => ({
          count: countBefore,
          amount: amountBefore,
          net: netBefore,
          cost: costBefore,
        });
  const sumOf = (fact: string, key = '') => {
    const found = sums.find((sum) => sum.fact === fact && sum.key === key);
    return found ? valuesOf(found) : { count: 0, amount: 0 };
  };
  const goods = sums.find(({ kind }) => kind === 'goods');
  const { amount, net, cost } = goods ? valuesOf(goods) : { amount: 0, net: 0, cost: 0 };
  return {
    orders: bars.reduce((sum, { orders }) => sum + orders, 0),
    revenue: bars.reduce((sum, { revenue }) => sum + revenue, 0),
    placed: sumOf('placed').count,
    cancelled: sumOf('cancelled').count,
    cancelledValue: sumOf('cancelled').amount,
    cancelledPieces: sumOf('cancelled pieces').count,
    newOrders: sumOf('customer', 'new').count,
    newRevenue: sumOf('customer', 'new').amount,
    returningOrders: sumOf('customer', 'returning').count,
    returningRevenue: sumOf('customer', 'returning').amount,
    returns: sums.filter(({ fact }) => fact === 'return').reduce((all, sum) => all + valuesOf(sum).count, 0),
    returnedPieces: sumOf('returned pieces').count,
    returnedValue: sumOf('returned pieces').amount,
    onTime: sumOf('delivery', 'on time').count,
    late: sumOf('delivery', 'late').count,
    goods: amount,
    net,
    cost,
  };
}

async function readPromotionNames(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const found = await db.selectFrom('promotions').select(['id', 'name', 'code']).where('id', 'in', ids).execute();
  return new Map(found.map(({ id, name, code }) => [id, code ? `${code} (${name})` : name]));
}

/** The rows of a table, the largest first. */
async function readTable(db: Db, by: Breakdown, sums: readonly Sum[]): Promise<ReportRow[]> {
  if (GOODS.includes(by))
    return sums
      .filter(({ kind }) => kind === by)
      .sort((one, other) => other.amount - one.amount || other.amountBefore - one.amountBefore || one.label.localeCompare(other.label));
  const facts = sums.filter((sum) => sum.fact === by && (sum.count || sum.amount || sum.countBefore || sum.amountBefore));
  const names =
    by === 'promotion'
      ? await readPromotionNames(
          db,
          facts.map(({ key }) => key),
        )
      : undefined;
  return facts
    .map((sum) => ({ ...sum, label: names?.get(sum.key) ?? (sum.key || 'Not known') }))
    .sort((one, other) => other.amount - one.amount || other.count - one.count || one.label.localeCompare(other.label));
}

/** The sales of a period and of the period before, in pence. Read from sums by day and month, never from the orders. */
export async function readReport(db: Db, _: Admin, period: Period): Promise<Report> {
  const before = periodBefore(period);
  const [sums, bars, barsBefore, stock, isCounting] = await Promise.all([
    readSums(db, period, ROWS_SHOWN),
    readBars(db, period),
    readBars(db, before),
    readStock(db),
    isRecounting(db, period),
  ]);
  const tables = await Promise.all(BREAKDOWN_NAMES.map(async (by) => [by, (await readTable(db, by, sums)).slice(0, ROWS_SHOWN)] as const));
  return {
    period,
    before,
    isCounting,
    figures: figuresOf('now', bars, sums),
    figuresBefore: figuresOf('before', barsBefore, sums),
    unit: daysIn(period) > MOST_DAYS ? 'month' : 'day',
    bars,
    barsBefore,
    tables: Object.fromEntries(tables) as Report['tables'],
    stock,
  };
}

/** A whole table of the report as CSV, in pounds. A table of goods ends with the revenue that is not from goods. */
export async function* exportReport(db: Db, _: Admin, period: Period, by: Breakdown | 'day'): AsyncGenerator<string> {
  if (by === 'day') return yield* exportDays(db, period);
  const sums = await readSums(db, period, null);
  const rows = await readTable(db, by, sums);
  const { column, counts, hasMargin } = BREAKDOWNS[by];
  const margins = ({ net, cost }: ReportRow) => [{ pence: net }, { pence: cost }, marginOf({ net, cost }) ?? ''];
  yield BYTE_ORDER_MARK +
    csvRow([
      column,
      counts,
      'Amount (£)',
      `${counts} before`,
      'Amount before (£)',
      ...(hasMargin ? ['Without VAT, cost known (£)', 'Cost (£)', 'Margin (%)'] : []),
    ]);
  for (const row of rows)
    yield csvRow([
      row.label,
      row.count,
      { pence: row.amount },
      row.countBefore,
      { pence: row.amountBefore },
      ...(hasMargin ? margins(row) : []),
    ]);
  if (!GOODS.includes(by)) return;
  const [bars, barsBefore] = [await readBars(db, period), await readBars(db, periodBefore(period))];
  const [now, before] = [figuresOf('now', bars, sums), figuresOf('before', barsBefore, sums)];
  yield csvRow([OTHER_MONEY, '', { pence: now.revenue - now.goods }, '', { pence: before.revenue - before.goods }, '', '', '']);
}

async function* exportDays(db: Db, period: Period): AsyncGenerator<string> {
  const [bars, before] = [await readBars(db, period), await readBars(db, periodBefore(period))];
  yield BYTE_ORDER_MARK + csvRow(['Day', 'Orders', 'Revenue (£)', 'Day before', 'Orders before', 'Revenue before (£)']);
  for (let index = 0; index < Math.max(bars.length, before.length); index += 1) {
    const [now, then] = [bars[index], before[index]];
    yield csvRow([
      ...(now ? [now.day, now.orders, { pence: now.revenue }] : ['', '', '']),
      ...(then ? [then.day, then.orders, { pence: then.revenue }] : ['', '', '']),
    ]);
  }
}
