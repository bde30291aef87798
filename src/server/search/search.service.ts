import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import type { Amount } from './amounts.ts';
import { type Chip, chipsOf } from './chips.ts';
import { Lookup } from './lookup.service.ts';
import { amountsMatch, matching, type Ranking, rankingOf, type Wanted, wantedQuery } from './match.ts';
import { pricedAs } from './priced.ts';
import { partsOf, type ReadWord, type Term, termsOf } from './understand.ts';
import type { Vocabulary } from './vocabulary.ts';
import { asNumberWord } from './words.ts';

/** A search as the database runs it. */
export interface Attempt {
  /** Names it among lists: two with the same name find the same. */
  name: string;
  matches: RawBuilder<SqlBool>;
  /** The same at one step of prices, and few others, where an index finds them together (`pricedAs`). */
  priced: RawBuilder<SqlBool> | undefined;
  /** How well products match; undefined where no words were typed. */
  rank: Ranking | undefined;
  /** Whether something that was asked for is left out. */
  isPartial: boolean;
  /** What every product that it finds has. */
  needs: { wanted: readonly Wanted[]; amounts: readonly Amount[] };
}

/** What a search may mean, the fullest reading first. */
export interface Reading {
  /** Each with the chips of what it needs, and the search without them. */
  attempts: (Attempt & { chips: Chip[]; plain: string })[];
  /** The search with its typing errors corrected; null where there was none. */
  corrected: string | null;
  /** The same in single spellings, the likeliest first; none where there was no error. */
  spellings: string[];
  /** What each word that something has may match, as queries, in their order. */
  words: RawBuilder<unknown>[];
  /** What it asks for beside words. */
  chips: Chip[];
  /** The search without its chips. */
  plain: string;
}

function wantedOf({ any, isLast }: Term, lookup: Lookup): Wanted | undefined {
  const [own = []] = any;
  const known = own.map((word) => lookup.read(word));
  const begun = isLast ? (known.at(-1)?.begins ?? null) : null;
  const isLabel = known.every((word, index) => word.isLabel || (begun === 'label' && index === known.length - 1));
  const isUsed = known.every((word, index) => word.isUsed || (begun === 'text' && index === known.length - 1));
  if (!isLabel && !isUsed && any.length === 1) return undefined;
  return {
    any,
    isLabel: isLabel || any.length > 1,
    isTold: isUsed && !known.some((word) => word.isKind),
    begun,
    completions: known.at(-1)?.completions ?? null,
    isWhole: known.at(-1)?.isLabel ?? false,
  };
}

const nameOf = (wanted: readonly Wanted[], amounts: readonly Amount[], count: number) =>
  // Sold-out products stand behind the others, so that what runs out or comes back moves a search's pages.
  JSON.stringify(['in stock', count, wanted, amounts.map(({ of, min, max }) => [of, min, max])]);

function attemptOf(wanted: readonly Wanted[], amounts: readonly Amount[], count: number, isPartial: boolean): Attempt {
  const measured = amountsMatch(amounts);
  const together = (words: RawBuilder<SqlBool>) => (measured ? sql<SqlBool>`${words} and ${measured}` : words);
  const needs = { wanted: count === wanted.length ? wanted : [], amounts };
  const known = { name: nameOf(wanted, amounts, count), priced: pricedAs(wanted, count), isPartial, needs };
  if (wanted.length === 0) return { ...known, matches: measured ?? sql<SqlBool>`false`, rank: undefined };
  const rank = rankingOf(wanted, count);
  const above = (points: number) => {
    const words = rank.above(points);
    return words && together(words);
  };
  return { ...known, matches: together(matching(wanted, count)), rank: { ...rank, above } };
}

/** So many words are left out one by one: there are many ways to have some of many, and each is a part of the query. */
const MOST_LOOSENED = 5;

/**
 * All that was asked for; then without what only descriptions could have; then fewer and fewer of the words; at last the same without the prices
 * and lengths.
 */
function attemptsOf(wanted: readonly Wanted[], amounts: readonly Amount[], isComplete: boolean): Attempt[] {
  if (wanted.length === 0) return amounts.length > 0 ? [attemptOf([], amounts, 0, !isComplete)] : [];
  const labels = wanted.filter(({ isLabel }) => isLabel);
  const whole = attemptOf(wanted, amounts, wanted.length, !isComplete);
  const fewer = labels.length > 0 ? labels : wanted;
  const loosened = fewer.slice(0, MOST_LOOSENED);
  const counts = Array.from({ length: loosened.length }, (_, index) => loosened.length - index);
  const loosenedWith = (some: readonly Amount[]) => [
    attemptOf(fewer, some, fewer.length, true),
    ...counts.map((count) => attemptOf(loosened, some, count, true)),
  ];
  const attempts = [whole, ...loosenedWith(amounts), ...(amounts.length > 0 ? loosenedWith([]) : [])];
  return attempts.filter(({ name }, index) => attempts.findIndex((other) => other.name === name) === index);
}

/** What is the same of a term and of what it wants. */
const keyOf = ({ any }: Pick<Term, 'any'>) => JSON.stringify(any);

const isCorrected = ({ word, meant }: ReadWord) => meant[0] !== undefined && !meant.includes(asNumberWord(word));

/** The text with other words in the place of some. */
const spelled = (typed: string, words: readonly ReadWord[], spell: (word: ReadWord) => string): string =>
  words.reduceRight((text, word) => text.slice(0, word.from) + spell(word) + text.slice(word.to), typed).trim();

/** The text in each likely spelling of its mistyped words: their first ones, their second ones, and so on. */
function spellingsOf(typed: string, corrected: readonly ReadWord[]): string[] {
  const most = Math.max(0, ...corrected.map(({ meant }) => meant.length));
  return Array.from({ length: most }, (_, index) => spelled(typed, corrected, ({ meant }) => meant[index] ?? meant[0] ?? ''));
}

/** Reads a search: what it asks for, in the words of this catalogue. Without any word or amount there are no attempts. */
export async function readSearch(db: Db, typed: string, vocabulary: Vocabulary): Promise<Reading> {
  const { words, amounts } = partsOf(typed);
  const lookup = await Lookup.of(db, words, vocabulary);
  const read: ReadWord[] = words.map((word, index) => ({ ...word, meant: lookup.meant(word.word, index === words.length - 1) }));
  const terms = termsOf(read, vocabulary);
  const meant = read.flatMap((word) => word.meant.map((other) => ({ ...word, word: other })));
  const isOther = read.some(({ word, meant: [first] }) => first !== asNumberWord(word));
  const known = isOther ? await Lookup.of(db, meant, vocabulary) : lookup;
  const wanted = terms.map((term) => wantedOf(term, known));
  // What was typed twice is wanted once.
  const findable = [...new Map(wanted.filter((one) => one !== undefined).map((one) => [keyOf(one), one])).values()];
  const corrected = read.filter(isCorrected);
  return {
    attempts: attemptsOf(
      findable,
      amounts,
      wanted.every((one) => one !== undefined),
    ).map((attempt) => {
      const needed = new Set(attempt.needs.wanted.map(keyOf));
      return {
        ...attempt,
        ...chipsOf(
          typed,
          terms.filter((term) => needed.has(keyOf(term))),
          attempt.needs.amounts,
        ),
      };
    }),
    corrected: corrected.length === 0 ? null : spelled(typed, corrected, ({ meant }) => meant.join(' or ')),
    spellings: spellingsOf(typed, corrected),
    words: findable.map((one) => wantedQuery(one)),
    ...chipsOf(typed, terms, amounts),
  };
}
