import { listParametersOf } from '#contract/catalogue/list-parameters.ts';
import { variantIn, variantParameters } from '#contract/catalogue/variant.ts';
import { oneSpelling } from '#contract/page.ts';
import { reviewParameters, reviewsWanted } from '#contract/reviews/review-parameters.ts';
import type { Dependency } from '#server/platform/cache/catalogue-changes.ts';

/** Pages that depend on the list parameters. Product pages depend on those of variant and reviews, other pages on none. */
const LISTS = new Set(['/', '/shop']);
const TEXTS = new Set(['/privacy', '/legal', '/refund-policy', '/shipping-policy', '/contact']);
const PRODUCT = /^\/product\/[\w-]{1,100}$/;
const LONGEST = 300;
/** A path that no screen has: paths that browsers would normalise differently get the "not found" page. */
const NO_SCREEN = '/%2F';

/**
 * Normalises a URL for rendering: one spelling of the path, without trailing slash, and the query. Paths that the URL standard would rewrite
 * (dot segments, backslashes) become "not found".
 */
export function normalisedUrl(sent: string): string {
  const [path = ''] = sent.split(/[?#]/, 1);
  const { pathname, search } = new URL(`http://shop${sent}`);
  const spelled = pathname === path ? oneSpelling(path) : NO_SCREEN;
  return (spelled.length > 1 && spelled.endsWith('/') ? spelled.slice(0, -1) : spelled) + search;
}

/** The canonical URL of a page, to which other spellings redirect: no escaped letters, and no capitals in a product's id. */
export function canonicalUrl(url: string): string {
  const { pathname, search } = new URL(`http://shop${url}`);
  const path = pathname.replace(/%[2-7][\da-f]/gi, withoutEscape);
  return (PRODUCT.test(path) ? path.toLowerCase() : path) + search;
}

/** An escaped letter, digit, hyphen or underscore as itself; any other character stays escaped. */
function withoutEscape(escaped: string): string {
  const character = decodeURIComponent(escaped);
  return /[\w-]/.test(character) ? character : escaped;
}

/** The parameters that a page depends on, in canonical order; undefined if the page cannot be cached. */
function parametersOf(pathname: string, search: URLSearchParams): string | undefined {
  if (LISTS.has(pathname)) return new URLSearchParams(listParametersOf(search)).toString();
  if (PRODUCT.test(pathname))
    return [variantParameters(variantIn(search)), reviewParameters(reviewsWanted(search))].filter(Boolean).join('&');
  if (TEXTS.has(pathname)) return search.has('at') ? undefined : '';
  // With parameters it is a wish list, or the way back from a payment.
  if (pathname === '/cart') return search.size > 0 ? undefined : '';
  return pathname === '/newarrivals' ? '' : undefined;
}

/**
 * What invalidates a page: each has the shop's name and contact. Every list on /shop counts the products in stock, the empty cart and a product's page show
 * some, and searches and filters look at it.
 */
function dependenciesOf(pathname: string, search: URLSearchParams): readonly Dependency[] {
  if (TEXTS.has(pathname)) return ['settings'];
  const list: readonly Dependency[] = ['settings', 'named', 'products'];
  const showsStock = ['/shop', '/cart'].includes(pathname) || pathname.startsWith('/product/') || search.size > 0;
  return showsStock ? [...list, 'stock'] : list;
}

/** Whether a URL is a list with a search, filter or page number. */
export function isChosenList(url: string): boolean {
  const { pathname, search } = new URL(`http://shop${url}`);
  return LISTS.has(pathname) && search !== '';
}

/** Whether a URL is spelled as the shop's own links spell that of a cache key: spaces as `+` or as `%20`. */
export const isPlainUrl = (url: string, key: string): boolean => url === key || url === key.replaceAll('+', '%20');

/** A page's cache key, which is its URL in one spelling, and what invalidates it; undefined if it cannot be cached. */
export function cachedPage(url: string): { key: string; dependsOn: readonly Dependency[] } | undefined {
  const { pathname, searchParams } = new URL(`http://shop${url}`);
  const parameters = parametersOf(pathname, searchParams);
  if (parameters === undefined) return undefined;
  const key = parameters === '' ? pathname : `${pathname}?${parameters}`;
  return key.length > LONGEST ? undefined : { key, dependsOn: dependenciesOf(pathname, searchParams) };
}
