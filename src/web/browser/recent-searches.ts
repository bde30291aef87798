/** This browser's latest searches, newest first. They are never sent. */
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

export function rememberSearch(search: string): void {
  if (search.length <= LONGEST) write([search, ...readRecentSearches().filter((other) => !same(other, search))]);
}

/** Removes one search, or all. Returns the rest. */
export function forgetSearch(search?: string): string[] {
  const left = search === undefined ? [] : readRecentSearches().filter((other) => !same(other, search));
  write(left);
  return left;
}

/** Searches that begin with the text, except the text itself. */
export const recentFor = (recent: readonly string[], typed: string): string[] =>
  recent.filter((search) => !same(search, typed) && same(search.slice(0, typed.length), typed));
