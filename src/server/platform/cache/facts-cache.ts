import { BoundedCache } from '#server/platform/bounded-cache.ts';
import { type CatalogueChange, type Dependency, dependenciesOf, isStale } from './catalogue-changes.ts';

const MAX_BYTES = 4 * 1024 * 1024;

const newFacts = () => new BoundedCache<object>(MAX_BYTES, (fact) => 2 * JSON.stringify(fact).length);

/** A key begins with what its fact depends on: a change must also find facts that are still being made. */
const END = '|';
const keyOf = (name: string, dependsOn: readonly Dependency[]) => dependsOn.join(' ') + END + name;
const dependsOnOf = (key: string) => key.slice(0, key.indexOf(END)).split(' ') as Dependency[];

/** Caches facts about the catalogue, such as the values of its filters and what a search means in it, until what they depend on changes. */
export class FactsCache {
  readonly #facts = newFacts();
  /** Apart, since visitors choose these inputs: many of them would evict the few facts above. */
  readonly #byInput = newFacts();

  getOrMake<T extends object>(name: string, dependsOn: readonly Dependency[], make: () => Promise<T>): Promise<T> {
    return this.#facts.getOrMake(keyOf(name, dependsOn), make) as Promise<T>;
  }

  /** As `getOrMake`, for a fact about what a visitor asks for, such as a search. */
  getOrMakeByInput<T extends object>(input: string, dependsOn: readonly Dependency[], make: () => Promise<T>): Promise<T> {
    return this.#byInput.getOrMake(keyOf(input, dependsOn), make) as Promise<T>;
  }

  invalidate(change: CatalogueChange): void {
    for (const facts of [this.#facts, this.#byInput]) facts.invalidate((key) => isStale(dependenciesOf(dependsOnOf(key)), change));
  }
}
