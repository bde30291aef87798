import { BoundedCache } from '#server/platform/bounded-cache.ts';
import { type CatalogueChange, type Dependency, dependenciesOf, isStale } from './catalogue-changes.ts';

const MAX_BYTES = 4 * 1024 * 1024;

interface Fact {
  fact: object;
  dependencies: ReturnType<typeof dependenciesOf>;
}

/** Caches facts about the catalogue, such as the values of its filters and what a search means in it, until what they depend on changes. */
export class FactsCache {
  readonly #facts = new BoundedCache<Fact>(MAX_BYTES, ({ fact }) => 2 * JSON.stringify(fact).length);

  async getOrMake<T extends object>(name: string, dependsOn: readonly Dependency[], make: () => Promise<T>): Promise<T> {
    const { fact } = await this.#facts.getOrMake(name, async () => ({ fact: await make(), dependencies: dependenciesOf(dependsOn) }));
    return fact as T;
  }

  invalidate(change: CatalogueChange): void {
    this.#facts.invalidate((_, fact) => fact === undefined || isStale(fact.dependencies, change));
  }
}
