import { sql } from 'kysely';
import type { Pence } from '#contract/market/money.ts';
import type { Tx } from '#server/platform/database/connect.ts';

/** What came in for an order besides what was due, and is still owed back. */
export const overpaid = sql<Pence>`(select coalesce(sum(amount), 0)::int from overpayments where order_id = orders.id and status = 'owed')`;

/** What is still asked of the customer of an unpaid order: what is due, less what came in before. Whatever names or takes that sum asks this. */
export const askedOf = (order: Record<'totalPrice' | 'waivedPrice' | 'overpaid', Pence>): Pence =>
  Math.max(0, order.totalPrice - order.waivedPrice - order.overpaid);

/** What came in for a locked order besides what was due, and is not paid back. */
export async function sumOverpaid(tx: Tx, orderId: string): Promise<Pence> {
  const rows = await tx.selectFrom('overpayments').select('amount').where('orderId', '=', orderId).where('status', '=', 'owed').execute();
  return rows.reduce((sum, { amount }) => sum + amount, 0);
}

/** What is still asked of the customer of a locked order. */
export const readAsked = async (tx: Tx, order: { id: string } & Record<'totalPrice' | 'waivedPrice', Pence>): Promise<Pence> =>
  askedOf({ ...order, overpaid: await sumOverpaid(tx, order.id) });
