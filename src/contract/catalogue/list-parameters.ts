import { namesIn, pageNumberOf, textOf } from '#contract/platform/lists.ts';
import { FILTER_NAMES, FILTERS, type FilterParameter, namesOf } from './filters.ts';
import type { LengthUnit } from './lengths.ts';
import { type Search, searchedText } from './searched.ts';

/**
 * The established order of parameters in addresses; others follow in the order of the filters. `typed` is the search as it was typed, once its words
 * have become filters: it is only shown.
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
/** The URL parameters that narrow a list. A category may be in either of two. */
export const FILTER_PARAMETERS: readonly ListParameter[] = [
  'category',
  ...FILTER_NAMES.flatMap((name) => namesOf(name).map(({ parameter }) => parameter)),
];
/**
 * The URL parameters of the pages that show the product list (specification §2), in the order in which addresses carry them. Lengths are in the
 * unit that `unit` names: inches for `in`, else centimetres.
 */
export const LIST_PARAMETERS: readonly ListParameter[] = [...new Set([...FIRST, ...FILTER_PARAMETERS, 'unit' as const])];

/** The sorts that a visitor can choose (specification §9); `bestmatch` is the default and is left out of addresses. */
export const SORTS = [
  { value: 'bestmatch', label: 'Best match' },
  { value: 'ascprice', label: 'Price Low To High' },
  { value: 'descprice', label: 'Price High To Low' },
  { value: 'rating', label: 'Customer Rating' },
] as const;

/** Sorts that only words of a search ask for. */
export const ASKED_SORTS = [
  { value: 'narrowest', label: 'Narrowest First' },
  { value: 'widest', label: 'Widest First' },
  { value: 'tallest', label: 'Tallest First' },
  { value: 'lowest', label: 'Lowest First' },
] as const;

/** Whether a flag's value means yes. */
export function isYes(value: string | undefined): boolean {
  return /^(true|1|on|yes)$/i.test(value ?? '');
}

/** Parses a price filter in pounds: `100`, `£99.50`, `1,200`. Undefined if it is not a number. */
export function poundsOf(value: string | undefined): number | undefined {
  const text = (value ?? '').replace(/^£\s*/, '').replace(/(?<=\d),(?=\d{3}(?!\d))/g, '');
  const number = text === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** Parses a minimum rating above 0 and up to 5; undefined otherwise. */
export function ratingOf(value: string | undefined): number | undefined {
  const rating = Number(value ?? Number.NaN);
  return rating > 0 && rating <= 5 ? rating : undefined;
}

/** The unit of an address's lengths. */
export const unitOf = (search: Search): LengthUnit => (textOf(search.getAll('unit')[0])?.toLowerCase() === 'in' ? 'in' : 'cm');

/** Normalises a parameter; a repeated one has several texts. */
type Reader = (texts: string[], search: Search) => string | undefined;

/** Reads the first text of a parameter. */
const one =
  (read: (text: string, search: Search) => string | undefined): Reader =>
  ([first], search) => {
    const text = textOf(first);
    return text && read(text, search);
  };

/** Names are joined by `_`; a form without JavaScript repeats the parameter instead. */
const names: Reader = (texts) => namesIn(texts).join('_');

/** A plain number: the filter's box converts units before it sends them (`readBound`). */
const length = one((text) => (/^\d{1,5}(\.\d+)?$/.test(text) ? String(Number(Number(text).toFixed(2))) : undefined));

/**
 * Boxes show prices without pence (specification §5). A form without JavaScript sends the exact price first and its box after it: an unchanged box means the
 * exact price.
 */
const price: Reader = (texts) => {
  const [exact, shown] = [poundsOf(textOf(texts[0])), poundsOf(textOf(texts.at(-1)))];
  return (exact !== undefined && Math.trunc(exact) === shown ? exact : shown)?.toString();
};

const READERS = {
  values: names,
  flag: one((text) => (isYes(text) ? 'true' : undefined)),
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
  sortBy: one((text) => [...SORTS.slice(1), ...ASKED_SORTS].find((sort) => sort.value === text.toLowerCase())?.value),
  unit: (_, search) => (unitOf(search) === 'in' ? 'in' : undefined),
};

/**
 * Normalises an address's parameters: known ones only, once and in a fixed order, without those that have no effect (`null`, page 1, the default sort, an
 * invalid price). The page cache and every screen use it, so that equivalent addresses give the same page, and the browser renders what the server did.
 */
export function listParametersOf(search: Search): [ListParameter, string][] {
  return LIST_PARAMETERS.flatMap((name) => {
    const value = PARAMETER_READERS[name](search.getAll(name), search);
    return value ? [[name, value] satisfies [ListParameter, string]] : [];
  });
}
