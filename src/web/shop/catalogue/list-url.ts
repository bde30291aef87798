import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { LIST_PARAMETERS, type ListParameter, listParametersOf, poundsOf } from '#contract/list-parameters.ts';

/** The shop's URL parameters that narrow the list (specification §2). */
const FILTERS = ['query', 'category', 'brand', 'inStock', 'minPrice', 'maxPrice'] as const;

/** What counts of the page's parameters (`listParametersOf`). Screens read the address through this and nothing else. */
export function useListParameters(): URLSearchParams {
  const [search] = useSearchParams();
  return useMemo(() => new URLSearchParams(listParametersOf(search)), [search]);
}

/**
 * The address of the same list with some parameters changed; an empty value removes one. Any change but that of the page goes back to page 1.
 * `search` is what `listParametersOf` gives.
 */
export function withParameters(search: URLSearchParams, changes: Partial<Record<ListParameter, string>>): string {
  const wanted = { ...Object.fromEntries(search), currPage: '', ...changes };
  const next = new URLSearchParams();
  for (const name of LIST_PARAMETERS) if (wanted[name]) next.set(name, wanted[name]);
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
  if (name === 'minPrice') return `From ${poundsText(value)}`;
  if (name === 'maxPrice') return `Up to ${poundsText(value)}`;
  return name === 'brand' ? `Brand: ${list}` : list;
}

/** The filters in force, each with the address of the list without it. */
export function appliedFilters(search: URLSearchParams): AppliedFilter[] {
  return FILTERS.filter((name) => search.has(name)).map((name) => ({
    text: inWords(name, search.get(name) ?? ''),
    href: withParameters(search, { [name]: '' }),
  }));
}

/** The list's address with every filter taken off; the search stays. */
export function withoutFilters(search: URLSearchParams): string {
  return withParameters(search, Object.fromEntries(FILTERS.map((name) => [name, ''])));
}

/** A price in words: whole pounds, or with its pence. */
export function poundsText(value: string): string {
  const pounds = Number(value);
  const digits = Number.isInteger(pounds) ? 0 : 2;
  return `£${pounds.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}

/** A price parameter as the form first shows it (specification §5): an integer, or nothing. */
export function priceText(value: string | null): string {
  const pounds = poundsOf(value ?? undefined);
  return pounds === undefined ? '' : String(Math.trunc(pounds));
}

/** Says that the form shows prices without their pence, and what the list is filtered by; undefined where there are no pence. */
export function penceNote(min: string | null, max: string | null): string | undefined {
  if ([min, max].every((value) => Number.isInteger(Number(value)))) return undefined;
  const range = [min && `from ${poundsText(min)}`, max && `up to ${poundsText(max)}`].filter(Boolean).join(' ');
  return `Pence are left out above. The list is filtered ${range}.`;
}
