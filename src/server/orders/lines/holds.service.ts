import { sql } from 'kysely';
import type { CartLine } from '#contract/orders/orders.ts';
import { isProblem, Problem } from '#contract/platform/problem.ts';
import type { Services } from '#server/context/services.ts';
import { orderJobs } from '#server/orders/jobs.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { isId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { priceLines } from './pricing.ts';
import { type LockedProduct, lockProducts } from './stock.service.ts';

/** The card checkouts of a customer that hold stock. */
export async function listOpenHolds(db: Db, userId: string) {
  return db
    .selectFrom('orders')
    .select(['id', 'createdAt', 'idempotencyKey', 'payloadHash', 'providerSessionId', 'paymentUrl'])
    .where('userId', '=', userId)
    .where('orderState', '=', 'awaiting_payment')
    .orderBy('id')
    .execute();
}

/** Pieces that a customer's own card checkouts hold: by product id, and by `id/size` for a size. */
export async function heldPieces(db: Db, userId: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ productId: string; size: string | null; qty: number }>`
    select item.product_id, item.size, sum(item.qty)::int as qty
    from orders join order_items item on item.order_id = orders.id
    where orders.user_id = ${userId} and orders.order_state = 'awaiting_payment' group by item.product_id, item.size`.execute(db);
  const held = new Map<string, number>();
  for (const { productId, size, qty } of rows) {
    held.set(productId, (held.get(productId) ?? 0) + qty);
    if (size !== null) held.set(`${productId}/${size}`, qty);
  }
  return held;
}

/** A product with its held pieces added to the stock. */
export function withHeld<T extends Pick<LockedProduct, 'id' | 'countInStock' | 'sizes'>>(product: T, held: ReadonlyMap<string, number>): T {
  const sizes = product.sizes.map((size) => ({ ...size, quantity: size.quantity + (held.get(`${product.id}/${size.size}`) ?? 0) }));
  return { ...product, countInStock: product.countInStock + (held.get(product.id) ?? 0), sizes };
}

/** Whether releasing the customer's own holds would make these lines available. Throws 409 with the available number if it would not be enough. */
export async function areOwnHoldsInTheWay(db: Db, userId: string, lines: CartLine[]): Promise<boolean> {
  const held = await heldPieces(db, userId);
  if (held.size === 0) return false;
  const products = await db.transaction().execute((tx) => lockProducts(tx, [...new Set(lines.map(({ _id }) => _id).filter(isId))]));
  try {
    priceLines(lines, products);
    return false;
  } catch (error) {
    if (!isProblem(error)) throw error;
  }
  priceLines(lines, new Map([...products].map(([id, product]) => [id, withHeld(product, held)])));
  return true;
}

/** Queues the end of a customer's card checkouts, so that the same cart cannot be paid a second time. */
export async function endHoldsSoon(tx: Tx, userId: string): Promise<void> {
  for (const { id } of await listOpenHolds(tx, userId)) await endHoldSoon(tx, id);
}

/** Queues the end of a hold, replacing the job of its expiry. */
export async function endHoldSoon(db: Db, orderId: string): Promise<void> {
  await enqueue(db, orderJobs.expireHold, { orderId }, { key: `hold-${orderId}` });
}

/** How many of `total` pieces unpaid checkouts may hold: a percentage, rounded up so that the last piece can be bought. */
export const mostHeld = (total: number, share: number): number => Math.ceil((total * share) / 100);

/**
 * Throws 409 if unpaid checkouts hold more than their share of a product or a size. Called in the hold's transaction after its stock was taken, so the
 * locks on the products serialise it.
 */
export async function checkHeldShare(tx: Tx, { config }: Pick<Services, 'config'>, orderId: string): Promise<void> {
  const { rows } = await sql<{ name: string; left: number; held: number; heldByOrder: number }>`
    with lines as (select product_id, size from order_items where order_id = ${orderId}),
    held as (
      select item.product_id, item.size, item.qty, item.order_id = ${orderId} as is_by_order
      from order_items item join orders on orders.id = item.order_id
      where orders.order_state = 'awaiting_payment' and item.product_id in (select product_id from lines))
    select p.name, p.count_in_stock as left, sum(held.qty)::int as held, coalesce(sum(held.qty) filter (where held.is_by_order), 0)::int as held_by_order
    from products p join held on held.product_id = p.id group by p.id
    union all
    select p.name || ' (' || s.size || ')', s.quantity, sum(held.qty)::int, coalesce(sum(held.qty) filter (where held.is_by_order), 0)::int
    from products p join product_sizes s on s.product_id = p.id join held on held.product_id = p.id and held.size = s.size
    where exists (select from lines where lines.product_id = p.id and lines.size = s.size) group by p.id, s.size, s.quantity`.execute(tx);
  for (const { name, left, held, heldByOrder } of rows) {
    const most = mostHeld(left + held, config.holdShare);
    if (held <= most) continue;
    const heldByOthers = held - heldByOrder;
    // Others may hold more than the share by now: it shrinks when other pieces are sold.
    const available = Math.max(0, most - heldByOthers);
    throw new Problem(
      409,
      available > 0
        ? `Only ${available} of ${name} can be paid by card at the moment. Please choose fewer.`
        : `Other customers are paying for ${name} by card right now. Please try again in half an hour.`,
    );
  }
}
