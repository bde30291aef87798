import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { ListProductsInput, ProductList } from '#contract/catalogue/catalogue.ts';
import { FILTER_NAMES, LENGTH_BOUNDS, namesOf } from '#contract/catalogue/filters.ts';
import type { Bound } from '#contract/catalogue/length-bounds.ts';
import { FILTER_PARAMETERS, LIST_PARAMETERS, type ListParameter, listParametersOf, unitOf } from '#contract/catalogue/list-parameters.ts';
import { typedText } from '#contract/catalogue/searched.ts';
import { namesIn } from '#contract/platform/lists.ts';

/** The page's parameters (`listParametersOf`): the only way in which screens read the URL. */
export function useListParameters(): URLSearchParams {
  const [search] = useSearchParams();
  return useMemo(() => new URLSearchParams(listParametersOf(search)), [search]);
}

/** The values that a parameter joins, in lower case. */
const valuesOf = (text: string | null | undefined) => namesIn([text?.toLowerCase() ?? '']);

/** Whether changes remove or replace a filter's value or the sort. */
const removesAny = (search: URLSearchParams, changes: Partial<Record<ListParameter, string>>) =>
  [...FILTER_PARAMETERS, 'sortBy' as const].some((name) => {
    if (!(name in changes)) return false;
    const left = new Set(valuesOf(changes[name]));
    return valuesOf(search.get(name)).some((value) => !left.has(value));
  });

/** The list's URL with changed parameters; an empty value removes one. Changes other than `currPage` return to page 1. */
export function withParameters(search: URLSearchParams, changes: Partial<Record<ListParameter, string>>): string {
  // The search as it was typed is left out once its words may ask for a filter that was removed.
  const withoutTyped = removesAny(search, changes) && { typed: '' };
  const wanted = { ...Object.fromEntries(search), currPage: '', ...withoutTyped, ...changes };
  const next = new URLSearchParams();
  for (const name of LIST_PARAMETERS) if (wanted[name]) next.set(name, wanted[name]);
  const text = next.toString();
  return text === '' ? '/shop' : `/shop?${text}`;
}

/** Centimetres in inches, rounded outwards: the bound admits the same whole millimetres. `convertBound`, which the filter panel loads, is too large here. */
function inchesText(centimetres: string, bound: Bound): string {
  const round = bound === 'max' ? Math.ceil : Math.floor;
  return String(round(Number((Number(centimetres) / 0.0254).toFixed(4))) / 100);
}

/** A list's parameters, with the words of its search that ask for filters replaced by those filters. The filter panel shows and changes them. */
export function withFiltersFromSearch(
  search: URLSearchParams,
  { asks, plainSearch }: Pick<ProductList, 'asks' | 'plainSearch'>,
): URLSearchParams {
  if (Object.keys(asks).length === 0) return search;
  const typed = typedText(search) ?? '';
  const explicit = new URLSearchParams({ ...Object.fromEntries(search), search: plainSearch, typed });
  if (plainSearch === '') explicit.delete('search');
  if (asks.sortBy) explicit.set('sortBy', asks.sortBy);
  for (const filter of FILTER_NAMES)
    for (const { parameter, query: apiName } of namesOf(filter)) {
      const value = asks[apiName];
      const bound = LENGTH_BOUNDS.get(parameter);
      if (value !== undefined) explicit.set(parameter, bound && unitOf(search) === 'in' ? inchesText(value, bound) : value);
    }
  return explicit;
}

/** The API's query (specification §7) for a list's parameters from `listParametersOf`. The API takes lengths in centimetres. */
export function listQueryOf(search: URLSearchParams): ListProductsInput {
  const of = (name: ListParameter) => search.get(name) ?? '';
  const length = (name: ListParameter) =>
    search.has(name) ? Number((Number(of(name)) * (unitOf(search) === 'in' ? 2.54 : 1)).toFixed(4)) : '';
  const filters = FILTER_NAMES.flatMap((filter) =>
    namesOf(filter).map(({ parameter, query: apiName }) => [apiName, LENGTH_BOUNDS.has(parameter) ? length(parameter) : of(parameter)]),
  );
  return {
    ...(Object.fromEntries(filters) as ListProductsInput),
    search: of('search'),
    pageNumber: of('currPage'),
    sortBy: of('sortBy'),
    // The URL's `query` is a category, too: that of the specification's links (§2).
    categoryQuery: of('query') || of('category'),
  };
}
