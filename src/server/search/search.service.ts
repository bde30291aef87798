import type { Db } from '#server/platform/database/connect.ts';
import { type Asked, type Attempt, attemptsOf, type Place, type WantedTerm } from './attempts.ts';
import { type Chip, chipsOf } from './chips.ts';
import { loadEnglish } from './english.ts';
import { asNumberWord, comparable } from './folded.ts';
import { type KnownWord, Lookup } from './lookup.service.ts';
import { type Wanted, wantedQuery } from './match.ts';
import { partsOf, type ReadWord, type Term, termsOf } from './understand.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What a search may mean. All of its texts are made from the search as it is compared, so that two that find the same have the same. */
export interface Reading {
  /** The fullest reading first, each with what it leaves out in words, the chips of what it needs, and the search without them. */
  attempts: (Attempt & { without: string[]; chips: Chip[]; plain: string })[];
  /** What no attempt reads, since more was typed than counts, in words. */
  unread: string[];
  /** The search with its typing errors corrected; null where there was none. */
  corrected: string | null;
  /** The same in single spellings, the likeliest first; none where there was no error. */
  spellings: string[];
  /** What each word that something has may match in the name of a category, as the text of a `tsquery`, in their order. */
  words: string[];
  /** What it asks for beside words. */
  chips: Chip[];
  /** The search without its chips. */
  plain: string;
}

const formsOf = (words: readonly KnownWord[]) => words.map(({ word, stem }) => ({ word, stem }));

function wantedOf({ any, except, isLast, kind }: Term, lookup: Lookup): Wanted | undefined {
  const phrases = any.map((phrase) => phrase.map((word) => lookup.read(word)));
  const [own = []] = phrases;
  // A kind of piece is a whole word: "bed" does not begin "bedside".
  const begun = isLast && kind !== 'piece' ? (own.at(-1)?.begins ?? null) : null;
  const isLabel = own.every((word, index) => word.isLabel || (begun === 'label' && index === own.length - 1));
  const isUsed = own.every((word, index) => word.isUsed || (begun === 'text' && index === own.length - 1));
  const isLed = phrases.slice(1).some((phrase) => phrase.every((word) => word.isLabel));
  if (!isLabel && !isUsed && !isLed) return undefined;
  return {
    any: phrases.map(formsOf),
    except: except.map((phrase) => phrase.map((word) => lookup.read(word))).map(formsOf),
    isLabel: isLabel || isLed,
    isTold: isUsed && !own.some((word) => word.isKind),
    begun,
    completions: own.at(-1)?.completions ?? null,
    isWhole: own.at(-1)?.isLabel ?? false,
  };
}

/** Whether products are called what a term says, in whole words. */
const isCalled = ({ any }: Term, lookup: Lookup) => any.some((phrase) => phrase.every((word) => lookup.read(word).isLabel));
/** Whether a term ends with a word of a category. */
const isOfKind = ({ any }: Term, lookup: Lookup) => any.some((phrase) => lookup.read(phrase.at(-1) ?? '').isKind);

/** Sorts a search's terms into those that the catalogue has and those left out. A search for kinds of piece that are not sold finds nothing. */
function askedOf(terms: readonly Term[], lookup: Lookup): Pick<Asked, 'pieces' | 'others' | 'leftOut'> {
  const known: WantedTerm[] = [];
  const unknown: Term[] = [];
  for (const term of terms) {
    const wanted = wantedOf(term, lookup);
    if (wanted) known.push({ term, wanted: term.kind === 'piece' ? { ...wanted, isTold: false } : wanted });
    else unknown.push(term);
  }
  const named = terms.filter(({ kind }) => kind === 'piece');
  const called = known.filter(({ term, wanted }) => term.kind === 'piece' && wanted.isLabel);
  const whole = called.filter(({ term }) => isCalled(term, lookup));
  const pieces = named.length > 0 ? (whole.length > 0 ? whole : called) : known.filter(({ term }) => isOfKind(term, lookup)).slice(-1);
  if (named.length > 0 && pieces.length === 0) return { pieces: [], others: [], leftOut: [] };
  const others = known.filter((one) => !pieces.includes(one) && one.term.kind !== 'piece');
  const gone = known.filter((one) => !pieces.includes(one) && !others.includes(one)).map(({ term }) => term);
  return { pieces, others, leftOut: [...unknown, ...gone] };
}

/** A category is named by the last word of a kind: "Lamp" holds table lamps. */
const ofCategory = (wanted: Wanted): Wanted => ({
  ...wanted,
  any: wanted.any.map((phrase, index) => (index === 0 ? phrase.slice(-1) : phrase)),
});

const isCorrected = ({ word, meant }: ReadWord) => meant[0] !== undefined && !meant.includes(asNumberWord(word));

/** The text with other words in the place of some. */
const spelled = (text: string, words: readonly ReadWord[], spell: (word: ReadWord) => string): string =>
  words.reduceRight((left, word) => left.slice(0, word.from) + spell(word) + left.slice(word.to), text).trim();

/** The text in each likely spelling of its mistyped words: their first ones, their second ones, and so on. */
function spellingsOf(text: string, corrected: readonly ReadWord[]): string[] {
  const most = Math.max(0, ...corrected.map(({ meant }) => meant.length));
  return Array.from({ length: most }, (_, index) => spelled(text, corrected, ({ meant }) => meant[index] ?? meant[0] ?? ''));
}

/** Reads a search: what it asks for, in the words of this catalogue. Without any word or amount there are no attempts. */
export async function readSearch(db: Db, typed: string, vocabulary: Vocabulary): Promise<Reading> {
  const text = comparable(typed);
  const { words, amounts, leftOut } = partsOf(text);
  const lookup = new Lookup(db, vocabulary, await loadEnglish());
  const last = words.slice(-1).map(({ word }) => word);
  await lookup.learn(
    words.map(({ word }) => word),
    last,
  );
  const read = words.map((word, index) => ({ ...word, meant: lookup.meant(word.word, index === words.length - 1) }));
  const understood = termsOf(read, vocabulary);
  await lookup.learn(
    understood.terms.flatMap(({ any, except }) => [...any, ...except].flat()),
    read.at(-1)?.meant ?? [],
  );
  const { terms } = understood;
  const { pieces, others, leftOut: unknown } = askedOf(terms, lookup);
  const attempts = attemptsOf({
    pieces,
    others,
    amounts: pieces.length + others.length > 0 || terms.every(({ kind }) => kind !== 'piece') ? amounts : [],
    leftOut: [...leftOut, ...understood.leftOut, ...unknown],
    isEverything: understood.isEverything,
  });
  const corrected = read.filter(isCorrected);
  const typedAt = ({ from, to }: Place) => text.slice(from, to).trim();
  return {
    attempts: attempts.map((attempt) => ({
      ...attempt,
      without: attempt.leftOut.map(typedAt),
      ...chipsOf(text, attempt.terms, attempt.amounts),
    })),
    unread: leftOut.map(typedAt),
    corrected: corrected.length === 0 ? null : spelled(text, corrected, ({ meant }) => meant.join(' or ')),
    spellings: spellingsOf(text, corrected),
    words: [...pieces, ...others]
      .sort((one, other) => one.term.from - other.term.from)
      .map(({ wanted }) => wantedQuery(ofCategory(wanted))),
    ...chipsOf(text, terms, amounts),
  };
}
