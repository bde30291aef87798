import { cut } from './text.ts';

/** Page sizes (clarifications on lists). */
export const PAGE_SIZE = { shop: 12, admin: 10, orderHistory: 6, reviews: 6, stock: 25 } as const;

/** The number of pages of a list; an empty list has one (specification §9). */
export function pagesOf(total: number, pageSize: number): number {
  return Math.max(1, Math.ceil(total / pageSize));
}

/** Older clients send absent values as these words (clarifications on lists). */
const ABSENT = new Set(['', 'null', 'undefined']);
/** Whether a text means that the value is absent. */
export const isAbsent = (text: string): boolean => ABSENT.has(text);
const LONGEST_TEXT = 200;

/** A parameter's text, cut to 200 characters; undefined if absent. */
export function textOf(value: string | null | undefined): string | undefined {
  const text = cut((value ?? '').replaceAll('\0', '').trim(), LONGEST_TEXT).trim();
  return isAbsent(text) ? undefined : text;
}

/** The longest list of names that is read, in characters and in names: a page draws a link for each name, and each link holds all of them. */
const LONGEST_LIST = 1_000;
export const MOST_NAMES = 40;

/** All names in texts that join them by `_`: sorted, and unique regardless of case. */
export function allNamesIn(texts: readonly string[]): string[] {
  const names = new Map<string, string>();
  for (const name of texts.flatMap((text) => text.split('_')).flatMap((text) => textOf(text) ?? []))
    if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  return [...names.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, name]) => name);
}

/** The first names: at most `MOST_NAMES`, and together with their `_` at most `LONGEST_LIST` characters. */
export function namesIn(texts: readonly string[]): string[] {
  // The first name has no `_` before it.
  let length = -1;
  return allNamesIn(texts)
    .slice(0, MOST_NAMES)
    .filter((name) => {
      length += name.length + 1;
      return length <= LONGEST_LIST;
    });
}

/** Larger page numbers count as this one, which is past the end of any list. */
const LAST_PAGE = 1_000_000_000;

/** The page number of a parameter; page 1 if it is not a positive whole number. */
export function pageNumberOf(value: string | null | undefined): number {
  const text = value?.trim() ?? '';
  return /^\d+$/.test(text) ? Math.max(1, Math.min(Number(text), LAST_PAGE)) : 1;
}
