import { type RawBuilder, sql } from 'kysely';

/** The shop's own number of a line's piece as it is today: the size's, else the product's. `line` is the name of `order_items` in the statement. */
export const skuOf = (line: string): RawBuilder<string> => sql<string>`coalesce(
  (select nullif(s.sku, '') from product_sizes s where s.product_id = ${sql.table(line)}.product_id and s.size = ${sql.table(line)}.size),
  (select p.sku from products p where p.id = ${sql.table(line)}.product_id), '')`;
