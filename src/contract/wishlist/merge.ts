import { wishKey } from './wish-key.ts';
import type { ListedLine, Lists, Wish } from './wishlist.ts';

/** Cart lines are identified by product (specification §4). This key also tells variants apart. */
const lineText = (line: ListedLine | undefined): string => (line ? JSON.stringify([wishKey(line), line.qty]) : '');

/** The same text for the same lists: JSON from the database has its keys in another order. */
export const listsText = ({ wishes, cart }: Lists): string => JSON.stringify([wishes.map(wishKey), cart.map(lineText)]);

const byProduct = (lines: readonly ListedLine[]) => new Map(lines.map((line) => [line._id, line]));
const byChoice = (wishes: readonly Wish[]) => new Map(wishes.map((wish) => [wishKey(wish), wish]));

/** The keys of both: the first's in its order, then those that only the second has. */
const keysOf = (one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>) => [...new Set([...one.keys(), ...other.keys()])];

/** Of two variants of one product the larger quantity stays in the cart; for equal quantities the key decides, so that the result is symmetric. */
const isFirst = (one: ListedLine, other: ListedLine) => (one.qty === other.qty ? wishKey(one) < wishKey(other) : one.qty > other.qty);

interface MergedLine {
  line: ListedLine | undefined;
  /** The other variant, which becomes a wish. */
  saved?: Wish;
}

function mergeLine(base: ListedLine | undefined, mine: ListedLine | undefined, theirs: ListedLine | undefined): MergedLine {
  const [before, here, there] = [base, mine, theirs].map(lineText);
  if (here === there || there === before) return { line: mine };
  if (here === before) return { line: theirs };
  // Removed on one side and changed on the other: the change wins.
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
  const [lines, ownLines, otherLines] = [byProduct(base.cart), byProduct(mine.cart), byProduct(theirs.cart)];
  const merged = keysOf(ownLines, otherLines).map((id) => mergeLine(lines.get(id), ownLines.get(id), otherLines.get(id)));
  const [known, own, other] = [byChoice(base.wishes), byChoice(mine.wishes), byChoice(theirs.wishes)];
  const kept = keysOf(own, other).flatMap((key) => {
    // In the base and missing on one side: removed there.
    const isKept = (own.has(key) && other.has(key)) || !known.has(key);
    return isKept ? (own.get(key) ?? other.get(key) ?? []) : [];
  });
  const wishes = byChoice([...kept, ...merged.flatMap(({ saved }) => saved ?? [])]);
  return { cart: merged.flatMap(({ line }) => line ?? []), wishes: [...wishes.values()] };
}

/**
 * The cart's next base where the browser must keep its cart, during a checkout. Lines that browser and account share are in it. Others keep
 * their former base, so that the next merge still sees which side changed them.
 */
export function baseOfKeptCart(base: readonly ListedLine[], mine: readonly ListedLine[], theirs: readonly ListedLine[]): ListedLine[] {
  const [before, here, there] = [byProduct(base), byProduct(mine), byProduct(theirs)];
  return keysOf(there, before).flatMap((id) => {
    const isShared = lineText(here.get(id)) === lineText(there.get(id));
    return (isShared ? there : before).get(id) ?? [];
  });
}
