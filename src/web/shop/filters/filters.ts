import type { Facets } from '#contract/catalogue/catalogue.ts';
import { FILTERS, filtersOfKind } from '#contract/catalogue/filters.ts';
import { grouped } from '#contract/market/money.ts';
import { namesIn } from '#contract/platform/lists.ts';

/** Filters by value, with their facets. */
export const VALUE_FILTERS = filtersOfKind('values').map((facet) => ({ facet, isOpen: false, ...FILTERS[facet] }));
export type ValueFilter = (typeof VALUE_FILTERS)[number];

export const LENGTH_FILTERS = filtersOfKind('length').map((side) => {
  const { parameters, label } = FILTERS[side];
  return { side, min: parameters[0], max: parameters[1], label };
});

/** Colour families are lower case. */
export const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A filter's chosen values, in the catalogue's spelling if known. */
export function chosenOf({ facet, parameter }: ValueFilter, search: URLSearchParams, facets: Facets | null): string[] {
  const text = search.get(parameter) ?? (parameter === 'query' ? search.get('category') : null);
  const spellings = new Map(facets?.[facet].map(({ value }) => [value.toLowerCase(), value]));
  return namesIn([text ?? '']).map((name) => spellings.get(name.toLowerCase()) ?? name);
}

/** `1 product`, `more than 1,000 products` */
export function countText({ total, isMore = false }: { total: number; isMore?: boolean }): string {
  return total === 1 ? '1 product' : `${isMore ? 'more than ' : ''}${grouped(total)} products`;
}
