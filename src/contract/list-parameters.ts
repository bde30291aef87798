import { pageNumberOf, textOf } from '#contract/base/lists.ts';

/** The URL parameters of the pages that show the product list (specification §2), in the order in which addresses carry them. */
export const LIST_PARAMETERS = ['search', 'query', 'category', 'brand', 'currPage', 'sortBy', 'inStock', 'minPrice', 'maxPrice'] as const;
export type ListParameter = (typeof LIST_PARAMETERS)[number];

/** The sorts that a visitor can choose (specification §9); `bestmatch` is the default and is left out of addresses. */
export const SORTS = [
  { value: 'bestmatch', label: 'Best match' },
  { value: 'ascprice', label: 'Price Low To High' },
  { value: 'descprice', label: 'Price High To Low' },
  { value: 'rating', label: 'Customer Rating' },
] as const;

/** Whether a value of `inStock` asks for what is in stock only. */
export function isYes(value: string | undefined): boolean {
  return /^(true|1|on|yes)$/i.test(value ?? '');
}

/** A price filter in pounds, as people type it: `100`, `£99.50`, `1,200`. Undefined for what is not a number. */
export function poundsOf(value: string | undefined): number | undefined {
  const text = (value ?? '').replace(/^£\s*/, '').replace(/(?<=\d),(?=\d{3}(?!\d))/g, '');
  const number = text === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** The part of a URLSearchParams that is read here. */
interface Search {
  get: (name: string) => string | null;
}

const READERS: Record<ListParameter, (value: string, search: Search) => string | undefined> = {
  search: (value) => value,
  query: (value) => value,
  category: (value, search) => (textOf(search.get('query')) ? undefined : value),
  brand: (value) => value,
  currPage: (value) => (pageNumberOf(value) > 1 ? String(pageNumberOf(value)) : undefined),
  sortBy: (value) => SORTS.slice(1).find((sort) => sort.value === value.toLowerCase())?.value,
  inStock: (value) => (isYes(value) ? 'true' : undefined),
  minPrice: (value) => poundsOf(value)?.toString(),
  maxPrice: (value) => poundsOf(value)?.toString(),
};

/**
 * What counts of an address's parameters: those that the list knows, each once and in one order, without those that change nothing
 * (`null`, page 1, the default sort, a price that is not a number). The server's page cache and every screen read addresses through
 * this, so two addresses that ask for the same give the same page, and the browser renders exactly what the server rendered.
 */
export function listParametersOf(search: Search): [ListParameter, string][] {
  return LIST_PARAMETERS.flatMap((name) => {
    const text = textOf(search.get(name));
    const value = text && READERS[name](text, search);
    return value ? [[name, value] satisfies [ListParameter, string]] : [];
  });
}
