import { oneSpelling } from '#contract/page.ts';

/** Sorts that a shopper can choose, besides the usual one (specification §9). */
const SORTS = new Set(['ascprice', 'descprice', 'rating']);
/** Older clients send absent values as these words (clarifications on lists). */
const ABSENT = new Set(['', 'null', 'undefined']);
/** The parameters that each cached page reads; any other parameter changes nothing and makes no entry. */
const LIST = ['search', 'query', 'category', 'brand', 'currPage', 'sortBy', 'inStock', 'minPrice', 'maxPrice'];
const PARAMETERS = new Map<string, string[]>([
  ['/', LIST],
  ['/shop', LIST],
  ['/newarrivals', []],
  ['/privacy', []],
  ['/legal', []],
  ['/refund-policy', []],
  ['/shipping-policy', []],
  ['/contact', []],
]);
const PRODUCT = /^\/product\/[\w-]{1,100}$/;
const LONGEST = 300;
/** A path that no screen has: what is written in no way that a browser writes is the page that is not there. */
const NO_SCREEN = '/%2F';

/** A parameter's value as it counts: the first page and the usual order are those of an address that names none. */
function plain(name: string, value: string | null): string | undefined {
  if (value === null || ABSENT.has(value.trim())) return undefined;
  if (name === 'sortBy') return SORTS.has(value.toLowerCase()) ? value.toLowerCase() : undefined;
  if (name !== 'currPage') return value;
  const page = /^\d{1,9}$/.test(value) ? Number(value) : 1;
  return page > 1 ? String(page) : undefined;
}

/**
 * What to render for an address: its path in the one spelling that counts, without the slash at its end, and its query. A path that the URL
 * standard would read as another one (dot segments, backslashes) is no screen.
 */
export function screenAddress(sent: string): string {
  const [path = ''] = sent.split(/[?#]/, 1);
  const { pathname, search } = new URL(`http://shop${sent}`);
  const spelled = pathname === path ? oneSpelling(path) : NO_SCREEN;
  return (spelled.length > 1 && spelled.endsWith('/') ? spelled.slice(0, -1) : spelled) + search;
}

/** The one address of a page that can be cached, with its parameters in order; undefined for pages that are not. */
export function pageKey(address: string): string | undefined {
  const { pathname, searchParams } = new URL(`http://shop${address}`);
  const names = PARAMETERS.get(pathname) ?? (PRODUCT.test(pathname) ? [] : undefined);
  if (!names) return undefined;
  const kept = new URLSearchParams();
  for (const name of names) {
    const value = plain(name, searchParams.get(name));
    if (value) kept.set(name, value);
  }
  const text = kept.toString();
  const key = text === '' ? pathname : `${pathname}?${text}`;
  return key.length > LONGEST ? undefined : key;
}
