import { cut } from '#contract/platform/text.ts';

/** Limits on a search: its words, and the letters of each. */
export const MOST_WORDS = 12;
const LONGEST = 40;

/** A text as it is compared: no accents, small letters, one form of each character. The database's `folded` does the same. */
export function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/**
 * A search as it is compared: two with the same text find the same, and what is shown of one is made from this text alone, so that nobody
 * sees what somebody else typed. Marks count only where they may belong to a price or a length.
 */
export const comparable = (search: string): string =>
  folded(search)
    .replace(/(?<=\d)\+/g, ' plus ')
    .replace(/[&+]/g, ' and ')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[‐-―−]/g, '-')
    .replace(/(?<=\p{L})n't(?!\p{L})/gu, ' not')
    .replace(/(?<=\p{L})'(?:s|m|d|ve|re|ll)?(?!\p{L})/gu, '')
    .replace(/(?<!\d)[,.]|[,.](?!\d)/g, ' ')
    .replace(/[^\p{L}\p{N}£,.'"<>=-]+/gu, ' ')
    .trim();

/** A word of a search, with its position. */
export interface TypedWord {
  word: string;
  from: number;
  to: number;
}

/** "2seater" is two words; "model50001" is one, as it is to the database. */
const NUMBER_FIRST = /^(\p{N}{1,2})(\p{L}{3,})$/u;

/** The words of a typed run. Folding can leave several, or none: "⑴" becomes "(1)", and "½" "1⁄2". */
const wordsAt = (typed: string, from: number): TypedWord[] =>
  (folded(typed).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => ({ word: cut(word, LONGEST), from, to: from + typed.length }));

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

/** A word without its plural, by the plain rules of English: "couches" is "couch". Only compared, never shown. */
export function singular(word: string): string {
  if (/(?:ch|sh|ss|x|zz)es$/.test(word)) return word.slice(0, -2);
  if (/[lr]ves$/.test(word)) return `${word.slice(0, -3)}f`;
  if (/[^aeiou]ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  return /[^su]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word;
}

/** The numbers that are one word, each at its place. */
export const NUMBERS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );

/** A number from 1 to 10 as a word, however it was typed: "2" and "two" are the same to a search. */
export const asNumberWord = (word: string): string => (/^(?:[1-9]|10)$/.test(word) ? (NUMBERS[Number(word)] ?? word) : word);

/** `two` → 2; 0 for what is no number from 1 to 19. */
export const numberOfWord = (word: string): number => Math.max(0, NUMBERS.indexOf(word));

export const isNumberWord = (word: string): boolean => /^\d+$/.test(word) || NUMBERS.includes(word);
