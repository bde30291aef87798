import type { Facets, FilterName } from '#contract/catalogue/catalogue.ts';
import { FILTERS, filtersOfKind, type FilterName as OfFilter, type ValueName } from '#contract/catalogue/filters.ts';
import type { LengthUnit } from '#contract/catalogue/lengths.ts';
import { FILTER_PARAMETERS, type ListParameter, unitOf } from '#contract/catalogue/list-parameters.ts';
import { capitalised, chosenOf, VALUE_FILTERS, type ValueFilter } from './filters.ts';
import { withParameters } from './list-url.ts';
import { poundsText } from './prices.ts';

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
function singlesOf(name: Exclude<OfFilter, ValueName>, unit: LengthUnit): [ListParameter, (value: string) => string][] {
  const filter = FILTERS[name];
  if (filter.kind === 'flag') return [[filter.parameter, () => filter.chip]];
  if (filter.kind === 'least') return [[filter.parameter, (value) => `Rated ${value} and up`]];
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

/** All filters in force, value by value. */
export function filtersInForce(search: URLSearchParams, facets: Facets | null): InForce[] {
  const values = VALUE_FILTERS.flatMap((filter) => valuesInForce(filter, search, facets));
  const others = filtersOfKind('flag', 'price', 'length', 'least').flatMap((filter) =>
    singlesOf(filter, unitOf(search)).flatMap(([parameter, say]): InForce[] => {
      const value = search.get(parameter);
      return value === null ? [] : [{ filter, text: say(value), value: say(value), changes: { [parameter]: '' } }];
    }),
  );
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
