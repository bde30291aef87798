import { type SqlBool, sql } from 'kysely';

/**
 * Orders of which something is to be refunded now, as `owedOf` computes it. The index of migration 0986 has the same condition. Its first half follows from the
 * second, and lets PostgreSQL estimate that such orders are few.
 */
export const isOwed = sql<SqlBool>`(entitled_price > 0
  and owed_price(total_price, waived_price, refunded_price, goodwill_price, disputed_price, entitled_price) > 0)`;

/** Whether a failed refund, the row `refund`, is owed by itself: goodwill. */
const isOwedAlone = sql<SqlBool>`(refund.status = 'failed' and refund.goodwill > 0 and total_price - waived_price - refunded_price - disputed_price > 0)`;

/** Failed refunds that are owed by themselves, as rows `refund`. */
export const owedRefunds = sql`order_refunds refund join orders on orders.id = refund.order_id where ${isOwedAlone}`;

/** Whether an order has something to pay back that no refund by hand is open for. */
export const isToPayBack = sql<SqlBool>`(${isOwed} or exists (select from order_refunds refund where refund.order_id = orders.id and ${isOwedAlone}))`;
