import type { Facets, FilterName as FilterOrSearch } from '#contract/catalogue/catalogue.ts';
import { FILTERS, type FilterName, filtersOfKind, type ValueName } from '#contract/catalogue/filters.ts';
import type { LengthUnit } from '#contract/catalogue/lengths.ts';
import { FILTER_PARAMETERS, type ListParameter, unitOf } from '#contract/catalogue/list-parameters.ts';
import { capitalised, chosenOf, VALUE_FILTERS, type ValueFilter } from './filters.ts';
import { withParameters } from './list-url.ts';
import { poundsText } from './prices.ts';

export interface AppliedFilter {
  filter: FilterOrSearch;
  /** The chip's text. */
  text: string;
  /** The text without the chip's prefix. */
  value: string;
  /** The changes that remove it. */
  changes: Partial<Record<ListParameter, string>>;
}

function appliedValues(filter: ValueFilter, search: URLSearchParams, facets: Facets | null): AppliedFilter[] {
  const { facet, parameter, chip } = filter;
  // A category may be in either parameter.
  const usedParameter = parameter === 'query' && !search.has('query') ? 'category' : parameter;
  const chosen = chosenOf(filter, search, facets);
  return chosen.map((value) => ({
    filter: facet,
    text: chip + capitalised(value),
    value: capitalised(value),
    changes: { [usedParameter]: chosen.filter((other) => other !== value).join('_') },
  }));
}

/** The parameters of a filter that have one value each, with the texts of their chips. */
function singlesOf(name: Exclude<FilterName, ValueName>, unit: LengthUnit): [ListParameter, (value: string) => string][] {
  const filter = FILTERS[name];
  if (filter.kind === 'flag') return [[filter.parameter, () => filter.chip]];
  if (filter.kind === 'least') return [[filter.parameter, (value) => `Rated ${value} and up`]];
  if (filter.kind === 'most') return [[filter.parameter, (value) => `${filter.chip}${value} ${unit}`]];
  const [min, max] = filter.parameters;
  if (filter.kind === 'price')
    return [
      [min, (value) => `From ${poundsText(value)}`],
      [max, (value) => `Up to ${poundsText(value)}`],
    ];
  return [
    [min, (value) => `${filter.label} from ${value} ${unit}`],
    [max, (value) => `${filter.label} up to ${value} ${unit}`],
  ];
}

/** The applied filters, value by value. */
export function appliedFilters(search: URLSearchParams, facets: Facets | null): AppliedFilter[] {
  const values = VALUE_FILTERS.flatMap((filter) => appliedValues(filter, search, facets));
  const others = filtersOfKind('flag', 'price', 'length', 'most', 'least').flatMap((filter) =>
    singlesOf(filter, unitOf(search)).flatMap(([parameter, textOf]): AppliedFilter[] => {
      const value = search.get(parameter);
      return value === null ? [] : [{ filter, text: textOf(value), value: textOf(value), changes: { [parameter]: '' } }];
    }),
  );
  return [...values, ...others];
}

/** A link to the list with other filters. */
export interface ListLink {
  text: string;
  href: string;
}

/** The most chips: each has a link with all other filters. */
const MOST_CHIPS = 24;

/** The chips of the applied filters, with the URLs that remove them. */
export function chipsOf(search: URLSearchParams, facets: Facets | null): ListLink[] {
  return appliedFilters(search, facets)
    .slice(0, MOST_CHIPS)
    .map(({ text, changes }) => ({ text, href: withParameters(search, changes) }));
}

const NO_FILTERS = Object.fromEntries([...FILTER_PARAMETERS, 'typed' as const].map((name) => [name, '']));

/** The list's URL without any filter; the search stays, less the words that became filters. */
export const withoutFilters = (search: URLSearchParams): string => withParameters(search, NO_FILTERS);
