import { cut } from '#contract/platform/text.ts';

/** Limits on a search: its words, and the letters of each. */
export const MOST_WORDS = 12;
const MOST_LETTERS = 40;

/** Normalises a text for comparisons: no accents, lower case, one form of each character. The database has the same function. */
export function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/**
 * The comparable form of a search. It is the key of cached answers, and all that they show of the search, so that nobody sees what another visitor typed.
 * Punctuation stays only where it may belong to a price or a length.
 */
export const comparable = (search: string): string =>
  folded(search)
    // “1½”, which folding parts.
    .replace(/(\d{0,3}) ?1[⁄/]2(?!\d)/g, (_, whole: string) => `${whole || 0}.5`)
    // “2.5 seater” is a large two seater.
    .replace(/(?:\.5| and a half)+(?=[ -]?seat)/g, '')
    .replace(/(?<=\b(?:\d|one|two|three|four)) ?(?:[-/‐-―]|\bto\b) ?(?=(?:\d|two|three|four|five)[ -]?(?:seat|person|people))/g, ' or ')
    .replace(/\bx(?=\d{1,2}\b)|(?<=\b\d)x\b/g, ' x ')
    .replace(/(?<=\d)\+/g, ' plus ')
    .replace(/[&+]/g, ' and ')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[‐-―−]/g, '-')
    .replace(/(?<=\p{L})n't(?!\p{L})|(?<=\b(?:is|are|do|does))nt\b/gu, ' not')
    .replace(/(?<=\p{L})'(?:s|m|d|ve|re|ll)?(?!\p{L})/gu, '')
    .replace(/(?<!\d)[,.]|[,.](?!\d)/g, ' ')
    .replace(/[^\p{L}\p{N}£,.'"<>=-]+/gu, ' ')
    .trim();

/** The position of a part of a search in its text. */
export interface Place {
  from: number;
  to: number;
}

export interface TypedWord extends Place {
  word: string;
}

/** "2seater" is two words; "model50001" is one, as it is to the database. */
const NUMBER_FIRST = /^(\p{N}{1,2})(\p{L}{3,})$/u;

/** The words of a typed run. Folding can leave several, or none: "⑴" becomes "(1)", and "½" "1⁄2". */
const wordsAt = (typed: string, from: number): TypedWord[] =>
  (folded(typed).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => ({ word: cut(word, MOST_LETTERS), from, to: from + typed.length }));

/** The words of a text with their places: runs of letters and digits. */
export function typedWords(text: string): TypedWord[] {
  return [...text.matchAll(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu)].flatMap(({ 0: typed, index: from }) => {
    const [, number, rest] = NUMBER_FIRST.exec(typed) ?? [];
    return number && rest ? [...wordsAt(number, from), ...wordsAt(rest, from + number.length)] : wordsAt(typed, from);
  });
}

/** The first words of a text. */
export const wordsOf = (text: string): string[] =>
  typedWords(text)
    .slice(0, MOST_WORDS)
    .map(({ word }) => word);

/** The singular of a word by the plain rules of English: "couches" is "couch". Only for comparisons, never shown. */
export function singular(word: string): string {
  if (/(?:ch|sh|ss|x|zz)es$/.test(word)) return word.slice(0, -2);
  if (/[lr]ves$/.test(word)) return `${word.slice(0, -3)}f`;
  if (/[^aeiou]ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  return /[^su]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word;
}

/** The numbers of one word, each at its own index. */
export const NUMBERS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );

/** Spells digits from 1 to 10 as a word: "2" and "two" are the same to a search. */
export const asNumberWord = (word: string): string => (/^(?:[1-9]|10)$/.test(word) ? (NUMBERS[Number(word)] ?? word) : word);

/** `two` → 2; 0 for any other word than a number from 1 to 19. */
export const numberOfWord = (word: string): number => Math.max(0, NUMBERS.indexOf(word));

export const isNumberWord = (word: string): boolean => /^\d+$/.test(word) || NUMBERS.includes(word);
