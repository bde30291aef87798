import { BoundedCache } from '#server/platform/bounded-cache.ts';
import { type CatalogueChange, type Dependency, dependenciesOf, isStale } from './catalogue-changes.ts';

const MAX_BYTES = 4 * 1024 * 1024;

type Facts = BoundedCache<{ fact: object }>;
const newFacts = (): Facts => new BoundedCache(MAX_BYTES, ({ fact }) => 2 * JSON.stringify(fact).length);

/** Caches facts about the catalogue, such as the values of its filters and what a search means in it, until what they depend on changes. */
export class FactsCache {
  /** A key begins with the fact's dependencies, which are needed while it is being made. */
  readonly #facts = newFacts();
  /** Apart, since visitors choose these inputs: many of them would evict the few facts above. */
  readonly #byInput = newFacts();

  getOrMake<T extends object>(name: string, dependsOn: readonly Dependency[], make: () => Promise<T>): Promise<T> {
    return this.#getOrMake(this.#facts, name, dependsOn, make);
  }

  /** As `getOrMake`, for a fact about what a visitor asks for, such as a search. */
  getOrMakeByInput<T extends object>(input: string, dependsOn: readonly Dependency[], make: () => Promise<T>): Promise<T> {
    return this.#getOrMake(this.#byInput, input, dependsOn, make);
  }

  async #getOrMake<T extends object>(facts: Facts, name: string, dependsOn: readonly Dependency[], make: () => Promise<T>): Promise<T> {
    const { fact } = await facts.getOrMake(`${dependsOn} ${name}`, async () => ({ fact: await make() }));
    return fact as T;
  }

  invalidate(change: CatalogueChange): void {
    for (const facts of [this.#facts, this.#byInput])
      facts.invalidate((key) => {
        const [dependsOn = ''] = key.split(' ', 1);
        return isStale(dependenciesOf(dependsOn.split(',') as Dependency[]), change);
      });
  }
}
