import { listParametersOf } from '#contract/catalogue/list-parameters.ts';
import { oneSpelling } from '#contract/page.ts';
import { reviewParameters, reviewsWanted } from '#contract/reviews/review-parameters.ts';
import type { Dependency } from '#server/platform/cache/catalogue-changes.ts';

/** Pages that show the product list and read its parameters. A product's page reads those of its reviews; on others no parameter makes an entry. */
const LISTS = new Set(['/', '/shop']);
const TEXTS = new Set(['/privacy', '/legal', '/refund-policy', '/shipping-policy', '/contact']);
const PRODUCT = /^\/product\/[\w-]{1,100}$/;
const LONGEST = 300;
/** A path that no screen has: what is written in no way that a browser writes is the page that is not there. */
const NO_SCREEN = '/%2F';

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

/** The parameters that count on a page, in order; undefined for pages that cannot be cached. */
function parametersOf(pathname: string, search: URLSearchParams): string | undefined {
  if (LISTS.has(pathname)) return new URLSearchParams(listParametersOf(search)).toString();
  if (PRODUCT.test(pathname)) return reviewParameters(reviewsWanted(search));
  return TEXTS.has(pathname) || pathname === '/newarrivals' ? '' : undefined;
}

/** What a page shows of the catalogue. The shop's lists all say how many products are in stock; beside a product are others that go with it. */
function dependenciesOf(pathname: string, search: URLSearchParams): readonly Dependency[] {
  if (TEXTS.has(pathname)) return [];
  return pathname === '/shop' || search.has('inStock') ? ['named', 'products', 'stock'] : ['named', 'products'];
}

/** Whether an address is a list that somebody has chosen something for: a search, a filter, a page. */
export function isChosenList(address: string): boolean {
  const { pathname, search } = new URL(`http://shop${address}`);
  return LISTS.has(pathname) && search !== '';
}

/** How a page is cached, by its one address with the parameters in order; undefined for pages that are not. */
export function cachedPage(address: string): { key: string; dependsOn: readonly Dependency[] } | undefined {
  const { pathname, searchParams } = new URL(`http://shop${address}`);
  const text = parametersOf(pathname, searchParams);
  if (text === undefined) return undefined;
  const key = text === '' ? pathname : `${pathname}?${text}`;
  return key.length > LONGEST ? undefined : { key, dependsOn: dependenciesOf(pathname, searchParams) };
}
