import { sql } from 'kysely';
import type { Load } from '#contract/delivery/delivery-classes.ts';
import type { DeliverySettings } from '#contract/delivery/delivery-settings.ts';
import { loadOf, methodsTaking, type Piece } from '#contract/delivery/load.ts';
import { isMadeOf } from '#server/catalogue/lock-order.ts';
import type { Db } from '#server/platform/database/connect.ts';

/** How products travel together, sets as their parts; null without any. */
async function readLoad(db: Db, ids: readonly string[]): Promise<Load | null> {
  if (ids.length === 0) return null;
  const { rows } = await sql<Piece>`
    select delivery_class, width, depth, height from products
      left join product_dimensions outside on outside.product_id = products.id
    where ${isMadeOf([...ids])}`.execute(db);
  return rows.length > 0 ? loadOf(rows) : null;
}

/**
 * The delivery settings with only the methods that take all of some products, and how these travel together. Unchanged without products, or if every
 * method takes all pieces.
 */
export async function deliveryOfPieces<S extends Pick<DeliverySettings, 'methods'>>(
  db: Db,
  delivery: S,
  ids: readonly string[],
): Promise<{ delivery: S; load: Load | null }> {
  const load = delivery.methods.some(({ upTo }) => upTo) ? await readLoad(db, ids) : null;
  return { delivery: load ? { ...delivery, methods: methodsTaking(delivery.methods, load) } : delivery, load };
}
