import { namesIn, pageNumberOf, textOf } from '#contract/platform/lists.ts';
import { FILTER_NAMES, FILTERS, type FilterParameter, namesOf } from './filters.ts';
import type { LengthUnit } from './lengths.ts';
import { type Search, searchedText } from './searched.ts';

/**
 * The first parameters of a list's URL, in their fixed order; those of other filters follow. `typed` is for display only: the search as it was typed, once
 * its words have become filters.
 */
const FIRST = [
  'search',
  'typed',
  'query',
  'category',
  'brand',
  'currPage',
  'sortBy',
  'inStock',
  'minPrice',
  'maxPrice',
  'subCategory',
  'colour',
  'material',
  'fit',
  'rating',
  'new',
] as const;
export type ListParameter = (typeof FIRST)[number] | FilterParameter | 'unit';
/** The URL parameters of the filters. A category is in `query`, the parameter that `FILTERS` has, or, if that is missing, in `category`. */
export const FILTER_PARAMETERS: readonly ListParameter[] = [
  'category',
  ...FILTER_NAMES.flatMap((name) => namesOf(name).map(({ parameter }) => parameter)),
];
/** The URL parameters of a product list, in order (specification §2). `unit` is the unit of lengths: `in` for inches, else centimetres. */
export const LIST_PARAMETERS: readonly ListParameter[] = [...new Set([...FIRST, ...FILTER_PARAMETERS, 'unit' as const])];

/** The sorts that a visitor can choose (specification §9); `bestmatch` is the default, which URLs leave out. */
export const SORTS = [
  { value: 'bestmatch', label: 'Best match' },
  { value: 'ascprice', label: 'Price Low To High' },
  { value: 'descprice', label: 'Price High To Low' },
  { value: 'rating', label: 'Customer Rating' },
] as const;

/** The sorts that only a search can ask for, such as “narrow wardrobe”. */
export const SEARCH_SORTS = [
  { value: 'narrowest', label: 'Narrowest First' },
  { value: 'widest', label: 'Widest First' },
  { value: 'tallest', label: 'Tallest First' },
  { value: 'lowest', label: 'Lowest First' },
] as const;

/** Whether the value of a flag parameter means yes. */
export function isYes(value: string | undefined): boolean {
  return /^(true|1|on|yes)$/i.test(value ?? '');
}

/** Parses a price filter in pounds: `100`, `£99.50`, `1,200`. Undefined if it is not a number. */
export function poundsOf(value: string | undefined): number | undefined {
  const text = (value ?? '').replace(/^£\s*/, '').replace(/(?<=\d),(?=\d{3}(?!\d))/g, '');
  const number = text === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** Parses a minimum rating above 0 and up to 5, to two decimals, so that few pages are cached; undefined otherwise. */
export function ratingOf(value: string | undefined): number | undefined {
  const rating = Number(value ?? Number.NaN);
  return rating > 0 && rating <= 5 ? Math.max(0.01, Number(rating.toFixed(2))) : undefined;
}

/** The unit of a URL's lengths. */
export const unitOf = (search: Search): LengthUnit => (textOf(search.getAll('unit')[0])?.toLowerCase() === 'in' ? 'in' : 'cm');

/** Normalises a parameter's values, several if it is repeated. Undefined or empty if it has no effect. */
type Reader = (texts: string[], search: Search) => string | undefined;

/** Normalises a parameter that has one value: the first. */
const one =
  (read: (text: string, search: Search) => string | undefined): Reader =>
  ([first], search) => {
    const text = textOf(first);
    return text && read(text, search);
  };

/** Normalises a parameter with several names, joined by `_`; a form without JavaScript repeats the parameter instead. */
const names: Reader = (texts) => namesIn(texts).join('_');

/** Normalises a length, a plain number in `unit`; the filter's input converts what is typed (`readBound`). */
const length = one((text) => (/^\d{1,5}(\.\d+)?$/.test(text) ? String(Number(Number(text).toFixed(2))) : undefined));

/**
 * Normalises a price. Its input shows no pence (specification §5), so a form without JavaScript sends two values, first the exact price from a hidden
 * input, then what is shown: if they agree in pounds, the visitor did not change it.
 */
const price: Reader = (texts) => {
  const [exact, shown] = [poundsOf(textOf(texts[0])), poundsOf(textOf(texts.at(-1)))];
  return (exact !== undefined && Math.trunc(exact) === shown ? exact : shown)?.toString();
};

const READERS = {
  values: names,
  flag: one((text) => (isYes(text) ? 'true' : undefined)),
  // The only filter with a minimum is the rating.
  least: one((text) => ratingOf(text)?.toString()),
  price,
  length,
  most: length,
};
const FILTER_READERS = Object.fromEntries(
  FILTER_NAMES.flatMap((name) => namesOf(name).map(({ parameter }) => [parameter, READERS[FILTERS[name].kind]])),
) as Record<FilterParameter, Reader>;

const PARAMETER_READERS: Record<ListParameter, Reader> = {
  ...FILTER_READERS,
  search: (_, search) => searchedText(search),
  typed: one((text) => text),
  category: (texts, search) => (names(search.getAll('query'), search) ? undefined : names(texts, search)),
  colour: (texts) => namesIn(texts.map((text) => text.replace(/gray/gi, 'grey'))).join('_'),
  currPage: one((text) => (pageNumberOf(text) > 1 ? String(pageNumberOf(text)) : undefined)),
  sortBy: one((text) => [...SORTS.slice(1), ...SEARCH_SORTS].find((sort) => sort.value === text.toLowerCase())?.value),
  unit: (_, search) => (unitOf(search) === 'in' ? 'in' : undefined),
};

/**
 * Normalises a URL's parameters: known ones only, once and in a fixed order, without those that have no effect (the text `null`, page 1, the default
 * sort, an invalid price). The page cache and every screen use it, so that equivalent URLs give the same page, and the browser renders what the server did.
 */
export function listParametersOf(search: Search): [ListParameter, string][] {
  return LIST_PARAMETERS.flatMap((name) => {
    const value = PARAMETER_READERS[name](search.getAll(name), search);
    return value ? [[name, value] satisfies [ListParameter, string]] : [];
  });
}
