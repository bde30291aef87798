import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Colour } from '#contract/catalogue/catalogue.ts';
import { readSetParts } from '#contract/catalogue/set-parts.ts';
import { Problem } from '#contract/platform/problem.ts';
import { isOneOf } from '#server/platform/database/arrays.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { isId } from '#server/platform/ids.ts';
import { isTouchedBy, LOCK_ORDER } from './lock-order.ts';

/** What a set needs to know of a part. */
export interface PartProduct {
  id: string;
  name: string;
  setParts: string;
  sizes: { size: string }[];
  colors: Colour[];
}

/** A product that may be a set. */
interface MaybeSet {
  /** Undefined for a new product. */
  id?: string | undefined;
  setParts: string;
  sizes: readonly unknown[];
  colors: readonly unknown[];
}

const idsIn = (text: string): string[] => (readSetParts(text) ?? []).map(({ _id }) => _id);

/** The products that the texts of sets name, without deleted ones. */
export async function readPartProducts(db: Db, texts: readonly string[]): Promise<Map<string, PartProduct>> {
  const ids = [...new Set(texts.flatMap(idsIn))].filter(isId);
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('products')
    .select(['id', 'name', 'setParts', 'colors'])
    .select((eb) => jsonArrayFrom(eb.selectFrom('productSizes').select('size').whereRef('productId', '=', 'products.id')).as('sizes'))
    .where(isOneOf(ids))
    .where('state', '<>', 'deleted')
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** The reason why a product cannot be the set that its text describes; undefined if it can, and for a product that is not a set. */
export function flawOfSet({ id, setParts, sizes, colors }: MaybeSet, products: ReadonlyMap<string, PartProduct>): string | undefined {
  if (!setParts) return undefined;
  if (sizes.length > 0) return 'A set has no sizes of its own. Remove them, and make a set for each size.';
  if (colors.length > 0) return 'A set has no colours of its own. Remove them, and make a set for each colour.';
  for (const { _id, size, colour } of readSetParts(setParts) ?? []) {
    const part = products.get(_id);
    if (_id === id) return 'A set cannot be a part of itself.';
    if (!part) return 'One of the parts is not a product, or was deleted. Remove it, or choose another.';
    if (part.setParts) return `${part.name} is a set itself. Choose its parts instead.`;
    if (size === null && part.sizes.length > 0) return `Choose a size of ${part.name}.`;
    if (size !== null && !part.sizes.some((one) => one.size === size)) return `${part.name} has no size ${size}.`;
    if (colour === null && part.colors.length > 0) return `Choose a colour of ${part.name}.`;
    if (colour !== null && !part.colors.some(({ hexCode }) => hexCode === colour)) return `${part.name} has no colour ${colour}.`;
  }
  return undefined;
}

/**
 * Locks the parts of a set before the set itself, as orders do, so that its stock is calculated from theirs. `before` is the stored product. Throws 400
 * for parts that cannot make a set. Unchanged parts are not checked again, unless the set has been given sizes or colours.
 */
export async function lockParts(tx: Tx, set: MaybeSet, before?: { setParts: string }): Promise<void> {
  if (!set.setParts) return;
  const ids = [...idsIn(set.setParts), ...(set.id ? [set.id] : [])];
  await tx.selectFrom('products').select('id').where(isTouchedBy(ids)).orderBy(LOCK_ORDER).forUpdate().execute();
  const isUnchanged = set.setParts === before?.setParts && set.sizes.length + set.colors.length === 0;
  const flaw = isUnchanged ? undefined : (flawOfSet(set, await readPartProducts(tx, [set.setParts])) ?? (await flawOfPart(tx, set.id)));
  if (flaw) throw new Problem(400, flaw, { setParts: flaw });
}

/** The reason why a product that is a part of a set cannot be a set itself; undefined for other products. */
async function flawOfPart(tx: Tx, id: string | undefined): Promise<string | undefined> {
  if (!id) return undefined;
  const { rows } = await sql<{ name: string }>`select name from products where id = any(sets_of(array[${id}::uuid])) limit 1`.execute(tx);
  return rows[0] && `This product is a part of ${rows[0].name}, so it cannot be a set.`;
}

/** The stock of a product that is no longer a set: the typed one, or 0 if it is still the one that was calculated from the parts. */
export const ownStock = (typed: number, shown: number): number => (typed === shown ? 0 : typed);
