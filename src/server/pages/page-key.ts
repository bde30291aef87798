/** The parameters that each cached page reads; any other parameter changes nothing and makes no entry. */
const LIST = ['search', 'query', 'category', 'brand', 'currPage', 'sortBy', 'inStock', 'minPrice', 'maxPrice'];
const PARAMETERS: Record<string, string[]> = {
  '/': LIST,
  '/shop': LIST,
  '/newarrivals': [],
  '/privacy': [],
  '/legal': [],
  '/refund-policy': [],
  '/shipping-policy': [],
  '/contact': [],
};
const PRODUCT = /^\/product\/[\w-]{1,100}$/;
const LONGEST = 300;

/** The one address of a page that can be cached, with its parameters in order; undefined for pages that are not. */
export function pageKey(url: string): string | undefined {
  const { pathname, searchParams } = new URL(url, 'http://shop');
  const names = PARAMETERS[pathname] ?? (PRODUCT.test(pathname) ? [] : undefined);
  if (!names) return undefined;
  const kept = new URLSearchParams();
  for (const name of names) {
    const value = searchParams.get(name);
    if (value) kept.set(name, value);
  }
  const text = kept.toString();
  const key = text === '' ? pathname : `${pathname}?${text}`;
  return key.length > LONGEST ? undefined : key;
}
