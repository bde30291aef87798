import { sql } from 'kysely';
import type { Pence } from '#contract/market/money.ts';
import type { Tx } from '#server/platform/database/connect.ts';

const sumOf = (status: 'owed' | 'used') => sql<Pence>`(select coalesce(sum(amount), 0)::int from overpayments
  where order_id = orders.id and status = ${sql.lit(status)} and payment_id is null)`;

/** What came in by hand for an order besides what was due, and is still owed back. */
export const overpaid = sumOf('owed');

/** What is still asked of the customer of an unpaid order: what is due, less what came in before. Whatever names or takes that sum asks this. */
export const askedOf = (order: Record<'totalPrice' | 'waivedPrice' | 'overpaid', Pence>): Pence =>
  Math.max(0, order.totalPrice - order.waivedPrice - order.overpaid);

/** The same of a locked order, or what of it was used. */
export async function sumOverpaid(tx: Tx, orderId: string, status: 'owed' | 'used' = 'owed'): Promise<Pence> {
  const { sum } = await tx.selectFrom('orders').select(sumOf(status).as('sum')).where('id', '=', orderId).executeTakeFirstOrThrow();
  return sum;
}

/** What is still asked of the customer of a locked order. Of a paid one, what was: the rest is what its payment used. */
export const readAsked = async (
  tx: Tx,
  order: Record<'totalPrice' | 'waivedPrice', Pence> & { id: string; paidAt: unknown },
): Promise<Pence> => askedOf({ ...order, overpaid: await sumOverpaid(tx, order.id, order.paidAt ? 'used' : 'owed') });
