/** What was searched for in this browser, the last first. It is kept here and nowhere else: the server is told of a search only when it is made. */
import { RECENT_SEARCHES_KEY, readStored, writeStored } from './browser-storage.ts';

const MOST = 6;
const LONGEST = 100;

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

export function readRecentSearches(): string[] {
  const stored = readStored(RECENT_SEARCHES_KEY);
  const texts = Array.isArray(stored) ? stored.filter((text) => typeof text === 'string' && text !== '') : [];
  return (texts as string[]).slice(0, MOST);
}

const write = (searches: string[]) => writeStored(RECENT_SEARCHES_KEY, searches.length === 0 ? undefined : searches.slice(0, MOST));

/** Keeps a search as the last one, in the place of an older one of the same words. */
export function rememberSearch(search: string): void {
  if (search.length <= LONGEST) write([search, ...readRecentSearches().filter((other) => !same(other, search))]);
}

/** Forgets one search, or all of them. Returns what is left. */
export function forgetSearch(search?: string): string[] {
  const left = search === undefined ? [] : readRecentSearches().filter((other) => !same(other, search));
  write(left);
  return left;
}

/** The searches that begin as a text does, but for the text itself. */
export const recentFor = (recent: readonly string[], typed: string): string[] =>
  recent.filter((search) => !same(search, typed) && same(search.slice(0, typed.length), typed));
