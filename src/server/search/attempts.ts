import type { FilterQuery } from '#contract/catalogue/filters.ts';
import { type Wanted, type WordQuery, wordQueryOf } from './match.ts';
import type { Place } from './understand.ts';

/** Filters and a sort that a search asks for, as the list's parameters. */
export type Asks = Partial<Record<FilterQuery | 'sortBy', string>>;

/** A part of a search that can be dropped: words or a filter. */
export interface Part extends Place {
  order: (typeof ORDER)[number];
  /** Its words: what finds products, or beside a filter what ranks them. */
  wanted?: Wanted;
  asks?: Asks;
  /** What else its words may ask for, where their filter finds nothing: “stone” is a material and a colour. */
  instead?: Asks;
}

/** A search as the database runs it. */
export interface Attempt {
  /** Undefined where only filters are asked for. */
  words: WordQuery | undefined;
  /** What ranks products, the words beside filters included. */
  ranked: Wanted[];
  asks: Asks;
  /** The requested colours, as typed. */
  colours: string[];
  /** Whether anything that was asked for is left out, and what. */
  isPartial: boolean;
  leftOut: Place[];
  /** Whether what is reduced is asked for and left out, which is said instead. */
  isNothingReduced: boolean;
  /** The price that is left out, if one is. */
  price: Asks | undefined;
  /** The parts that filters say. */
  filtered: Place[];
}

/** A search as far as anything in the catalogue answers to it. */
export interface Asked {
  /** Kinds of piece, any of them; never left out. */
  pieces: Wanted[];
  parts: Part[];
  sort: Asks;
  /** What is left out in any case. */
  leftOut: Place[];
  isEverything: boolean;
}

/** The order in which parts are left out: what people give up first comes first. */
const ORDER = ['number', 'price', 'flag', 'told', 'colour', 'material', 'length', 'size', 'words'] as const;
const FILTERS_ALONE = ['price', 'flag', 'length'];

/** For more parts, all combinations would be too many attempts. */
const MOST_COMBINED = 4;

/**
 * Which parts to leave out, one attempt after the other, each as a number with a bit for each part. Of few parts these are all combinations, of more
 * none, one, the first few of the order, all but one. A later part weighs more than all before it, so that the numbers in their order are the
 * attempts in theirs.
 */
function masksOf(count: number): number[] {
  if (count <= MOST_COMBINED) return Array.from({ length: 2 ** count }, (_, mask) => mask);
  const bits = Array.from({ length: count }, (_, index) => 2 ** index);
  const all = 2 ** count - 1;
  const masks = [0, ...bits, ...bits.map((bit) => 2 * bit - 1), ...bits.map((bit) => all - bit)];
  return [...new Set(masks)].sort((one, other) => one - other);
}

/** Any of some kinds of piece. */
function anyOf(pieces: readonly Wanted[]): Wanted[] {
  const last = pieces.at(-1);
  // What is only begun is the first phrase of what is wanted.
  return last
    ? [{ ...last, any: [last, ...pieces.slice(0, -1)].flatMap(({ any }) => any), except: pieces.flatMap(({ except }) => except) }]
    : [];
}

/** Combines two requests; values of one filter are alternatives: "oak or walnut". */
const both = (one: Asks, other: Asks): Asks => ({
  ...one,
  ...other,
  ...Object.fromEntries(
    (['colourQuery', 'materialQuery', 'seatsQuery'] as const).flatMap((name) =>
      one[name] && other[name] ? [[name, `${one[name]}_${other[name]}`]] : [],
    ),
  ),
});

/** What a search may mean, the fullest reading first; none for a search without any word or amount that something answers to. */
export function attemptsOf({ pieces, parts: unsorted, sort, leftOut, isEverything }: Asked): Attempt[] {
  // Of several parts of one kind, the last one typed is dropped first.
  const parts = unsorted.toReversed().sort((one, other) => ORDER.indexOf(one.order) - ORDER.indexOf(other.order));
  const noun = anyOf(pieces);
  const isSale = ({ asks }: Part) => asks?.saleQuery !== undefined;
  const isWorthy = ({ order }: Part) => !FILTERS_ALONE.includes(order);
  const hasWords = noun.length > 0 || parts.some(isWorthy);
  const mayBeAll = isEverything || Object.keys(sort).length > 0 || parts.some(isSale);
  if (parts.length === 0 && !hasWords && !mayBeAll) return [];
  /** Amounts alone, or nothing at all, would find what nobody searched for. */
  const saysEnough = (kept: readonly Part[]) =>
    noun.length > 0 || kept.some((part) => !hasWords || isWorthy(part)) || (mayBeAll && !hasWords);
  const wantedBy = (some: readonly Part[]) => some.flatMap(({ wanted }) => wanted ?? []);
  const attemptWith = (kept: readonly Part[], gone: readonly Part[]): Attempt => {
    const words = [...noun, ...wantedBy(kept.filter(({ asks }) => !asks))];
    const places = [...leftOut, ...gone.filter((part) => !isSale(part))];
    return {
      words: words.length > 0 ? wordQueryOf(words) : undefined,
      ranked: [...noun, ...wantedBy(kept)],
      asks: kept.reduce((all, { asks = {} }) => both(all, asks), sort),
      colours: kept.flatMap(({ asks, wanted }) => (asks?.colourQuery ? (wanted?.any[0]?.map(({ word }) => word).join(' ') ?? []) : [])),
      isPartial: places.length > 0,
      leftOut: places.map(({ from, to }) => ({ from, to })).sort((one, other) => one.from - other.from),
      isNothingReduced: gone.some(isSale),
      price: gone.find(({ order }) => order === 'price')?.asks,
      filtered: kept.filter(({ asks }) => asks).map(({ from, to }) => ({ from, to })),
    };
  };
  return masksOf(parts.length).flatMap((mask) => {
    const isGone = (index: number) => (mask & (2 ** index)) !== 0;
    const [kept, gone] = [parts.filter((_, index) => !isGone(index)), parts.filter((_, index) => isGone(index))];
    if (!saysEnough(kept)) return [];
    const others = kept.map((part) => (part.instead ? { ...part, asks: part.instead } : part));
    // Twice as many attempts would be too many.
    const isEither = gone.length < 2 && kept.some(({ instead }) => instead);
    return isEither ? [attemptWith(kept, gone), attemptWith(others, gone)] : [attemptWith(kept, gone)];
  });
}
