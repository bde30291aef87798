import { wishKey } from './wish-key.ts';
import type { ListedLine, Lists, Wish } from './wishlist.ts';

/** The variant and quantity of a cart line, by which two lines of a product are compared. */
const lineText = (line: ListedLine | undefined): string => (line ? JSON.stringify([wishKey(line), line.qty]) : '');

/** The same text for the same lists: JSON from the database has its keys in another order. */
export const listsText = ({ wishes, cart }: Lists): string => JSON.stringify([wishes.map(wishKey), cart.map(lineText)]);

const byProduct = (lines: readonly ListedLine[]) => new Map(lines.map((line) => [line._id, line]));
const byChoice = (wishes: readonly Wish[]) => new Map(wishes.map((wish) => [wishKey(wish), wish]));

/** The keys of two maps: those of the first, then those that only the second has. */
const keysOf = (one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>) => [...new Set([...one.keys(), ...other.keys()])];

/** Of two variants of one product the larger quantity stays in the cart; for equal quantities the key decides, so that the result is symmetric. */
const staysInCart = (one: ListedLine, other: ListedLine) => (one.qty === other.qty ? wishKey(one) < wishKey(other) : one.qty > other.qty);

interface MergedLine {
  line: ListedLine | undefined;
  /** The other variant, which becomes a wish. */
  saved?: Wish;
}

function mergeLine(base: ListedLine | undefined, mine: ListedLine | undefined, theirs: ListedLine | undefined): MergedLine {
  const [baseText, myText, theirText] = [base, mine, theirs].map(lineText);
  if (myText === theirText || theirText === baseText) return { line: mine };
  if (myText === baseText) return { line: theirs };
  // Removed on one side and changed on the other: the change wins.
  if (!(mine && theirs)) return { line: mine ?? theirs };
  if (wishKey(mine) === wishKey(theirs)) return { line: mine.qty > theirs.qty ? mine : theirs };
  const [line, { qty: _, ...saved }] = staysInCart(mine, theirs) ? [mine, theirs] : [theirs, mine];
  return { line, saved };
}

/**
 * The rule of decision 134 for the lists of a browser and of its account. `base` is what both had at the last sync: what only one side changed since is
 * taken from that side. Without a base, at log-in, this is the union, with the larger quantity of each line. Of two variants of one product in the cart
 * one becomes a wish, so nothing is lost.
 */
export function mergeLists(base: Lists, mine: Lists, theirs: Lists): Lists {
  const [baseLines, myLines, theirLines] = [byProduct(base.cart), byProduct(mine.cart), byProduct(theirs.cart)];
  const merged = keysOf(myLines, theirLines).map((id) => mergeLine(baseLines.get(id), myLines.get(id), theirLines.get(id)));
  const [baseWishes, myWishes, theirWishes] = [byChoice(base.wishes), byChoice(mine.wishes), byChoice(theirs.wishes)];
  const keptWishes = keysOf(myWishes, theirWishes).flatMap((key) => {
    // In the base and missing on one side: removed there.
    const isKept = (myWishes.has(key) && theirWishes.has(key)) || !baseWishes.has(key);
    return isKept ? (myWishes.get(key) ?? theirWishes.get(key) ?? []) : [];
  });
  const wishes = byChoice([...keptWishes, ...merged.flatMap(({ saved }) => saved ?? [])]);
  return { cart: merged.flatMap(({ line }) => line ?? []), wishes: [...wishes.values()] };
}

/**
 * The cart's next base while the browser must keep its cart, during a checkout. It has the lines that browser and account share. Other lines keep
 * their former base, so that the next merge still sees which side changed them.
 */
export function baseOfKeptCart(base: readonly ListedLine[], mine: readonly ListedLine[], theirs: readonly ListedLine[]): ListedLine[] {
  const [baseLines, myLines, theirLines] = [byProduct(base), byProduct(mine), byProduct(theirs)];
  return keysOf(theirLines, baseLines).flatMap((id) => {
    const isShared = lineText(myLines.get(id)) === lineText(theirLines.get(id));
    return (isShared ? theirLines : baseLines).get(id) ?? [];
  });
}
