import type { Facets, ProductList } from '#contract/catalogue/catalogue.ts';
import { countText } from './filters.ts';
import { filtersInForce, type InForce, type Step } from './filters-in-force.ts';
import { withParameters } from './list-url.ts';

/** An empty list's results without each filter: “Without ‘Grey’: 12 products”. */
export function waysOn(search: URLSearchParams, facets: Facets | null, without: ProductList['without']): Step[] {
  const inForce = filtersInForce(search, facets);
  return without.map(({ filter, total, isMore }) => {
    const own = inForce.filter((one) => one.filter === filter);
    const what = filter === 'search' ? (search.get('search') ?? '') : own.map(({ value }) => value).join(', ');
    const changes = filter === 'search' ? { search: '', typed: '' } : Object.assign({}, ...own.map((one) => cleared(one.changes)));
    return {
      text: `Without ‘${what}’: ${countText({ total, isMore })}`,
      href: withParameters(search, changes as InForce['changes']),
    };
  });
}

/** The parameters with empty values. */
const cleared = (changes: InForce['changes']) => Object.fromEntries(Object.keys(changes).map((name) => [name, '']));
