import { type SqlBool, sql } from 'kysely';
import type { Config } from '#server/platform/settings/config.ts';

/** The most pieces that count as low: the product's own level, or else the shop's. */
export const lowLevel = ({ staff }: Pick<Config, 'staff'>) => sql<number>`coalesce(products.low_stock, ${sql.lit(staff.lowStock)})`;

/** The generated column `scarcity` is the count, but at most 6. */
const MOST_SCARCE = 5;

/** Whether a product's count is low. In two parts, each of which has an index, but for a shop whose level is above `MOST_SCARCE`: that reads all products. */
export const isCountLow = ({ staff: { lowStock } }: Pick<Config, 'staff'>) =>
  sql<SqlBool>`(products.low_stock is null and ${sql.ref(lowStock > MOST_SCARCE ? 'products.count_in_stock' : 'products.scarcity')} <= ${sql.lit(lowStock)}
    or products.low_stock is not null and products.count_in_stock <= products.low_stock)`;
