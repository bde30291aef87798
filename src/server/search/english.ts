import { folded } from './folded.ts';

/** A rule of the dictionary's affix file: what a word with the rule's flag may end or begin with instead. */
interface Affix {
  flag: string;
  strip: string;
  add: string;
  condition: RegExp;
}

/** Which words British English knows, in any ending: a compact reader of a Hunspell dictionary, whose 50,000 words are never expanded. */
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

/** The words of the dictionary with their flags. Names, which begin with a capital, are no words: "Sofia" may be a sofa. */
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
  /** Whether a word is in the dictionary with a flag; without one, unchanged. */
  const is = (word: string, flag = '') => words.get(word)?.includes(flag) ?? false;
  const withSuffix = (word: string, flag = '') =>
    suffixes.some(({ flag: own, strip, add, condition }) => {
      const stem = word.endsWith(add) ? word.slice(0, -add.length) + strip : '';
      return stem !== '' && condition.test(stem) && is(stem, own) && is(stem, flag);
    });
  const isKnown = (word: string, flag?: string) => is(word, flag) || withSuffix(word, flag);
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
