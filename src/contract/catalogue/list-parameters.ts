import { namesIn, pageNumberOf, textOf } from '#contract/platform/lists.ts';
import { FILTER_NAMES, FILTERS, type FilterParameter, namesOf } from './filters.ts';
import type { LengthUnit } from './lengths.ts';

/** Addresses keep the order that they have had; what is not here follows in the order of the filters. */
const FIRST = [
  'search',
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
/** The URL parameters that narrow a list. A category may stand in either of two. */
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

/** The least rating that a filter asks for; undefined for what is no number above 0 and up to 5. */
export function ratingOf(value: string | undefined): number | undefined {
  const rating = Number(value ?? Number.NaN);
  return rating > 0 && rating <= 5 ? rating : undefined;
}

/** The part of a URLSearchParams that is read here. */
interface Search {
  getAll: (name: string) => string[];
}

/** The unit of an address's lengths. */
export const unitOf = (search: Search): LengthUnit => (textOf(search.getAll('unit')[0])?.toLowerCase() === 'in' ? 'in' : 'cm');

/** How a parameter counts, from what it was given: one text, or several where it was repeated. */
type Reader = (texts: string[], search: Search) => string | undefined;

/** Reads one text: a repeated parameter counts once, by its first. */
const one =
  (read: (text: string, search: Search) => string | undefined): Reader =>
  ([first], search) => {
    const text = textOf(first);
    return text && read(text, search);
  };

/** Several names are joined by `_`; a form without scripts repeats the parameter instead. */
const names: Reader = (texts) => namesIn(texts).join('_');

/** A plain number; the box of the filter also takes units, and sends none (`readBound`). */
const length = one((text) => (/^\d{1,5}(\.\d+)?$/.test(text) ? String(Number(Number(text).toFixed(2))) : undefined));

/**
 * Boxes show prices without their pence (specification §5). A form without scripts therefore sends the exact price first and its box after it: a
 * box that was left as it is means the exact price.
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
};
const FILTER_READERS = Object.fromEntries(
  FILTER_NAMES.flatMap((name) => namesOf(name).map(({ parameter }) => [parameter, READERS[FILTERS[name].kind]])),
) as Record<FilterParameter, Reader>;

const PARAMETER_READERS: Record<ListParameter, Reader> = {
  ...FILTER_READERS,
  search: one((text) => text),
  category: (texts, search) => (names(search.getAll('query'), search) ? undefined : names(texts, search)),
  colour: (texts) => namesIn(texts.map((text) => text.replace(/gray/gi, 'grey'))).join('_'),
  currPage: one((text) => (pageNumberOf(text) > 1 ? String(pageNumberOf(text)) : undefined)),
  sortBy: one((text) => SORTS.slice(1).find((sort) => sort.value === text.toLowerCase())?.value),
  unit: (_, search) => (unitOf(search) === 'in' ? 'in' : undefined),
};

/**
 * What counts of an address's parameters: those that the list knows, each once and in one order, without those that change nothing
 * (`null`, page 1, the default sort, a price that is not a number). The server's page cache and every screen read addresses through
 * this, so two addresses that ask for the same give the same page, and the browser renders exactly what the server rendered.
 */
export function listParametersOf(search: Search): [ListParameter, string][] {
  return LIST_PARAMETERS.flatMap((name) => {
    const value = PARAMETER_READERS[name](search.getAll(name), search);
    return value ? [[name, value] satisfies [ListParameter, string]] : [];
  });
}
