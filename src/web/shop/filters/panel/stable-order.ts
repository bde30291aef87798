import type { Facets } from '#contract/catalogue/catalogue.ts';

interface Counted {
  value: string;
  count: number;
}

/** New counts in the old order. Missing values stay with 0, new ones come last. */
function inOrder(before: readonly Counted[], now: readonly Counted[]): Counted[] {
  const kept = before.map(({ value }) => now.find((one) => one.value === value) ?? { value, count: 0 });
  return [...kept, ...now.filter(({ value, count }) => count > 0 && !before.some((one) => one.value === value))];
}

/** New counts of all filters in the old order. */
export function inOrderOf(before: Facets, now: Facets): Facets {
  const ordered = Object.entries(now).map(([name, values]) => {
    const earlier = before[name as keyof Facets];
    return [name, Array.isArray(values) && Array.isArray(earlier) ? inOrder(earlier, values as Counted[]) : values];
  });
  return Object.fromEntries(ordered) as Facets;
}

/** The values that leave any products. An estimate of 0 may mean a few. */
export function withoutEmpty(facets: Facets): Facets {
  if (facets.isEstimate) return facets;
  const nonEmpty = Object.entries(facets).map(([name, values]) => [
    name,
    Array.isArray(values) ? (values as Counted[]).filter(({ count }) => count > 0) : values,
  ]);
  return Object.fromEntries(nonEmpty) as Facets;
}
