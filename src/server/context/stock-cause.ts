import { type RawBuilder, sql } from 'kysely';
import type { StockReason } from '#contract/stock/reasons.ts';
import type { Tx } from '#server/platform/database/connect.ts';

/** Why stock moves, for the ledger that triggers write (migration 0730). */
export interface StockCause {
  reason: StockReason;
  /** The administrator; left out for what a customer or the shop does. */
  actor?: string;
  note?: string;
  /** The id of the order. */
  order?: string;
}

/** Sets the cause of the movements of the statement that it is part of, and of those that follow in the transaction. */
export const setCauseSql = (cause: StockCause): RawBuilder<string> =>
  sql<string>`set_config('shop.stock_cause', ${JSON.stringify(cause)}, true)`;

/** Sets the cause of the movements that follow in the transaction. */
export async function setStockCause(tx: Tx, cause: StockCause): Promise<void> {
  await sql`select ${setCauseSql(cause)}`.execute(tx);
}
