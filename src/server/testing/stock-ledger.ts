import { sql } from 'kysely';
import type { Db } from '#server/platform/database/connect.ts';

/**
 * Products and sizes whose stored stock is not the sum of their movements, and movements whose balance is not the one before plus their change. None in a
 * shop whose products were all made since it has a ledger.
 */
export async function differencesInLedger(db: Db): Promise<unknown[]> {
  const { rows } = await sql`
    with stored as (
      select id as product_id, null as size, count_in_stock as pieces from products where set_parts = ''
      union all select product_id, size, quantity from product_sizes),
    ledger as (select product_id, size, sum(change)::int as pieces from stock_movements group by product_id, size),
    steps as (select *, balance - change - lag(balance, 1, 0) over (partition by product_id, size order by id) as gap from stock_movements)
    select coalesce(stored.product_id, ledger.product_id) as product_id, coalesce(stored.size, ledger.size) as size, stored.pieces as stored, ledger.pieces as moved from stored
      full join ledger on ledger.product_id = stored.product_id and ledger.size is not distinct from stored.size
    where coalesce(stored.pieces, 0) <> coalesce(ledger.pieces, 0)
    union all select product_id, size, balance, gap from steps where gap <> 0`.execute(db);
  return rows;
}
