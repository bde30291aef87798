import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#server/platform/root.ts';

/** In the place of products: the shop has no such thing, and nothing else is shown instead. */
const NOTHING = 'nothing';

type Groups = Map<string, string[]>;

/** The names of a line, as slugs. Throws an Error for a name that no product has. */
function productsOf(names: string, slugs: readonly string[], groups: Groups): string[] {
  const slugsOf = (name: string): string[] => {
    const found = name.startsWith('@') ? groups.get(name) : slugs.filter((slug) => slug.startsWith(name));
    if (!found || found.length === 0) throw new Error(`Golden searches: ${name} names no product.`);
    return found;
  };
  return names === NOTHING ? [] : [...new Set(names.split(' ').flatMap(slugsOf))];
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

/** A search that a person would type, with what it asks for. The fields are explained in demo/searches-everyday.txt. */
export interface GoldenSearch {
  search: string;
  /** Not looked at while the search is worked on. */
  isKeptAside: boolean;
  /** Slugs of the demo catalogue. */
  products: Partial<Record<(typeof PRODUCT_FIELDS)[number], string[]>>;
  /** The other fields as they stand in the file. */
  texts: Partial<Record<(typeof TEXT_FIELDS)[number], string>>;
}

/** The searches of a text. Throws an Error for a malformed line, an unknown field or product. */
function readSearches(text: string, slugs: readonly string[], groups: Groups): GoldenSearch[] {
  return searchLines(text, slugs, groups).map((line) => {
    const [, aside, search, wanted] = /^(~?)([^|]+) \| ([^|]+)$/.exec(line) ?? [];
    if (!search || !wanted) throw new Error(`Golden searches: “${line}” is not search | field: …; field: …`);
    const found: GoldenSearch = { search, isKeptAside: aside === '~', products: {}, texts: {} };
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
}

/** The searches of demo/searches.txt, and those of everyday shoppers. */
export function readGoldenSearches(slugs: readonly string[]): Record<'golden' | 'everyday', GoldenSearch[]> {
  const groups: Groups = new Map();
  const golden = readSearches(fileIn('searches.txt'), slugs, groups);
  // In base64, so that nobody reads them by accident.
  const asideText = Buffer.from(fileIn('searches-kept-aside.txt').replace(/^#.*$/gm, ''), 'base64').toString();
  const open = readSearches(fileIn('searches-everyday.txt'), slugs, groups);
  const aside = readSearches(asideText, slugs, groups).map((one) => ({ ...one, isKeptAside: true }));
  return { golden, everyday: [...open, ...aside] };
}
