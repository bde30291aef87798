import type { ListedLine, Lists, Wish } from './wishlist.ts';

/** The identity of a wish. */
export const wishKey = ({ _id, size, color }: Wish): string => JSON.stringify([_id, size, color]);

/** The identity of a cart line is its product (specification §4); this also tells whether two lines are alike. */
const lineText = (line: ListedLine | undefined): string => (line ? JSON.stringify([wishKey(line), line.qty]) : '');

const byKey = <T>(entries: readonly T[], keyOf: (entry: T) => string) => new Map(entries.map((entry) => [keyOf(entry), entry]));

/** The keys of both sides, those of the first in its order before those that only the second has. */
const keysOf = (mine: ReadonlyMap<string, unknown>, theirs: ReadonlyMap<string, unknown>) => [
  ...new Set([...mine.keys(), ...theirs.keys()]),
];

/** Of two variants of one product the line keeps the larger quantity; between equal quantities the key decides, so that the sides do not matter. */
const isFirst = (one: ListedLine, other: ListedLine) => (one.qty === other.qty ? wishKey(one) < wishKey(other) : one.qty > other.qty);

interface MergedLine {
  line: ListedLine | undefined;
  /** The variant for which the line has no room. */
  saved?: Wish;
}

function mergeLine(base: ListedLine | undefined, mine: ListedLine | undefined, theirs: ListedLine | undefined): MergedLine {
  const [before, here, there] = [base, mine, theirs].map(lineText);
  if (here === there || there === before) return { line: mine };
  if (here === before) return { line: theirs };
  // Changed on both sides: a removal gives way to a change.
  if (!(mine && theirs)) return { line: mine ?? theirs };
  if (wishKey(mine) === wishKey(theirs)) return { line: mine.qty > theirs.qty ? mine : theirs };
  const [line, { qty: _, ...saved }] = isFirst(mine, theirs) ? [mine, theirs] : [theirs, mine];
  return { line, saved };
}

/**
 * The rule of decision 134 for the lists of a browser and of its account. `base` is what both had at the last sync: what only one side changed since is
 * taken from that side. Without a base, at log-in, this is the union, with the larger quantity of each line. Of two variants of one product in the cart
 * one becomes a wish, so nothing is lost.
 */
export function mergeLists(base: Lists, mine: Lists, theirs: Lists): Lists {
  const [lines, ownLines, otherLines] = [base, mine, theirs].map(({ cart }) => byKey(cart, ({ _id }) => _id)) as [
    Map<string, ListedLine>,
    Map<string, ListedLine>,
    Map<string, ListedLine>,
  ];
  const merged = keysOf(ownLines, otherLines).map((id) => mergeLine(lines.get(id), ownLines.get(id), otherLines.get(id)));
  const [known, own, other] = [base, mine, theirs].map(({ wishes }) => byKey(wishes, wishKey)) as [
    Map<string, Wish>,
    Map<string, Wish>,
    Map<string, Wish>,
  ];
  const kept = keysOf(own, other).flatMap((key) => {
    // Known before and missing on one side: removed there.
    const isKept = (own.has(key) && other.has(key)) || !known.has(key);
    return isKept ? (own.get(key) ?? other.get(key) ?? []) : [];
  });
  const wishes = byKey([...kept, ...merged.flatMap(({ saved }) => saved ?? [])], wishKey);
  return { cart: merged.flatMap(({ line }) => line ?? []), wishes: [...wishes.values()] };
}
