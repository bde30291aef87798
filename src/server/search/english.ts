import { folded } from './folded.ts';

/** A rule of the dictionary's affix file. Words with its flag also exist with another ending or beginning. */
interface Affix {
  flag: string;
  strip: string;
  add: string;
  condition: RegExp;
}

/** The words of British English, in any ending: a reader of a Hunspell dictionary that never expands its 50,000 words, which saves memory. */
export interface English {
  has(word: string): boolean;
}

function affixesIn(file: string, kind: 'PFX' | 'SFX'): Affix[] {
  return [...file.matchAll(new RegExp(String.raw`^${kind} (\S) +(\S+) +([a-z]+) +(\S+)$`, 'gm'))].map(
    ([, flag = '', strip = '', add = '', condition = '']) => ({
      flag,
      add,
      strip: strip === '0' ? '' : strip,
      condition: new RegExp(kind === 'SFX' ? `${condition}$` : `^${condition}`),
    }),
  );
}

/** The words of the dictionary with their flags, without names, which begin with a capital: "Sofia" may be a sofa. */
function wordsIn(file: string): Map<string, string> {
  const words = new Map<string, string>();
  for (const line of file.split('\n')) {
    const [word = '', flags = ''] = line.trim().split('/');
    if (!/^\p{Ll}+$/u.test(word)) continue;
    const key = folded(word);
    words.set(key, (words.get(key) ?? '') + flags);
  }
  return words;
}

/** Reads a dictionary from the text of its two files. */
export function readEnglish({ aff, dic }: { aff: string; dic: string }): English {
  const words = wordsIn(dic);
  const [prefixes, suffixes] = [affixesIn(aff, 'PFX'), affixesIn(aff, 'SFX')];
  /** Whether the dictionary lists a word with a flag, or at all for the empty flag. */
  const isListed = (word: string, flag: string) => words.get(word)?.includes(flag) ?? false;
  const isSuffixed = (word: string, flag: string) =>
    suffixes.some(({ flag: suffixFlag, strip, add, condition }) => {
      const stem = word.endsWith(add) ? word.slice(0, -add.length) + strip : '';
      return stem !== '' && condition.test(stem) && isListed(stem, suffixFlag) && isListed(stem, flag);
    });
  const isKnown = (word: string, flag = '') => isListed(word, flag) || isSuffixed(word, flag);
  return {
    has: (word) => isKnown(word) || prefixes.some(({ flag, add }) => word.startsWith(add) && isKnown(word.slice(add.length), flag)),
  };
}

let english: Promise<English> | undefined;

/** The dictionary, which the first search loads (some 20 ms and 8 MB). */
export function loadEnglish(): Promise<English> {
  english ??= import('dictionary-en-gb').then(({ default: { aff, dic } }) => {
    const decoder = new TextDecoder();
    return readEnglish({ aff: decoder.decode(aff), dic: decoder.decode(dic) });
  });
  return english;
}
