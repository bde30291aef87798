import { BoundedCache } from '#server/platform/bounded-cache.ts';
import { type CatalogueChange, type Dependency, dependenciesOf, isStale } from './catalogue-changes.ts';

const MAX_BYTES = 4 * 1024 * 1024;

interface Fact {
  fact: object;
  dependsOn: readonly Dependency[];
}

const newFacts = () => ({
  kept: new BoundedCache<Fact>(MAX_BYTES, ({ fact }) => 2 * JSON.stringify(fact).length),
  /** What the facts that are being made depend on, by name. */
  making: new Map<string, readonly Dependency[]>(),
});

/** Caches facts about the catalogue, such as the values of its filters and what a search means in it, until what they depend on changes. */
export class FactsCache {
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

  async #getOrMake<T extends object>(
    { kept, making }: ReturnType<typeof newFacts>,
    name: string,
    dependsOn: readonly Dependency[],
    make: () => Promise<T>,
  ): Promise<T> {
    const { fact } = await kept.getOrMake(name, async () => {
      making.set(name, dependsOn);
      try {
        return { fact: await make(), dependsOn };
      } finally {
        making.delete(name);
      }
    });
    return fact as T;
  }

  invalidate(change: CatalogueChange): void {
    for (const { kept, making } of [this.#facts, this.#byInput])
      kept.invalidate((name, fact) => {
        const dependsOn = fact?.dependsOn ?? making.get(name);
        // Unknown if an earlier making of the same fact has ended since.
        return !dependsOn || isStale(dependenciesOf(dependsOn), change);
      });
  }
}
