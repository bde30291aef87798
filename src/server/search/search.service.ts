import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import type { Amount } from './amounts.ts';
import { type Chip, chipsOf } from './chips.ts';
import { Lookup } from './lookup.service.ts';
import { amountsMatch, matching, rankOf, type Wanted } from './match.ts';
import { partsOf, type ReadWord, type Term, termsOf } from './understand.ts';
import type { Vocabulary } from './vocabulary.ts';
import { asNumberWord } from './words.ts';

/** A search as the database runs it. */
export interface Attempt {
  /** Names it among lists: two with the same name find the same. */
  name: string;
  matches: RawBuilder<SqlBool>;
  rank: RawBuilder<unknown> | undefined;
  /** Whether something that was asked for is left out. */
  isPartial: boolean;
}

/** What a search may mean, the fullest reading first. */
export interface Reading {
  attempts: Attempt[];
  /** The search with its typing errors corrected; null where there was none. */
  corrected: string | null;
  /** What it asks for beside words. */
  chips: Chip[];
}

function wantedOf({ any, isLast }: Term, lookup: Lookup): Wanted | undefined {
  const [own = []] = any;
  const known = own.map((word) => lookup.read(word));
  const begun = isLast ? (known.at(-1)?.begins ?? null) : null;
  const isLabel = known.every((word, index) => word.isLabel || (begun === 'label' && index === known.length - 1));
  const isUsed = known.every((word, index) => word.isUsed || (begun === 'text' && index === known.length - 1));
  if (!isLabel && !isUsed && any.length === 1) return undefined;
  return { any, isLabel: isLabel || any.length > 1, isTold: !known.some((word) => word.isKind), begun };
}

const nameOf = (wanted: readonly Wanted[], amounts: readonly Amount[], count: number) =>
  // Sold-out products stand behind the others, so that what runs out or comes back moves a search's pages.
  JSON.stringify(['in stock', count, wanted, amounts.map(({ of, min, max }) => [of, min, max])]);

function attemptOf(wanted: readonly Wanted[], amounts: readonly Amount[], count: number, isPartial: boolean): Attempt {
  const conditions = [wanted.length > 0 ? matching(wanted, count) : undefined, amountsMatch(amounts)].filter((one) => one !== undefined);
  return {
    name: nameOf(wanted, amounts, count),
    matches: sql<SqlBool>`${sql.join(conditions, sql` and `)}`,
    rank: wanted.length > 0 ? rankOf(wanted) : undefined,
    isPartial,
  };
}

/**
 * All that was asked for; then without what only descriptions could have; then fewer and fewer of the words; at last the same without the prices
 * and lengths.
 */
function attemptsOf(wanted: readonly Wanted[], amounts: readonly Amount[], isComplete: boolean): Attempt[] {
  if (wanted.length === 0) return amounts.length > 0 ? [attemptOf([], amounts, 0, !isComplete)] : [];
  const labels = wanted.filter(({ isLabel }) => isLabel);
  const fewer = labels.length > 0 ? labels : wanted;
  const whole = attemptOf(wanted, amounts, wanted.length, !isComplete);
  const counts = Array.from({ length: fewer.length }, (_, index) => fewer.length - index);
  const rest = counts.map((count) => attemptOf(fewer, amounts, count, true)).filter(({ name }) => name !== whole.name);
  const without = amounts.length > 0 ? counts.map((count) => attemptOf(fewer, [], count, true)) : [];
  return [whole, ...rest, ...without];
}

/** The text with each corrected word in the place of the one that was typed; null where none was. */
function correctedText(typed: string, words: readonly ReadWord[]): string | null {
  const corrected = words.filter(({ word, meant }) => meant[0] !== undefined && !meant.includes(asNumberWord(word)));
  if (corrected.length === 0) return null;
  return corrected.reduceRight((text, { from, to, meant }) => text.slice(0, from) + meant.join(' or ') + text.slice(to), typed).trim();
}

/** Reads a search: what it asks for, in the words of this catalogue. Without any word or amount there are no attempts. */
export async function readSearch(db: Db, typed: string, vocabulary: Vocabulary): Promise<Reading> {
  const { words, amounts } = partsOf(typed);
  const lookup = await Lookup.of(db, words, vocabulary);
  const read: ReadWord[] = words.map((word, index) => ({ ...word, meant: lookup.meant(word.word, index === words.length - 1) }));
  const terms = termsOf(read, vocabulary);
  const meant = read.flatMap((word) => word.meant.map((other) => ({ ...word, word: other })));
  const isCorrected = read.some(({ word, meant: [first] }) => first !== asNumberWord(word));
  const known = isCorrected ? await Lookup.of(db, meant, vocabulary) : lookup;
  const wanted = terms.map((term) => wantedOf(term, known));
  const findable = wanted.filter((one) => one !== undefined);
  return {
    attempts: attemptsOf(findable, amounts, findable.length === terms.length),
    corrected: correctedText(typed, read),
    chips: chipsOf(typed, terms, amounts),
  };
}
