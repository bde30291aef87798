import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';

/** What a transaction changed of what the catalogue shows. */
export interface CatalogueChange {
  /** The products whose stock moved; undefined when anything may be different. */
  products: string[] | undefined;
  /** Whether something was sold out, or is there again: lists of what is in stock may hold other products. */
  movesLists: boolean;
}

/** When nothing is known, everything may have changed. */
export const EVERYTHING: CatalogueChange = { products: undefined, movesLists: true };

/** Tells every process that anything the catalogue shows may have changed; takes effect with the transaction. */
export async function catalogueChanged(tx: Db): Promise<void> {
  await sql`with told as (insert into catalogue_changes (moves_lists) values (true)) select pg_notify('catalogue', '')`.execute(tx);
}

/**
 * The same for moves of stock, as the end of the statement that makes them: `moved` is its common table of the products' `id` and `crossed`
 * (whether the stock came to 0 or from it).
 */
export const tellOfMoved = sql`
  , told as (insert into catalogue_changes (products, moves_lists) select array_agg(id), bool_or(crossed) from moved having count(*) > 0)
  select pg_notify('catalogue', '')`;

/** How long the changes are kept: whoever asks less often than this is told that everything has changed. */
export const KEPT_MINUTES = 60;

/** Clears away changes that every process has heard of (a daily job). */
export async function removeOldChanges(db: Db): Promise<void> {
  await sql`delete from catalogue_changes where at < now() - make_interval(mins => ${2 * KEPT_MINUTES})`.execute(db);
}
