import { BoundedCache } from '#server/platform/bounded-cache.ts';
import { type CatalogueChange, dependenciesOf, isStale } from './catalogue-changes.ts';

const MAX_BYTES = 4 * 1024 * 1024;
const DEPENDENCIES = dependenciesOf(['products']);

/** Caches facts about the whole catalogue, such as the values of its filters, until a product is edited; moves of stock do not affect them. */
export class FactsCache {
  readonly #facts = new BoundedCache<{ fact: object }>(MAX_BYTES, ({ fact }) => 2 * JSON.stringify(fact).length);

  async getOrMake<T extends object>(name: string, make: () => Promise<T>): Promise<T> {
    const { fact } = await this.#facts.getOrMake(name, async () => ({ fact: await make() }));
    return fact as T;
  }

  invalidate(change: CatalogueChange): void {
    if (isStale(DEPENDENCIES, change)) this.#facts.invalidate(() => true);
  }
}
