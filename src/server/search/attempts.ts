import type { FilterQuery } from '#contract/catalogue/filters.ts';
import type { Place } from './folded.ts';
import { type Wanted, type WordQuery, wordQueryOf } from './match.ts';

/** Requested filters and a sort, as the list's parameters. */
export type Asks = Partial<Record<FilterQuery | 'sortBy', string>>;

/** A part of a search that can be dropped: words or a filter. */
export interface Part extends Place {
  kind: PartKind;
  /** Its words. They find products, or beside a filter only rank them. */
  wanted?: Wanted;
  asks?: Asks | undefined;
  /** What an ambiguous part may mean as well: “stone” is a material and a colour, “160” a width and the name of a size. */
  instead?: Pick<Part, 'wanted' | 'asks'>;
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
export interface KnownParts {
  /** Alternative kinds of piece; never left out. */
  pieces: Wanted[];
  parts: Part[];
  sort: Asks;
  /** What every attempt leaves out. */
  leftOut: Place[];
  /** Whether its words only ask for the whole catalogue: "show me everything". */
  isEverything: boolean;
}

/** The order in which parts are left out: first those that people give up most easily. */
const DROPPING_ORDER = ['number', 'price', 'flag', 'description', 'colour', 'material', 'length', 'size', 'words'] as const;
export type PartKind = (typeof DROPPING_ORDER)[number];
/** Parts that do not describe a piece by themselves. */
const LIMITS: PartKind[] = ['price', 'flag', 'length'];

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
  const alternatives = [last, ...pieces.slice(0, -1)].flatMap((piece) => piece.alternatives);
  return [{ ...last, alternatives, except: pieces.flatMap(({ except }) => except) }];
}

/** Combines two requests; values of one filter are alternatives: "oak or walnut". */
function combined(one: Asks, other: Asks): Asks {
  const all: Asks = { ...one, ...other };
  for (const name of ['colourQuery', 'materialQuery', 'seatsQuery'] as const)
    if (one[name] && other[name]) all[name] = `${one[name]}_${other[name]}`;
  return all;
}

/** The possible meanings of a search, the most complete first; none if the catalogue knows nothing of it. */
export function attemptsOf({ pieces, parts: unsorted, sort, leftOut, isEverything }: KnownParts): Attempt[] {
  // Of several parts of one kind, the last one typed is dropped first.
  const parts = unsorted.toReversed().sort((one, other) => DROPPING_ORDER.indexOf(one.kind) - DROPPING_ORDER.indexOf(other.kind));
  const noun = anyOf(pieces);
  const isSale = ({ asks }: Part) => asks?.saleQuery !== undefined;
  const describesPiece = ({ kind }: Part) => !LIMITS.includes(kind);
  const isDescribed = !isEverything && (noun.length > 0 || parts.some(describesPiece));
  const mayBeAll = isEverything || Object.keys(sort).length > 0 || parts.some(isSale);
  // A typed description is never left out altogether: a price alone would find unrelated products.
  const saysEnough = (kept: readonly Part[]) => (isDescribed ? noun.length > 0 || kept.some(describesPiece) : kept.length > 0 || mayBeAll);
  const wantedBy = (some: readonly Part[]) => some.flatMap(({ wanted }) => wanted ?? []);
  const attemptWith = (kept: readonly Part[], dropped: readonly Part[]): Attempt => {
    const words = [...noun, ...wantedBy(kept.filter(({ asks }) => !asks))];
    const leftOutPlaces = [...leftOut, ...dropped.filter((part) => !isSale(part))];
    return {
      words: words.length > 0 ? wordQueryOf(words) : undefined,
      ranked: [...pieces, ...wantedBy(kept)],
      asks: kept.reduce((all, { asks = {} }) => combined(all, asks), sort),
      colours: kept.flatMap(({ asks, wanted }) =>
        asks?.colourQuery ? (wanted?.alternatives[0]?.map(({ word }) => word).join(' ') ?? []) : [],
      ),
      isPartial: leftOutPlaces.length > 0,
      leftOut: leftOutPlaces.map(({ from, to }) => ({ from, to })).sort((one, other) => one.from - other.from),
      isNothingReduced: dropped.some(isSale),
      price: dropped.find(({ kind }) => kind === 'price')?.asks,
      filtered: kept.filter(({ asks }) => asks).map(({ from, to }) => ({ from, to })),
    };
  };
  return masksOf(parts.length).flatMap((mask) => {
    const isDropped = (index: number) => (mask & (2 ** index)) !== 0;
    const [kept, dropped] = [parts.filter((_, index) => !isDropped(index)), parts.filter((_, index) => isDropped(index))];
    if (!saysEnough(kept)) return [];
    // Tried only with at most one part left out: with more, it would double all of the attempts.
    const isAmbiguous = dropped.length < 2 && kept.some(({ instead }) => instead);
    if (!isAmbiguous) return [attemptWith(kept, dropped)];
    const others = kept.map((part) => ({ ...part, ...part.instead }));
    return [attemptWith(kept, dropped), attemptWith(others, dropped)];
  });
}
