import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#server/platform/root.ts';

/** A search that a person would type, with what its first page must show and what it must not, as slugs of the demo catalogue. */
export interface GoldenSearch {
  search: string;
  has: string[];
  /** It must show nothing at all. */
  isNothing: boolean;
  hasNot: string[];
  /** Not looked at while the search is worked on. */
  isKeptAside: boolean;
}

/** In the place of what must be there: the shop has no such thing, and nothing else is shown instead. */
const NOTHING = 'nothing';

/** Reads demo/searches.txt, which explains its own form. Throws an Error for a line that is malformed or a name that no product has. */
export function readGoldenSearches(slugs: readonly string[]): GoldenSearch[] {
  const groups = new Map<string, string[]>();
  const namesIn = (text: string) => text.split(' ').filter(Boolean);
  const slugsOf = (name: string): string[] => {
    const found = name.startsWith('@') ? groups.get(name) : slugs.filter((slug) => slug.startsWith(name));
    if (!found || found.length === 0) throw new Error(`demo/searches.txt: ${name} names no product.`);
    return found;
  };
  const searches: GoldenSearch[] = [];
  for (const line of readFileSync(join(ROOT, 'demo/searches.txt'), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, group, members = ''] = /^(@\w+) = (.+)$/.exec(line) ?? [];
    if (group) {
      groups.set(group, namesIn(members).flatMap(slugsOf));
      continue;
    }
    const [, aside, search, has = '', hasNot = ''] = /^(~?)([^|~]+) \| ([^|]+) \| ([^|]*)$/.exec(line) ?? [];
    if (!search) throw new Error(`demo/searches.txt: “${line}” is not search | must be there | must not be there.`);
    searches.push({
      search,
      has: has === NOTHING ? [] : [...new Set(namesIn(has).flatMap(slugsOf))],
      isNothing: has === NOTHING,
      hasNot: [...new Set(namesIn(hasNot).flatMap(slugsOf))],
      isKeptAside: aside === '~',
    });
  }
  return searches;
}
