import type { Facets, ProductList } from '#contract/catalogue/catalogue.ts';
import { type AppliedFilter, appliedFilters, type ListLink } from './applied-filters.ts';
import { countText } from './filters.ts';
import { withParameters } from './list-url.ts';

/** For an empty list, a link to the list without each of its filters: “Without ‘Grey’: 12 products”. */
export function linksWithoutOne(search: URLSearchParams, facets: Facets | null, without: ProductList['without']): ListLink[] {
  const applied = appliedFilters(search, facets);
  return without.map(({ filter, total, isMore }) => {
    const removed = applied.filter((one) => one.filter === filter);
    const what = filter === 'search' ? (search.get('search') ?? '') : removed.map(({ value }) => value).join(', ');
    const changes = filter === 'search' ? { search: '', typed: '' } : Object.assign({}, ...removed.map((one) => cleared(one.changes)));
    return {
      text: `Without ‘${what}’: ${countText({ total, isMore })}`,
      href: withParameters(search, changes as AppliedFilter['changes']),
    };
  });
}

/** The parameters with empty values. */
const cleared = (changes: AppliedFilter['changes']) => Object.fromEntries(Object.keys(changes).map((name) => [name, '']));
