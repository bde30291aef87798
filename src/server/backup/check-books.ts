import { sql } from 'kysely';
import type { Db } from '#server/platform/database/connect.ts';

/** Rules over several rows, which no constraint holds: a sentence, and a query for the things that break it. */
const RULES: readonly [rule: string, broken: string][] = [
  [
    'An order’s subtotal is the sum of its lines',
    `select reference from orders o where sub_total_price <> (
      select coalesce(sum(price * qty), 0) from order_items where order_id = o.id)`,
  ],
  [
    'An order’s discount is the sum of its lines’ discounts',
    `select reference from orders o where discount <> (
      select coalesce(sum(i.discount), 0) from order_items i where i.order_id = o.id)`,
  ],
  [
    'The invoices of an order come to its total',
    `select o.reference from orders o join invoices i on i.order_id = o.id where i.kind = 'invoice'
    group by o.id having sum(i.gross) <> o.total_price`,
  ],
  [
    'Invoices and credit notes are numbered without a gap',
    `select kind || ' ' || number from (
      select kind, number, lag(number, 1, 0) over (partition by kind order by number) as before from invoices) as numbered
    where number <> before + 1`,
  ],
  [
    'Credit notes come to no more than their invoice',
    `select i.number::text from invoices i join invoices c on c.corrects = i.id group by i.id having sum(c.gross) > i.gross`,
  ],
];

/** Checks the books of a shop, such as a restored one. Returns a sentence for each rule that is broken, with some of the things that break it. */
export async function auditBooks(db: Db): Promise<string[]> {
  const faults: string[] = [];
  for (const [rule, broken] of RULES) {
    const { rows } = await sql<{ name: string }>`select * from (${sql.raw(broken)}) as broken (name) limit 5`.execute(db);
    if (rows.length > 0) faults.push(`Broken: “${rule}”, by ${rows.map(({ name }) => name).join(', ')}`);
  }
  return faults;
}
