import { BoundedCache } from '#server/base/bounded-cache.ts';
import type { CatalogueChange } from './catalogue-changes.ts';

/** What a list is besides the rows of its pages: how many products it has, and where to find those of a page. */
export interface ListIndex {
  total: number;
  /** Keys of products in the list's order, 16 bytes each: all of them, or every STEPth. */
  keys: Buffer;
}

const MAX_BYTES = 32 * 1024 * 1024;
/** What an index holds besides its keys. */
const LIST_INDEX_BYTES = 400;
const NONE = Buffer.alloc(0);

/** A copy in memory of its own: a short key list that was cut from a larger buffer would keep all of that alive. */
function exact(keys: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(keys.length);
  keys.copy(copy);
  return copy;
}

/**
 * Indexes of lists, in bounded memory, until the catalogue changes: what costs as much as a list is long is found out once, not for each of
 * its pages. A list's name says `in stock` when it holds only that, so that stock that runs out or comes back is known to change it.
 */
export class ListIndexCache {
  readonly #indexes = new BoundedCache<ListIndex>(MAX_BYTES, ({ keys }) => keys.length + LIST_INDEX_BYTES);

  read(name: string, make: () => Promise<ListIndex>): Promise<ListIndex> {
    return this.#indexes.read(name, async () => {
      const { total, keys } = await make();
      return { total, keys: keys.length === 0 ? NONE : exact(keys) };
    });
  }

  forget({ products, movesLists }: CatalogueChange): void {
    if (products && !movesLists) return;
    this.#indexes.forget((name) => !products || name.includes('in stock'));
  }
}
