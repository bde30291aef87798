/** The shop's URL parameters that narrow the list (specification §2). */
const FILTERS = ['query', 'category', 'brand', 'inStock', 'minPrice', 'maxPrice'] as const;
type Name = (typeof FILTERS)[number] | 'search' | 'sortBy' | 'currPage';

export const SORTS = [
  { value: 'bestmatch', label: 'Best match' },
  { value: 'ascprice', label: 'Price Low To High' },
  { value: 'descprice', label: 'Price High To Low' },
  { value: 'rating', label: 'Customer Rating' },
] as const;

/** The address of the same list with some parameters changed; an empty value removes one. Any change but that of the page goes back to page 1. */
export function withParameters(search: URLSearchParams, changes: Partial<Record<Name, string>>): string {
  const next = new URLSearchParams(search);
  if (!('currPage' in changes)) next.delete('currPage');
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  return text === '' ? '/shop' : `/shop?${text}`;
}

/** A filter that is in force, in words, and the address of the list without it. */
export interface AppliedFilter {
  text: string;
  href: string;
}

function inWords(name: (typeof FILTERS)[number], value: string): string {
  const list = value.replaceAll('_', ', ');
  if (name === 'inStock') return 'In stock only';
  if (name === 'minPrice') return `From £${value}`;
  if (name === 'maxPrice') return `Up to £${value}`;
  return name === 'brand' ? `Brand: ${list}` : list;
}

/** The filters in force. `category` counts only where `query` is absent, as the list is loaded. */
export function appliedFilters(search: URLSearchParams): AppliedFilter[] {
  return FILTERS.filter((name) => search.get(name) && !(name === 'category' && search.get('query'))).map((name) => ({
    text: inWords(name, search.get(name) ?? ''),
    href: withParameters(search, { [name]: '' }),
  }));
}

/** The list's address with every filter taken off; the search stays. */
export function withoutFilters(search: URLSearchParams): string {
  return withParameters(search, Object.fromEntries(FILTERS.map((name) => [name, ''])));
}

/** A price parameter as the form first shows it: an integer, or nothing. */
export function priceText(value: string | null): string {
  const number = Number.parseInt(value ?? '', 10);
  return Number.isNaN(number) ? '' : String(number);
}
