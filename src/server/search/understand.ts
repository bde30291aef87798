import { type Amount, amountsIn } from './amounts.ts';
import type { Place } from './attempts.ts';
import { asNumberWord, isNumberWord, MOST_WORDS, type TypedWord, typedWords } from './folded.ts';
import { keyOf, type Meaning, type Phrase, type Vocabulary } from './vocabulary.ts';

/** One thing that a search asks for: some words as they were typed, and what they may stand for, one phrase or another. */
export interface Term {
  any: readonly Phrase[];
  /** What a kind of piece is not, although it begins with the same word. */
  except: readonly Phrase[];
  kind: 'piece' | 'colour' | 'material' | 'size' | 'number' | 'words';
  /** Whether its last word is the last that was typed, and so perhaps only begun. */
  isLast: boolean;
  /** Its words without typing errors. */
  text: string;
  /** Where it stands in what was typed. */
  from: number;
  to: number;
}

/** A word, and what it may have been meant to be: itself where it is known, the best first. */
export interface ReadWord extends TypedWord {
  meant: readonly string[];
}

/** The most of a search that counts: each character, word and amount costs time. What is beyond is left out, and named. */
const MOST = { characters: 100, words: MOST_WORDS, terms: 8, amounts: 4 };

/** A search in its parts before any word is looked up. */
export interface Parts {
  words: TypedWord[];
  amounts: Amount[];
  /** What is not read. */
  leftOut: Place[];
}

/** A text up to a length, without the word that this would cut. */
function wholeWordsOf(typed: string, most: number): string {
  if (typed.length <= most) return typed;
  return typed.slice(0, Math.max(0, typed.lastIndexOf(' ', most)) || most);
}

/** A search in its parts before any word is looked up: its amounts, and the words beside them. */
export function partsOf(typed: string): Parts {
  const text = wholeWordsOf(typed, MOST.characters);
  const amounts = amountsIn(text);
  const rest = amounts.reduce((left, { from, to }) => left.slice(0, from) + ' '.repeat(to - from) + left.slice(to), text);
  const words = typedWords(rest);
  const distinct = [...new Map(amounts.map((amount) => [`${amount.of} ${amount.min} ${amount.max}`, amount])).values()];
  const read = words.slice(0, MOST.words);
  // A word that is typed again is not left out.
  const isNew = ({ word }: TypedWord) => !read.some((other) => other.word === word);
  const beyond = typedWords(typed.slice(text.length)).some(isNew) ? [{ from: text.length, to: typed.length }] : [];
  return {
    words: read,
    amounts: distinct.slice(0, MOST.amounts),
    leftOut: [...distinct.slice(MOST.amounts), ...words.slice(MOST.words).filter(isNew), ...beyond],
  };
}

const wordOf = ({ word, meant }: ReadWord) => asNumberWord(meant[0] ?? word);

/** The longest phrase of the vocabulary that begins at a word, by its length in words; 0 where none does. */
function longestAt(words: readonly ReadWord[], start: number, { meanings, longest }: Vocabulary): number {
  for (let length = Math.min(longest, words.length - start); length > 0; length -= 1) {
    if (meanings.has(keyOf(words.slice(start, start + length).map(wordOf)))) return length;
  }
  return 0;
}

const phraseOf = (text: string): Phrase => text.split(' ');

function kindOf(meaning: Meaning | undefined, any: readonly Phrase[], { meanings }: Vocabulary): Term['kind'] {
  if (meaning?.materials.length) return 'material';
  if (meaning?.colours.length) return 'colour';
  // What a phrase leads to ends with the kind of piece: "two seat sofa".
  const isPiece = any.some((phrase) => meanings.get(keyOf(phrase))?.isPiece || meanings.get(keyOf(phrase.slice(-1)))?.isPiece);
  return isPiece ? 'piece' : 'words';
}

/** What a phrase may stand for: itself, and what the vocabulary adds; for a single mistyped word, what each of its likeliest meanings may stand for. */
function alternativesOf(words: readonly ReadWord[], { meanings }: Vocabulary): Phrase[] {
  const spelled = words.length === 1 ? (words[0]?.meant ?? []).map((word) => [asNumberWord(word)]) : [words.map(wordOf)];
  return spelled.flatMap((phrase) => {
    const meaning = meanings.get(keyOf(phrase));
    return [phrase, ...(meaning?.words ?? []), ...[...(meaning?.colours ?? []), ...(meaning?.materials ?? [])].map(phraseOf)];
  });
}

/** What the words of a search ask for. */
export interface Understood {
  terms: Term[];
  /** Terms that no product is described by, and those beyond the most that count. */
  leftOut: Term[];
  /** Whether there are words, and all of them ask for nothing: "furniture". */
  isEverything: boolean;
}

/** A number and what it counts are one term: neither says anything without the other. */
function counted(terms: readonly (Term & { isSize: boolean })[]): Term[] {
  const joined: Term[] = [];
  for (const { isSize, ...term } of terms) {
    const number = joined.at(-1);
    if (!isSize || number?.kind !== 'number') joined.push(term);
    else
      joined[joined.length - 1] = {
        ...term,
        any: term.any.map((phrase) => [...(number.any[0] ?? []), ...phrase]),
        kind: 'size',
        text: `${number.text} ${term.text}`,
        from: number.from,
      };
  }
  return joined;
}

/** What was typed twice is wanted once. */
const once = (terms: readonly Term[]): Term[] =>
  [...new Map(terms.toReversed().map((term) => [JSON.stringify(term.any), term])).values()].reverse();

/** The terms of a search whose words are known or corrected. Vague words are searched for where there are no others. */
export function termsOf(words: readonly ReadWord[], vocabulary: Vocabulary): Understood {
  const [terms, vague]: (Term & { isSize: boolean })[][] = [[], []] as const;
  let hasIgnored = false;
  for (let start = 0; start < words.length; ) {
    const length = longestAt(words, start, vocabulary) || 1;
    const phrase = words.slice(start, start + length);
    const [first, last] = [phrase[0], phrase.at(-1)];
    start += length;
    if (!first || !last) break;
    const meaning = vocabulary.meanings.get(keyOf(phrase.map(wordOf)));
    const text = phrase.map(wordOf).join(' ');
    const any = alternativesOf(phrase, vocabulary);
    const kind = isNumberWord(text) ? 'number' : kindOf(meaning, any, vocabulary);
    const isLast = start === words.length;
    const next = words[start]?.word;
    const compounds = any.filter(({ length }) => length === 1).flatMap((single) => vocabulary.compounds.get(keyOf(single)) ?? []);
    // "Table lam" is a table lamp that is still being typed.
    const except = compounds.filter(([, second = '']) => !next || !second.startsWith(next));
    const term = { any, except, kind, isSize: meaning?.isSize ?? false, isLast, text, from: first.from, to: last.to } as const;
    if (meaning?.isIgnored) hasIgnored = true;
    else (meaning?.isVague ? vague : terms)?.push(term);
  }
  const all = once(counted((terms?.length ? terms : vague) ?? []));
  const out = counted((terms?.length ? vague : []) ?? []);
  return { terms: all.slice(0, MOST.terms), leftOut: [...out, ...all.slice(MOST.terms)], isEverything: hasIgnored && all.length === 0 };
}
