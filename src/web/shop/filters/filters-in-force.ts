import { namesIn } from '#contract/base/lists.ts';
import type { Facets, FilterName } from '#contract/catalogue.ts';
import { type ListParameter, unitOf } from '#contract/list-parameters.ts';
import { withParameters } from './list-url.ts';
import { poundsText } from './prices.ts';

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

/** A filter that is in force. */
export interface InForce {
  filter: FilterName;
  /** As its chip says it. */
  text: string;
  /** Its value alone. */
  value: string;
  /** What takes it off. */
  changes: Partial<Record<ListParameter, string>>;
}

function valuesInForce(filter: ValueFilter, search: URLSearchParams, facets: Facets | null): InForce[] {
  const { facet, parameter, chip } = filter;
  const own = parameter === 'query' && !search.has('query') ? 'category' : parameter;
  const chosen = chosenOf(filter, search, facets);
  return chosen.map((value) => ({
    filter: facet,
    text: chip + capitalised(value),
    value: capitalised(value),
    changes: { [own]: chosen.filter((other) => other !== value).join('_') },
  }));
}

/** How one parameter by itself says what it asks for, under the filter that it belongs to. */
function singles(search: URLSearchParams): [FilterName, ListParameter, (value: string) => string][] {
  const unit = unitOf(search);
  return [
    ['isInStock', 'inStock', () => 'In stock only'],
    ['price', 'minPrice', (value) => `From ${poundsText(value)}`],
    ['price', 'maxPrice', (value) => `Up to ${poundsText(value)}`],
    ...LENGTH_FILTERS.flatMap(
      ({ side, min, max, label }): ReturnType<typeof singles> => [
        [side, min, (value) => `${label} from ${value} ${unit}`],
        [side, max, (value) => `${label} up to ${value} ${unit}`],
      ],
    ),
    ['rating', 'rating', (value) => `Rated ${value} and up`],
    ['isNew', 'new', () => 'New!'],
  ];
}

/** All filters in force, value by value. */
export function filtersInForce(search: URLSearchParams, facets: Facets | null): InForce[] {
  const values = VALUE_FILTERS.flatMap((filter) => valuesInForce(filter, search, facets));
  const others = singles(search).flatMap(([filter, parameter, say]): InForce[] => {
    const value = search.get(parameter);
    return value === null ? [] : [{ filter, text: say(value), value: say(value), changes: { [parameter]: '' } }];
  });
  return [...values, ...others];
}

/** Something in words, and the address that it leads to. */
export interface Step {
  text: string;
  href: string;
}

/** The filters in force, value by value, each with the address of the list without it. */
export function appliedFilters(search: URLSearchParams, facets: Facets | null): Step[] {
  return filtersInForce(search, facets).map(({ text, changes }) => ({ text, href: withParameters(search, changes) }));
}

const NO_FILTERS = Object.fromEntries(FILTER_PARAMETERS.map((name) => [name, '']));

/** The list's address with every filter taken off; the search stays, as `plain` where that is given. */
export function withoutFilters(search: URLSearchParams, plain?: string): string {
  return withParameters(search, { ...NO_FILTERS, ...(plain !== undefined && { search: plain }) });
}

/** `1 product`, `about 12,400 products` */
export function countText({ total, isEstimate = false }: { total: number; isEstimate?: boolean }): string {
  return total === 1 ? '1 product' : `${isEstimate ? 'about ' : ''}${total.toLocaleString('en-GB')} products`;
}
