import { type SqlBool, sql } from 'kysely';
import type { Config } from '#server/platform/settings/config.ts';

/** The most pieces that count as low: the product's own level, or else the shop's. */
export const lowLevel = ({ staff }: Pick<Config, 'staff'>) => sql<number>`coalesce(products.low_stock, ${sql.lit(staff.lowStock)})`;

/** Whether a product's count is low. In two parts, each of which has an index. */
export const isCountLow = ({ staff }: Pick<Config, 'staff'>) =>
  sql<SqlBool>`(products.low_stock is null and products.count_in_stock <= ${sql.lit(staff.lowStock)}
    or products.low_stock is not null and products.count_in_stock <= products.low_stock)`;
