import { BoundedCache } from '#server/platform/bounded-cache.ts';
import { type CatalogueChange, type Dependency, dependenciesOf, isStale } from './catalogue-changes.ts';

const MAX_BYTES = 4 * 1024 * 1024;

/** Caches facts about the catalogue, such as the values of its filters and what a search means in it, until what they depend on changes. */
export class FactsCache {
  /** A key begins with the fact's dependencies, which are needed while it is being made. */
  readonly #facts = new BoundedCache<{ fact: object }>(MAX_BYTES, ({ fact }) => 2 * JSON.stringify(fact).length);

  async getOrMake<T extends object>(name: string, dependsOn: readonly Dependency[], make: () => Promise<T>): Promise<T> {
    const { fact } = await this.#facts.getOrMake(`${dependsOn} ${name}`, async () => ({ fact: await make() }));
    return fact as T;
  }

  invalidate(change: CatalogueChange): void {
    this.#facts.invalidate((key) => {
      const [dependsOn = ''] = key.split(' ', 1);
      return isStale(dependenciesOf(dependsOn.split(',') as Dependency[]), change);
    });
  }
}
