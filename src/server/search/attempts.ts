import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Amount } from './amounts.ts';
import { amountsMatch, matching, queryOf, type Ranking, rankingOf, type Wanted } from './match.ts';
import type { Term } from './understand.ts';

/** Where a part of a search stands in its text. */
export interface Place {
  from: number;
  to: number;
}

/** A term that some product has. */
export interface WantedTerm {
  term: Term;
  wanted: Wanted;
}

/** A search as the database runs it. */
export interface Attempt {
  matches: RawBuilder<SqlBool>;
  /** Its words as the text of a `tsquery`; undefined where none were typed. */
  query: string | undefined;
  /** How well products match, made for the one attempt of many that is read; undefined where no words were typed. */
  rank: (() => Ranking) | undefined;
  /** Whether anything that was asked for is left out. */
  isPartial: boolean;
  /** What every product that it finds has. */
  terms: Term[];
  amounts: Amount[];
  /** What of the search is left out. */
  leftOut: Place[];
  /** The price that is left out, if one is. */
  leftOutPrice: Amount | undefined;
}

/** A search as far as anything in the catalogue answers to it. */
export interface Asked {
  /** Kinds of piece, never left out; where no product is all of them, any of them. */
  pieces: WantedTerm[];
  others: WantedTerm[];
  amounts: Amount[];
  /** What is left out in any case. */
  leftOut: Place[];
  isEverything: boolean;
}

/** Something that can be left out by itself. */
interface Part {
  others: WantedTerm[];
  amounts: Amount[];
}

/** The order in which parts are left out: what people give up first comes first. */
const ORDER = ['number', 'price', 'told', 'colour', 'material', 'length', 'size', 'words'];

const orderOf = ({ term: { kind }, wanted }: WantedTerm) => (kind === 'words' && !wanted.isLabel ? 'told' : kind);

function partsIn({ others, amounts }: Asked): Part[] {
  const ofTerms = others.map((one) => ({ order: orderOf(one), part: { others: [one], amounts: [] } }));
  const ofAmounts = ['price', 'length'].map((order) => ({
    order,
    part: { others: [], amounts: amounts.filter(({ of }) => (of === 'price') === (order === 'price')) },
  }));
  // Of several parts of one kind, the one that was typed last goes first.
  return [...ofTerms.reverse(), ...ofAmounts.filter(({ part }) => part.amounts.length > 0)]
    .sort((one, other) => ORDER.indexOf(one.order) - ORDER.indexOf(other.order))
    .map(({ part }) => part);
}

/** All pairs would be too many attempts for more parts. */
const MOST_PAIRED = 5;

/**
 * Which parts to leave out, one attempt after the other, each as a number with a bit for each part: none, one, two, the first few of the order,
 * all but one. A later part weighs more than all before it, so that these numbers in their order are the attempts in theirs.
 */
function masksOf(count: number): number[] {
  const bits = Array.from({ length: count }, (_, index) => 2 ** index);
  const all = 2 ** count - 1;
  const pairs = count > MOST_PAIRED ? [] : bits.flatMap((one) => bits.filter((other) => other > one).map((other) => one + other));
  const masks = [0, ...bits, ...pairs, ...bits.map((bit) => 2 * bit - 1), ...bits.map((bit) => all - bit)];
  return [...new Set(masks)].sort((one, other) => one - other);
}

/** Any of some kinds of piece. */
function anyOf(pieces: readonly WantedTerm[]): Wanted[] {
  const last = pieces.at(-1)?.wanted;
  if (!last) return [];
  // What is only begun is the first phrase of what is wanted.
  const others = pieces.slice(0, -1).map(({ wanted }) => wanted);
  const any = [...last.any, ...others.flatMap((wanted) => wanted.any)];
  return [{ ...last, any, except: [...last.except, ...others.flatMap(({ except }) => except)] }];
}

function attemptOf(
  wanted: readonly Wanted[],
  kept: Pick<Attempt, 'terms' | 'amounts' | 'leftOut' | 'leftOutPrice' | 'isPartial'>,
): Attempt {
  const measured = amountsMatch(kept.amounts);
  if (wanted.length === 0) return { ...kept, matches: measured, query: undefined, rank: undefined };
  const matches = sql<SqlBool>`${matching(wanted)} and ${measured}`;
  return { ...kept, matches, query: queryOf(wanted), rank: () => rankingOf(wanted) };
}

/** What a search may mean, the fullest reading first; none for a search without any word or amount that something answers to. */
export function attemptsOf(asked: Asked): Attempt[] {
  const { pieces, others, amounts, leftOut, isEverything } = asked;
  const parts = partsIn(asked);
  const hasWords = pieces.length + others.length > 0;
  const [every, any] = [pieces.map(({ wanted }) => wanted), anyOf(pieces)];
  const attemptWith = (isEither: boolean, mask: number): Attempt => {
    const isKept = (_: Part, index: number) => (mask & (2 ** index)) === 0;
    const kept = parts.filter(isKept);
    const gone = parts.filter((part, index) => !isKept(part, index));
    const keptOthers = others.filter((one) => kept.some((part) => part.others.includes(one)));
    const keptAmounts = amounts.filter((one) => kept.some((part) => part.amounts.includes(one)));
    const places = [...leftOut, ...gone.flatMap((part) => [...part.others.map(({ term }) => term), ...part.amounts])];
    return attemptOf([...(isEither ? any : every), ...keptOthers.map(({ wanted }) => wanted)], {
      terms: [...(isEither ? [] : pieces), ...keptOthers].map(({ term }) => term),
      amounts: keptAmounts,
      leftOut: places.sort((one, other) => one.from - other.from),
      leftOutPrice: gone.flatMap((part) => part.amounts).find(({ of }) => of === 'price'),
      isPartial: isEither || places.length > 0,
    });
  };
  /** Amounts alone, or nothing at all, would find what nobody searched for. */
  const saysEnough = (mask: number) =>
    pieces.length > 0 || parts.some((part, index) => (mask & (2 ** index)) === 0 && (!hasWords || part.others.length > 0));
  if (parts.length === 0 && !hasWords && !isEverything) return [];
  const masks = masksOf(parts.length).filter((mask) => saysEnough(mask) || (isEverything && mask === 2 ** parts.length - 1));
  const whole = pieces.length > 1 ? [attemptWith(false, 0)] : [];
  return [...whole, ...masks.map((mask) => attemptWith(pieces.length > 1, mask))];
}
