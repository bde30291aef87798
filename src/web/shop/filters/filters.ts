import type { Facets } from '#contract/catalogue/catalogue.ts';
import type { ListParameter } from '#contract/catalogue/list-parameters.ts';
import { grouped } from '#contract/market/money.ts';
import { namesIn } from '#contract/platform/lists.ts';

/** The filters whose values are chosen from a list: their facet, parameter and label, and how a chip names a value. */
export const VALUE_FILTERS = [
  { facet: 'categories', parameter: 'query', label: 'Category', chip: '' },
  { facet: 'subCategories', parameter: 'subCategory', label: 'Subcategory', chip: '' },
  { facet: 'colours', parameter: 'colour', label: 'Colour', chip: 'Colour: ' },
  { facet: 'materials', parameter: 'material', label: 'Material', chip: 'Material: ' },
  { facet: 'fits', parameter: 'fit', label: 'Room or use', chip: '' },
  { facet: 'brands', parameter: 'brand', label: 'Brand', chip: 'Brand: ' },
] as const;
export type ValueFilter = (typeof VALUE_FILTERS)[number];

/** The filters by length. */
export const LENGTH_FILTERS = [
  { side: 'width', min: 'minWidth', max: 'maxWidth', label: 'Width' },
  { side: 'depth', min: 'minDepth', max: 'maxDepth', label: 'Depth' },
  { side: 'height', min: 'minHeight', max: 'maxHeight', label: 'Height' },
] as const;

/** The URL parameters that narrow a list. A category may stand in either of two. */
export const FILTER_PARAMETERS: readonly ListParameter[] = [
  'category',
  ...VALUE_FILTERS.map(({ parameter }) => parameter),
  ...(['inStock', 'minPrice', 'maxPrice', 'rating', 'new'] as const),
  ...LENGTH_FILTERS.flatMap(({ min, max }) => [min, max]),
];

/** Colour families are told in lower case, all other values as the catalogue spells them. */
export const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The values that an address chooses of a filter, spelled as the catalogue does where it knows them. */
export function chosenOf({ facet, parameter }: ValueFilter, search: URLSearchParams, facets: Facets | null): string[] {
  const text = search.get(parameter) ?? (parameter === 'query' ? search.get('category') : null);
  const known = new Map(facets?.[facet].map(({ value }) => [value.toLowerCase(), value]));
  return namesIn([text ?? '']).map((name) => known.get(name.toLowerCase()) ?? name);
}

/** `1 product`, `more than 1,000 products` */
export function countText({ total, isMore = false }: { total: number; isMore?: boolean }): string {
  return total === 1 ? '1 product' : `${isMore ? 'more than ' : ''}${grouped(total)} products`;
}
