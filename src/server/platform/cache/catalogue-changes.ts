import { sql } from 'kysely';
import type { Db } from '#server/platform/database/connect.ts';

/**
 * What a cached value shows of the catalogue. `products`: chosen among all products, so that an edit of any of them may show; `stock`: which of
 * them are in stock; `named`: the products that are named in it, their stock included.
 */
export type Dependency = 'products' | 'stock' | 'named';

/** What a change names, and every value depends on, where anything may be different. */
const EVERYTHING = 'catalogue';

/** The words and ids that a change names: a value is stale that depends on one of them. A cache in front knows them as surrogate keys. */
export type CatalogueChange = readonly string[];
export const ANYTHING: CatalogueChange = [EVERYTHING];

/** A value's dependencies, with the ids of the products `named` in it. */
export const dependenciesOf = (dependsOn: readonly Dependency[], named: Iterable<string> = []): Set<string> =>
  new Set([EVERYTHING, ...dependsOn.filter((dependency) => dependency !== 'named'), ...named]);

export const isStale = (dependencies: ReadonlySet<string>, change: CatalogueChange): boolean =>
  change.some((name) => dependencies.has(name));

/** The surrogate key of a picture or model: its id, which is made from its content, as the ids of the database are written. */
export const keyOfPicture = (id: string): string => id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** A row of `catalogue_changes`. */
export interface RecordedChange {
  /** The products whose stock or details changed; null where more did. */
  products: string[] | null;
  /** The products that were edited; null in a row of anything else. */
  edited: string[] | null;
  /** Whether one of `products` sold out or came back. */
  changesAvailability: boolean;
}

export function changeOf({ products, edited, changesAvailability }: RecordedChange): CatalogueChange {
  if (edited) return ['products', ...edited];
  if (products) return changesAvailability ? ['stock', ...products] : products;
  return ANYTHING;
}

/** Records in its transaction that anything the catalogue shows may have changed, and notifies every process when that commits. */
export async function catalogueChanged(tx: Db): Promise<void> {
  await sql`with recorded as (insert into catalogue_changes (moves_lists) values (true)) select pg_notify('catalogue', '')`.execute(tx);
}

/** The same where these products were created, edited, deleted or reviewed. */
export async function productsChanged(tx: Db, ids: string[]): Promise<void> {
  await sql`with recorded as (insert into catalogue_changes (edited, moves_lists) values (${ids}::uuid[], true)) select pg_notify('catalogue', '')`.execute(
    tx,
  );
}

/** The same where only answers can have changed that name one of these ids, and no list holds other products or in another order. */
export async function detailsChanged(tx: Db, ids: string[]): Promise<void> {
  await sql`with recorded as (insert into catalogue_changes (products, moves_lists) values (${ids}::uuid[], false)) select pg_notify('catalogue', '')`.execute(
    tx,
  );
}

/** Has these pictures dropped by a cache in front: they are gone, or no longer for everybody. */
export async function picturesWithdrawn(tx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await detailsChanged(tx, ids.map(keyOfPicture));
}

/**
 * The same for moves of stock, as the end of the statement that makes them: its common table `moved` has the products' `id`, and `crossed`
 * (whether the stock came to 0 or from it).
 */
export const recordMovedStock = sql`
  , recorded as (insert into catalogue_changes (products, moves_lists) select array_agg(id), bool_or(crossed) from moved having count(*) > 0)
  select pg_notify('catalogue', '')`;

/** A process that has not read the changes for so long takes everything as changed. */
export const RETENTION_MINUTES = 60;

/** Deletes changes that every process has read (a daily job). */
export async function removeOldChanges(db: Db): Promise<void> {
  await sql`delete from catalogue_changes where at < now() - make_interval(mins => ${2 * RETENTION_MINUTES})`.execute(db);
}
