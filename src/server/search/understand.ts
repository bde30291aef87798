import { type Amount, amountsIn } from './amounts.ts';
import { keyOf, type Meaning, type Phrase, type Vocabulary } from './vocabulary.ts';
import { asNumberWord, type TypedWord, typedWords } from './words.ts';

/** One thing that a search asks for: some words as they were typed, and what they may stand for, one phrase or another. */
export interface Term {
  any: readonly Phrase[];
  kind: 'words' | 'colour' | 'material';
  /** Whether its last word is the last that was typed, and so perhaps only begun. */
  isLast: boolean;
  /** Where it stands in what was typed. */
  from: number;
  to: number;
}

/** A word, and what it may have been meant to be: itself where it is known, the best first. */
export interface ReadWord extends TypedWord {
  meant: readonly string[];
}

/** So many prices and lengths of a search count: nobody asks for more at once. */
const MOST_AMOUNTS = 4;

/** A search in its parts before any word is looked up: its amounts, and the words beside them. */
export function partsOf(typed: string): { words: TypedWord[]; amounts: Amount[] } {
  const amounts = amountsIn(typed);
  const rest = amounts.reduce((text, { from, to }) => text.slice(0, from) + ' '.repeat(to - from) + text.slice(to), typed);
  const distinct = new Map(amounts.map((amount) => [`${amount.of} ${amount.min} ${amount.max}`, amount]));
  return { words: typedWords(rest), amounts: [...distinct.values()].slice(0, MOST_AMOUNTS) };
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

function kindOf(meaning: Meaning | undefined): Term['kind'] {
  if (meaning?.materials.length) return 'material';
  return meaning?.colours.length ? 'colour' : 'words';
}

/** What a phrase may stand for: itself, and what the vocabulary adds; for a single mistyped word, what each of its likeliest meanings may stand for. */
function alternativesOf(words: readonly ReadWord[], { meanings }: Vocabulary): Phrase[] {
  const spelled = words.length === 1 ? (words[0]?.meant ?? []).map((word) => [asNumberWord(word)]) : [words.map(wordOf)];
  return spelled.flatMap((phrase) => {
    const meaning = meanings.get(keyOf(phrase));
    return [phrase, ...(meaning?.words ?? []), ...[...(meaning?.colours ?? []), ...(meaning?.materials ?? [])].map(phraseOf)];
  });
}

/** The terms of a search whose words are known or corrected. Words that say nothing are left out, unless there are no others. */
export function termsOf(words: readonly ReadWord[], vocabulary: Vocabulary): Term[] {
  const [terms, ignored]: [Term[], Term[]] = [[], []];
  for (let start = 0; start < words.length; ) {
    const length = longestAt(words, start, vocabulary) || 1;
    const phrase = words.slice(start, start + length);
    const [first, last] = [phrase[0], phrase.at(-1)];
    start += length;
    if (!first || !last) break;
    const meaning = vocabulary.meanings.get(keyOf(phrase.map(wordOf)));
    const isLast = start === words.length;
    const term = { any: alternativesOf(phrase, vocabulary), kind: kindOf(meaning), isLast, from: first.from, to: last.to };
    (meaning?.isIgnored ? ignored : terms).push(term);
  }
  return terms.length > 0 ? terms : ignored;
}
