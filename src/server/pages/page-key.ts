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

/** A parameter's value as it counts: the first page and the usual order are those of an address that names none. */
function plain(name: string, value: string | null): string | undefined {
  if (name === 'sortBy') return value?.toLowerCase() === 'bestmatch' ? undefined : (value ?? undefined);
  if (name !== 'currPage') return value ?? undefined;
  const page = Number.parseInt(value ?? '', 10);
  return page > 1 ? String(page) : undefined;
}

/** The one address of a page that can be cached, with its parameters in order; undefined for pages that are not. */
export function pageKey(url: string): string | undefined {
  const { pathname, searchParams } = new URL(url, 'http://shop');
  const names = PARAMETERS[pathname] ?? (PRODUCT.test(pathname) ? [] : undefined);
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
