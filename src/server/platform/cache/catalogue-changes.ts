import { sql } from 'kysely';
import type { Db } from '#server/platform/database/connect.ts';

/** What a transaction changed of what the catalogue shows. */
export interface CatalogueChange {
  /** The products whose stock moved; undefined when anything may be different. */
  products: string[] | undefined;
  /** Whether one of them sold out or came back, so that lists of what is in stock hold other products. */
  changesAvailability: boolean;
}

/** What is assumed when nothing is known. */
export const ANYTHING: CatalogueChange = { products: undefined, changesAvailability: true };

/**
 * Keys of cached lists that say what is in stock: those of the API say so in words, those of pages by their parameter. The shop's
 * pages all do, by the count beside their filter.
 */
const OF_STOCK = /in stock|inStock=|^page \/shop/;

/** Whether a cached value may be different after a change. `shown` are the products named in it; undefined where that is not known yet. */
export function isStale(key: string, shown: ReadonlySet<string> | undefined, { products, changesAvailability }: CatalogueChange): boolean {
  if (!products || !shown) return true;
  return (changesAvailability && OF_STOCK.test(key)) || products.some((id) => shown.has(id));
}

/** The key that every answer has: it goes with an edit, after which anything may be different. */
export const EVERYTHING = 'catalogue';
const STOCK = 'stock';

/** The surrogate keys of an answer, by which a cache in front finds it: those that `keysOf` a change names drop what `isStale` would. */
export const keysOfAnswer = (key: string, shown: Iterable<string>): string[] => [
  EVERYTHING,
  ...(OF_STOCK.test(key) ? [STOCK] : []),
  ...shown,
];

/** The surrogate key of a picture or model: its id, which is made from its content, as the ids of the database are written. */
export const keyOfPicture = (id: string): string => id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** The surrogate keys of all answers in which a change may show. */
export function keysOfChange({ products, changesAvailability }: CatalogueChange): string[] {
  return products ? [...(changesAvailability ? [STOCK] : []), ...products] : [EVERYTHING];
}

/** Records in its transaction that anything the catalogue shows may have changed, and notifies every process when that commits. */
export async function catalogueChanged(tx: Db): Promise<void> {
  await sql`with recorded as (insert into catalogue_changes (moves_lists) values (true)) select pg_notify('catalogue', '')`.execute(tx);
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
