import type { FilterQuery } from '#contract/catalogue/filters.ts';
import type { Place } from './folded.ts';
import { type Wanted, type WordQuery, wordQueryOf } from './match.ts';

/** Requested filters and a sort, as the list's parameters. */
export type Asks = Partial<Record<FilterQuery | 'sortBy', string>>;

/** A part of a search that can be dropped: words or a filter. */
export interface Part extends Place {
  order: (typeof ORDER)[number];
  /** Its words. They find products, or beside a filter only rank them. */
  wanted?: Wanted;
  asks?: Asks;
  /** The other filter that an ambiguous word may mean: “stone” is a material and a colour. */
  instead?: Asks;
}

/** A search as the database runs it. */
export interface Attempt {
  /** Undefined for a search of filters alone. */
  words: WordQuery | undefined;
  /** The words that rank products, with those beside filters. */
  ranked: Wanted[];
  asks: Asks;
  /** The requested colours, as typed. */
  colours: string[];
  /** Whether any part is left out. */
  isPartial: boolean;
  leftOut: Place[];
  /** Whether a request for reduced products is left out; it has a message of its own and is not in `leftOut`. */
  isNothingReduced: boolean;
  /** The price filter that is left out, if one is. */
  price: Asks | undefined;
  /** The places of the parts that are filters. */
  filtered: Place[];
}

/** The parts of a search that the catalogue knows. */
export interface Asked {
  /** Alternative kinds of piece; never left out. */
  pieces: Wanted[];
  parts: Part[];
  sort: Asks;
  /** What every attempt leaves out. */
  leftOut: Place[];
  isEverything: boolean;
}

/** The order in which parts are left out: first those that people give up most easily. */
const ORDER = ['number', 'price', 'flag', 'told', 'colour', 'material', 'length', 'size', 'words'] as const;
/** Parts that do not describe a piece by themselves. */
const LIMITS: Part['order'][] = ['price', 'flag', 'length'];

/** For more parts, all combinations would be too many attempts. */
const MOST_COMBINED = 4;

/**
 * The attempts in their order, each as a bit mask of the parts to leave out. Up to `MOST_COMBINED` parts these are all combinations; of more parts, an attempt
 * leaves out none, one, the first few of the order, or all but one. Ascending masks leave out later parts last, since a later part has a higher bit.
 */
function masksOf(count: number): number[] {
  if (count <= MOST_COMBINED) return Array.from({ length: 2 ** count }, (_, mask) => mask);
  const bits = Array.from({ length: count }, (_, index) => 2 ** index);
  const all = 2 ** count - 1;
  const masks = [0, ...bits, ...bits.map((bit) => 2 * bit - 1), ...bits.map((bit) => all - bit)];
  return [...new Set(masks)].sort((one, other) => one - other);
}

/** Alternative kinds of piece as one. */
function anyOf(pieces: readonly Wanted[]): Wanted[] {
  const last = pieces.at(-1);
  if (!last) return [];
  // Only the first phrase may be incomplete, so the last typed one goes first.
  const any = [last, ...pieces.slice(0, -1)].flatMap((piece) => piece.any);
  return [{ ...last, any, except: pieces.flatMap(({ except }) => except) }];
}

/** Combines two requests; values of one filter are alternatives: "oak or walnut". */
function both(one: Asks, other: Asks): Asks {
  const all: Asks = { ...one, ...other };
  for (const name of ['colourQuery', 'materialQuery', 'seatsQuery'] as const)
    if (one[name] && other[name]) all[name] = `${one[name]}_${other[name]}`;
  return all;
}

/** The possible meanings of a search, the most complete first; none if the catalogue knows nothing of it. */
export function attemptsOf({ pieces, parts: unsorted, sort, leftOut, isEverything }: Asked): Attempt[] {
  // Of several parts of one kind, the last one typed is dropped first.
  const parts = unsorted.toReversed().sort((one, other) => ORDER.indexOf(one.order) - ORDER.indexOf(other.order));
  const noun = anyOf(pieces);
  const isSale = ({ asks }: Part) => asks?.saleQuery !== undefined;
  const isDescription = ({ order }: Part) => !LIMITS.includes(order);
  const hasDescription = !isEverything && (noun.length > 0 || parts.some(isDescription));
  const mayBeAll = isEverything || Object.keys(sort).length > 0 || parts.some(isSale);
  // A typed description is never left out altogether: a price alone would find unrelated products.
  const saysEnough = (kept: readonly Part[]) =>
    hasDescription ? noun.length > 0 || kept.some(isDescription) : kept.length > 0 || mayBeAll;
  const wantedBy = (some: readonly Part[]) => some.flatMap(({ wanted }) => wanted ?? []);
  const attemptWith = (kept: readonly Part[], gone: readonly Part[]): Attempt => {
    const words = [...noun, ...wantedBy(kept.filter(({ asks }) => !asks))];
    const places = [...leftOut, ...gone.filter((part) => !isSale(part))];
    return {
      words: words.length > 0 ? wordQueryOf(words) : undefined,
      ranked: [...pieces, ...wantedBy(kept)],
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
    // Only with at most one part left out, since all would be twice as many attempts.
    const isAmbiguous = gone.length < 2 && kept.some(({ instead }) => instead);
    if (!isAmbiguous) return [attemptWith(kept, gone)];
    const others = kept.map((part) => (part.instead ? { ...part, asks: part.instead } : part));
    return [attemptWith(kept, gone), attemptWith(others, gone)];
  });
}
