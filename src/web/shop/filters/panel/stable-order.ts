import type { Facets } from '#contract/catalogue/catalogue.ts';

interface Counted {
  value: string;
  count: number;
}

/** Values with their new counts, in the order in which they stood before. One that is gone stays, with none left; new ones come last. */
function inOrder(before: readonly Counted[], now: readonly Counted[]): Counted[] {
  const kept = before.map(({ value }) => now.find((one) => one.value === value) ?? { value, count: 0 });
  return [...kept, ...now.filter(({ value }) => !before.some((one) => one.value === value))];
}

/** The counts of a list, each filter's values in the order of an earlier one. */
export function inOrderOf(before: Facets, now: Facets): Facets {
  const ordered = Object.entries(now).map(([name, values]) => {
    const earlier = before[name as keyof Facets];
    return [name, Array.isArray(values) && Array.isArray(earlier) ? inOrder(earlier, values as Counted[]) : values];
  });
  return Object.fromEntries(ordered) as Facets;
}
