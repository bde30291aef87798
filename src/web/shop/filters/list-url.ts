import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { ListProductsInput } from '#contract/catalogue/catalogue.ts';
import { LIST_PARAMETERS, type ListParameter, listParametersOf, unitOf } from '#contract/catalogue/list-parameters.ts';

/** What counts of the page's parameters (`listParametersOf`). Screens read the address through this and nothing else. */
export function useListParameters(): URLSearchParams {
  const [search] = useSearchParams();
  return useMemo(() => new URLSearchParams(listParametersOf(search)), [search]);
}

/**
 * The address of the same list with some parameters changed; an empty value removes one. Any change but that of the page goes back to page 1.
 * `search` is what `listParametersOf` gives.
 */
export function withParameters(search: URLSearchParams, changes: Partial<Record<ListParameter, string>>): string {
  const wanted = { ...Object.fromEntries(search), currPage: '', ...changes };
  const next = new URLSearchParams();
  for (const name of LIST_PARAMETERS) if (wanted[name]) next.set(name, wanted[name]);
  const text = next.toString();
  return text === '' ? '/shop' : `/shop?${text}`;
}

/** A list's parameters, as `listParametersOf` reads them, by the names that the API gives them (specification §7), which takes lengths in centimetres. */
export function listQueryOf(search: URLSearchParams): ListProductsInput {
  const of = (name: ListParameter) => search.get(name) ?? '';
  const length = (name: ListParameter) =>
    search.has(name) ? Number((Number(of(name)) * (unitOf(search) === 'in' ? 2.54 : 1)).toFixed(4)) : '';
  return {
    ...{ search: of('search'), pageNumber: of('currPage'), sortBy: of('sortBy'), inStockQuery: of('inStock') },
    ...{
      categoryQuery: of('query') || of('category'),
      brandQuery: of('brand'),
      minPriceQuery: of('minPrice'),
      maxPriceQuery: of('maxPrice'),
    },
    ...{ subCategoryQuery: of('subCategory'), colourQuery: of('colour'), materialQuery: of('material'), fitQuery: of('fit') },
    ...{ ratingQuery: of('rating'), newQuery: of('new') },
    ...{ minWidthQuery: length('minWidth'), maxWidthQuery: length('maxWidth') },
    ...{ minDepthQuery: length('minDepth'), maxDepthQuery: length('maxDepth') },
    ...{ minHeightQuery: length('minHeight'), maxHeightQuery: length('maxHeight') },
  };
}
