import { BoundedCache } from '#server/platform/bounded-cache.ts';
import { type CatalogueChange, isStale } from './catalogue-changes.ts';

/** What is known of a list besides its rows: how many there are, and where those of a page are found. */
export interface ListIndex {
  total: number;
  /** Ids of products in the list's sort, 16 bytes each: all of them, or one of every thousand as cursors. */
  keys: Buffer;
}

const MAX_BYTES = 32 * 1024 * 1024;
/** What an index holds besides its keys. */
const LIST_INDEX_BYTES = 400;
const NO_KEYS = Buffer.alloc(0);
/** Products are not named in an index: moves of their stock do not show in it. */
const NO_PRODUCTS: ReadonlySet<string> = new Set();

/** A copy with memory of its own: a short slice of a larger buffer would keep all of that alive. */
function copyOf(keys: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(keys.length);
  keys.copy(copy);
  return copy;
}

/**
 * Indexes of the shop's lists, in bounded memory, until the catalogue changes: what takes as long as a list is long is done once, not for each
 * of its pages. The name of a list of what is in stock says `in stock` (`isStale`).
 */
export class ListIndexCache {
  readonly #indexes = new BoundedCache<ListIndex>(MAX_BYTES, ({ keys }) => keys.length + LIST_INDEX_BYTES);

  get(name: string): ListIndex | undefined {
    return this.#indexes.get(name);
  }

  getOrMake(name: string, make: () => Promise<ListIndex>): Promise<ListIndex> {
    return this.#indexes.getOrMake(name, async () => {
      const { total, keys } = await make();
      return { total, keys: keys.length === 0 ? NO_KEYS : copyOf(keys) };
    });
  }

  invalidate(change: CatalogueChange): void {
    this.#indexes.invalidate((name) => isStale(name, NO_PRODUCTS, change));
  }
}
