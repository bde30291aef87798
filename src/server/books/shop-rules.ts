import { sql } from 'kysely';
import { shopDay } from '#contract/market/shop-time.ts';
import type { Db } from '#server/platform/database/connect.ts';

interface Rule {
  rule: string;
  /**
   * Selects the names of what breaks it. `$orders` and `$invoices` are the checked rows, `$before` the number before the first invoice, `$day` the first day.
   * The orders' older column `status` is kept in step with `order_state` by a trigger (decision 82).
   */
  query: string;
}

/** Rules over several rows, which no constraint can enforce. */
const RULES: readonly Rule[] = [
  {
    rule: 'An order’s subtotal is the sum of its lines',
    query: `select reference from $orders o where sub_total_price <> (
      select coalesce(sum(price * qty), 0) from order_items where order_id = o.id)`,
  },
  {
    rule: 'An order’s discount is the sum of its lines’ discounts',
    query: `select reference from $orders o where discount <> (
      select coalesce(sum(i.discount), 0) from order_items i where i.order_id = o.id)`,
  },
  {
    // An invoice leaves out what was waived before it was issued.
    rule: 'The invoices of an order come to its total, and without their credit notes to no more than is left of it',
    query: `select o.reference from $orders o join invoices i on i.order_id = o.id
      group by o.id, o.reference, o.total_price, o.waived_price
      having sum(i.gross) filter (where i.kind = 'invoice') not between o.total_price - o.waived_price and o.total_price
        or sum(case when i.kind = 'invoice' then i.gross else -i.gross end) > o.total_price - o.waived_price`,
  },
  {
    rule: 'An order that is paid or has left has its invoice',
    query: `select reference from $orders o where awaits_invoice and is_sold(status) and (paid_at is not null or dispatched_at is not null or delivered_at is not null)`,
  },
  {
    rule: 'What the cash box took for an order is what it was paid in cash',
    query: `select reference from $orders o, lateral (select coalesce(sum(amount), 0) as taken from cash_receipts where order_id = o.id) box
      where taken <> case when paid_at is not null and provider_payment_id is null and coalesce(received_by = 'cash', payment_method = 'Cash on Delivery')
        -- What came in besides and was used for a change is in the box by its own record.
        then total_price - waived_price - (select coalesce(sum(amount), 0) from overpayments where order_id = o.id and status = 'used') else 0 end`,
  },
  {
    rule: 'Invoices and credit notes are numbered without a gap',
    query: `select kind || ' ' || number from (
      select kind, number, lag(number, 1, $before) over (partition by kind order by number) as before from $invoices i) as numbered
    where number <> before + 1`,
  },
  {
    rule: 'Credit notes come to no more than their invoice',
    query: `select i.number::text from $invoices i join invoices c on c.corrects = i.id group by i.id, i.number, i.gross having sum(c.gross) > i.gross`,
  },
  {
    rule: 'A day’s sales are what its orders come to',
    query: `select coalesce(summed.day, counted.day)::text
      from (
        select day, sum(orders) as orders, sum(revenue) as revenue
        from (select day, orders, revenue from sales_days union all select day, orders, revenue from sales_changes where product_id is null) as sums
        where day >= $day group by day
      ) as summed full join (
        select shop_day(created_at) as day, count(*) filter (where is_sold(status)) as orders, sum(revenue_of(status, total_price, waived_price, refunded_price, lost_price, due_back)) as revenue
        from $orders o where status not in ('awaiting_payment', 'expired') and shop_day(created_at) >= $day group by 1
      ) as counted using (day)
      where coalesce(summed.orders, 0) <> coalesce(counted.orders, 0) or coalesce(summed.revenue, 0) <> coalesce(counted.revenue, 0)`,
  },
  {
    // The stock of a set follows its parts, without movements of its own.
    rule: 'What is in stock is what the last stock movement left',
    query: `select p.name from products p, lateral (
      select balance from stock_movements m where m.product_id = p.id and m.size is null order by m.id desc limit 1) last
      where last.balance <> p.count_in_stock and p.set_parts = ''
    union all select p.name || ', ' || s.size from product_sizes s join products p on p.id = s.product_id, lateral (
      select balance from stock_movements m where m.product_id = s.product_id and m.size = s.size order by m.id desc limit 1) last
      where last.balance <> s.quantity`,
  },
  {
    rule: 'No unpaid card checkout or correction holds stock for more than an hour after its time',
    query: `select reference from orders where order_state = 'awaiting_payment' and hold_expires_at < now() - interval '1 hour'
      union all select reference from orders join order_corrections c on c.order_id = orders.id
      where c.status in ('open', 'closing') and pay_until < now() - interval '1 hour'
        -- What was sent before it was paid can be paid at any time.
        and (not c.is_whole or order_state in ('placed', 'packing'))`,
  },
];

interface BrokenRule {
  rule: string;
  /** The first few that break it. */
  offenders: string[];
}

/** The rules that are broken: by anything, or by orders and documents since a moment. */
export async function listBrokenRules(db: Db, since?: Date): Promise<BrokenRule[]> {
  const onlySince = (column: string) => (since ? ` where ${column} >= '${since.toISOString()}'` : '');
  const parts: Record<string, string> = {
    orders: since ? `(select * from orders${onlySince('created_at')})` : 'orders',
    invoices: since ? `(select * from invoices${onlySince('issued_at')})` : 'invoices',
    before: since ? 'number - 1' : '0',
    // `since` may be in the middle of its day, so the first whole day is the next.
    day: since ? `date '${shopDay(since.toISOString())}' + 1` : `date '-infinity'`,
  };
  const broken: BrokenRule[] = [];
  for (const { rule, query } of RULES) {
    const text = query.replace(/\$(\w+)/g, (whole, name: string) => parts[name] ?? whole);
    const { rows } = await sql<{ name: string }>`select * from (${sql.raw(text)}) as broken (name) limit 5`.execute(db);
    if (rows.length > 0) broken.push({ rule, offenders: rows.map(({ name }) => name) });
  }
  return broken;
}

/** A sentence for each rule that a shop breaks, such as a restored one, with some of what breaks it. */
export async function listBrokenRuleTexts(db: Db): Promise<string[]> {
  return (await listBrokenRules(db)).map(brokenText);
}

export const brokenText = ({ rule, offenders }: BrokenRule): string => `Broken: “${rule}”, by ${offenders.join(', ')}`;
