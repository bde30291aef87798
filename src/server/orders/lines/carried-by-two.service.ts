import { sql } from 'kysely';
import { isCarriedByTwo } from '#contract/delivery/two-person-delivery.ts';
import type { Db } from '#server/platform/database/connect.ts';

/** The lines of an order, by position, that two people bring and collect. */
export async function listCarriedByTwo(db: Db, orderId: string): Promise<number[]> {
  const { rows } = await sql<Record<'width' | 'depth' | 'height', number | null> & { line: number; deliveryClass: string }>`
    select item.position as line, width, depth, height, delivery_class from order_items item
      join products on products.id = item.product_id
      left join product_sizes on product_sizes.product_id = item.product_id and product_sizes.size = item.size
      left join product_dimensions outside on outside.product_id = item.product_id and outside.position = coalesce(product_sizes.position, 0)
    where order_id = ${orderId}::uuid order by item.position`.execute(db);
  return rows.flatMap(({ line, deliveryClass, ...outer }) => (isCarriedByTwo(outer, deliveryClass) ? [line] : []));
}
