import { BoundedCache } from '#server/platform/bounded-cache.ts';
import { type CatalogueChange, dependenciesOf, isStale } from './catalogue-changes.ts';

const MAX_BYTES = 4 * 1024 * 1024;
const DEPENDENCIES = dependenciesOf(['products']);

/** Small facts about the catalogue as a whole, such as which values its filters have, until it is edited; moves of stock do not change them. */
export class FactsCache {
  readonly #facts = new BoundedCache<{ fact: object }>(MAX_BYTES, ({ fact }) => 2 * JSON.stringify(fact).length);

  /** The fact of a name; `make` makes it where it is not there. */
  async getOrMake<T extends object>(name: string, make: () => Promise<T>): Promise<T> {
    const { fact } = await this.#facts.getOrMake(name, async () => ({ fact: await make() }));
    return fact as T;
  }

  invalidate(change: CatalogueChange): void {
    if (isStale(DEPENDENCIES, change)) this.#facts.invalidate(() => true);
  }
}
