import { sql } from 'kysely';
import type { Db } from '#server/platform/database/connect.ts';

/**
 * What a cached value depends on. `products`: a selection from all products, so that any edit may change it; `stock`: which products are
 * in stock; `named`: the products named in it, with their stock; `settings`: what the owner sets on `/admin/settings`.
 */
export type Dependency = 'products' | 'stock' | 'named' | 'settings';

/** The name on which every value depends. */
const EVERYTHING = 'catalogue';

/** The names and ids of a change: a value that depends on one of them is stale. They are the surrogate keys of a cache in front. */
export type CatalogueChange = readonly string[];
/** A change that makes every value stale. */
export const ANYTHING: CatalogueChange = [EVERYTHING];

/** A value's dependencies, with the ids of the products `named` in it. */
export const dependenciesOf = (dependsOn: readonly Dependency[], named: Iterable<string> = []): Set<string> =>
  new Set([EVERYTHING, ...dependsOn.filter((dependency) => dependency !== 'named'), ...named]);

export const isStale = (dependencies: ReadonlySet<string>, change: CatalogueChange): boolean =>
  change.some((name) => dependencies.has(name));

/** The surrogate key of a picture or model: its id in the form of a UUID. */
export const keyOfPicture = (id: string): string => id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/**
 * A row of `catalogue_changes`: `settings`, or `edited`, or `products`; or none of them, if anything may have changed. A trigger adds the sets that
 * have one of the products as a part.
 */
export interface RecordedChange {
  /** The products whose stock or details changed. Null for edits, so that versions without `edited` treat them as a change of everything. */
  products: string[] | null;
  /** The products that were edited: any list may choose others now. */
  edited: string[] | null;
  /** Whether one of `products`, or a size of one, sold out or came back; the column `moves_lists`. Not read in rows without `products`. */
  changesAvailability: boolean;
  /** Whether the shop's settings changed, and no product. */
  settings: boolean;
}

export function changeOf({ products, edited, changesAvailability, settings }: RecordedChange): CatalogueChange {
  if (settings) return ['settings'];
  if (edited) return ['products', ...edited];
  if (products) return changesAvailability ? ['stock', ...products] : products;
  return ANYTHING;
}

/** Records a change in the caller's transaction, and notifies every process when it commits. */
async function record(
  tx: Db,
  { products = null, edited = null, settings = false, changesAvailability = true }: Partial<RecordedChange>,
): Promise<void> {
  await sql`
    with recorded as (
      insert into catalogue_changes (products, edited, settings, moves_lists)
      values (${products}::uuid[], ${edited}::uuid[], ${settings}, ${changesAvailability}))
    select pg_notify('catalogue', '')`.execute(tx);
}

/** Records that the whole catalogue may have changed. */
export const catalogueChanged = (tx: Db): Promise<void> => record(tx, {});

/** Records that these products were created, edited, deleted or reviewed. */
export const productsChanged = (tx: Db, ids: string[]): Promise<void> => record(tx, { edited: ids });

/** Records a change of the shop's settings. */
export const settingsChanged = (tx: Db): Promise<void> => record(tx, { settings: true });

/** Records a change that shows only where one of these ids is named: no list has other products or another order. */
export const detailsChanged = (tx: Db, ids: string[]): Promise<void> => record(tx, { products: ids, changesAvailability: false });

/** Purges pictures that are deleted or no longer public from a cache in front. */
export async function picturesWithdrawn(tx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await detailsChanged(tx, ids.map(keyOfPicture));
}

/**
 * Records moves of stock, as the end of the statement that makes them. Its CTE `moved` has the products' `id` and `crossed` (whether the stock reached
 * or left 0). `having`: without moves, the aggregates would still be one row, of nulls.
 */
export const recordMovedStock = sql`
  , recorded as (insert into catalogue_changes (products, moves_lists) select array_agg(id), bool_or(crossed) from moved having count(*) > 0)
  select pg_notify('catalogue', '')`;

/** A process that has not read changes for this long treats everything as changed. */
export const RETENTION_MINUTES = 60;

/** Deletes changes that no process will read (a daily job). Twice as old, since a process reads back to the oldest transaction that was running. */
export async function removeOldChanges(db: Db): Promise<void> {
  await sql`delete from catalogue_changes where at < now() - make_interval(mins => ${2 * RETENTION_MINUTES})`.execute(db);
}
