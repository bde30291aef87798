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

type Groups = Map<string, string[]>;

/** The names of a line, as slugs. Throws an Error for a name that no product has. */
function productsOf(names: string, slugs: readonly string[], groups: Groups): string[] {
  const slugsOf = (name: string): string[] => {
    const found = name.startsWith('@') ? groups.get(name) : slugs.filter((slug) => slug.startsWith(name));
    if (!found || found.length === 0) throw new Error(`Golden searches: ${name} names no product.`);
    return found;
  };
  return [...new Set(names.split(' ').filter(Boolean).flatMap(slugsOf))];
}

/** The lines that are searches; those that name a group are added to the groups. */
function searchLines(text: string, slugs: readonly string[], groups: Groups): string[] {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, group, members = ''] = /^(@\w+) = (.+)$/.exec(line) ?? [];
    if (group) groups.set(group, productsOf(members, slugs, groups));
    else lines.push(line);
  }
  return lines;
}

const fileIn = (name: string) => readFileSync(join(ROOT, 'demo', name), 'utf8');

/** Reads demo/searches.txt, which explains its own form. Throws an Error for a line that is malformed or a name that no product has. */
export function readGoldenSearches(slugs: readonly string[]): GoldenSearch[] {
  const groups: Groups = new Map();
  return searchLines(fileIn('searches.txt'), slugs, groups).map((line) => {
    const [, aside, search, has = '', hasNot = ''] = /^(~?)([^|~]+) \| ([^|]+) \| ([^|]*)$/.exec(line) ?? [];
    if (!search) throw new Error(`demo/searches.txt: “${line}” is not search | must be there | must not be there.`);
    return {
      search,
      has: has === NOTHING ? [] : productsOf(has, slugs, groups),
      isNothing: has === NOTHING,
      hasNot: productsOf(hasNot, slugs, groups),
      isKeptAside: aside === '~',
    };
  });
}

const PRODUCT_FIELDS = ['first', 'top', 'has', 'only', 'not'] as const;
const TEXT_FIELDS = [
  'size',
  'colour',
  'min',
  'max',
  'sort',
  'stock',
  'new',
  'everything',
  'leftOut',
  'notSold',
  'corrected',
  'help',
] as const;

/** A search of an everyday shopper, with what it asks for. The fields are explained in demo/searches-everyday.txt. */
export interface EverydaySearch {
  search: string;
  isKeptAside: boolean;
  /** Slugs of the demo catalogue. */
  products: Partial<Record<(typeof PRODUCT_FIELDS)[number], string[]>>;
  /** The other fields as they stand in the file. */
  texts: Partial<Record<(typeof TEXT_FIELDS)[number], string>>;
}

/** Reads demo/searches-everyday.txt and the searches kept aside. Throws an Error for a malformed line, an unknown field or product. */
export function readEverydaySearches(slugs: readonly string[]): EverydaySearch[] {
  const groups: Groups = new Map();
  searchLines(fileIn('searches.txt'), slugs, groups);
  const read = (text: string, isKeptAside: boolean) =>
    searchLines(text, slugs, groups).map((line): EverydaySearch => {
      const [search = '', wanted, ...rest] = line.split(' | ');
      if (!wanted || rest.length > 0) throw new Error(`Golden searches: “${line}” is not search | field: …; field: …`);
      const found: EverydaySearch = { search, isKeptAside, products: {}, texts: {} };
      for (const part of wanted.split('; ')) {
        const [field, value = ''] = part.split(': ');
        const ofProducts = PRODUCT_FIELDS.find((name) => name === field);
        const ofText = TEXT_FIELDS.find((name) => name === field);
        if (ofProducts) found.products[ofProducts] = productsOf(value, slugs, groups);
        else if (ofText) found.texts[ofText] = value;
        else throw new Error(`Golden searches: “${line}” has an unknown field, ${field}.`);
      }
      return found;
    });
  // In base64, so that nobody reads them by accident.
  const aside = fileIn('searches-kept-aside.txt').replace(/^#.*$/gm, '');
  return [...read(fileIn('searches-everyday.txt'), false), ...read(Buffer.from(aside, 'base64').toString(), true)];
}
