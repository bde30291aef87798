import { type SqlBool, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { LOCK_ORDER } from '#server/catalogue/lock-order.ts';
import { arrayOf, isOneOf } from '#server/platform/database/arrays.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { rowsOf } from '#server/platform/database/rows-of.ts';
import { ATTRIBUTES_VERSION, attributesOf } from './attributes.ts';

/** Products locked at a time, for a few milliseconds, so that orders of them hardly wait. */
const BATCH = 200;

/**
 * Derives and stores the attributes of products, in the transaction of every write to the fields that they depend on. The caller holds the products' locks
 * and records the change of the catalogue.
 */
export async function deriveAttributes(tx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const products = await tx
    .selectFrom('products')
    .select(['id', 'name', 'subCategory', 'description', 'fit', 'measurements', 'boxes', 'colors'])
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('productSizes')
          .select(['size', 'measurements'])
          .whereRef('productSizes.productId', '=', 'products.id')
          .orderBy('position'),
      ).as('sizes'),
    )
    .where(isOneOf(ids))
    .execute();
  const derived = products.map((product) => ({ id: product.id, ...attributesOf(product) }));
  await sql`
    update products
    set materials = derived.materials, colour_families = derived.families, seats = derived.seats, fit_key = derived.fit, label_words = derived.labels,
      least_width = derived.least_width, most_width = derived.most_width, least_height = derived.least_height, most_height = derived.most_height,
      attributes_version = ${ATTRIBUTES_VERSION}
    from jsonb_to_recordset(${JSON.stringify(
      derived.map(({ id, materials, colourFamilies: families, seats, fitKey: fit, labelWords: labels, ...lengths }) => ({
        id,
        materials,
        families,
        seats,
        fit,
        labels,
        least_width: lengths.leastWidth,
        most_width: lengths.mostWidth,
        least_height: lengths.leastHeight,
        most_height: lengths.mostHeight,
      })),
    )}::jsonb) as derived (id uuid, materials text[], families text[], seats text[], fit text, labels text,
      least_width smallint, most_width smallint, least_height smallint, most_height smallint)
    where products.id = derived.id and (products.materials, products.colour_families, products.seats, products.fit_key, products.label_words,
      products.least_width, products.most_width, products.least_height, products.most_height, products.attributes_version)
      is distinct from (derived.materials, derived.families, derived.seats, derived.fit, derived.labels,
      derived.least_width, derived.most_width, derived.least_height, derived.most_height, ${ATTRIBUTES_VERSION})`.execute(tx);
  const rows = rowsOf(
    'productDimensions',
    derived.flatMap(({ id, dimensions }) => dimensions.map((row) => ({ productId: id, ...row }))),
  );
  await sql`
    delete from product_dimensions d where product_id = any(${arrayOf(ids, 'uuid')}) and not exists (
      select from ${rows} as n where n.product_id = d.product_id and n.position = d.position and n is not distinct from d)`.execute(tx);
  await sql`insert into product_dimensions select * from ${rows} on conflict do nothing`.execute(tx);
}

/**
 * Derives the attributes of the next products with outdated ones. Readers do not wait, and an order of such a product waits for one batch at most. Returns
 * the number done, and whether more are left. Products out of the shop are derived when they come back into it.
 */
export async function deriveNext(db: Db): Promise<{ done: number; isMore: boolean }> {
  const outdated = sql<SqlBool>`attributes_version < ${ATTRIBUTES_VERSION} and deleted_at is null`;
  const found = await db
    .selectFrom('products')
    .select('id')
    .where(outdated)
    .orderBy('attributesVersion')
    .limit(BATCH + 1)
    .execute();
  const ids = found.slice(0, BATCH).map(({ id }) => id);
  if (ids.length > 0)
    await db.transaction().execute(async (tx) => {
      await sql`select id from products where ${isOneOf(ids)} order by ${LOCK_ORDER} for no key update`.execute(tx);
      await deriveAttributes(tx, ids);
    });
  return { done: ids.length, isMore: found.length > BATCH };
}
