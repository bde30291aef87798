import { MAX_WISHES } from '#contract/platform/limits.ts';
import { wishKey } from '#contract/wishlist/wish-key.ts';
import type { ListedLine, SyncedLists, Wish } from '#contract/wishlist/wishlist.ts';
import { CART_SYNCED_KEY, readStored, WISHLIST_KEY, writeStored } from './browser-storage.ts';
import { storedValue } from './stored-value.ts';

/** The wish list in this browser. A logout deletes it (`state/storage-sync.ts`). */
export interface KeptWishes {
  wishes: Wish[];
  /** The account's wishes at the last sync, and its links. */
  synced?: (Pick<SyncedLists, 'wishes' | 'link' | 'oldLinks'> & { user: string }) | undefined;
  /** A list shared without an account: the browser's key and the link's token. */
  shared?: { key: string; token: string } | undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** A stored wish, or nothing if it is damaged, for `flatMap`. */
function wishIn(value: unknown): Wish[] {
  const { _id, size, color } = Object(value) as Record<string, unknown>;
  return isText(_id) ? [{ _id, size: isText(size) ? size : null, color: isText(color) ? color : null }] : [];
}

export const keptWishes = storedValue<KeptWishes>(WISHLIST_KEY, (stored) => {
  const { wishes, synced, shared } = Object(stored) as Partial<KeptWishes>;
  if (!Array.isArray(wishes)) return undefined;
  return {
    wishes: wishes.flatMap(wishIn).slice(0, MAX_WISHES),
    synced: isText(synced?.user) && Array.isArray(synced.wishes) ? synced : undefined,
    shared: isText(shared?.key) && isText(shared.token) ? shared : undefined,
  };
});

/** An account's cart as this browser last showed it. */
export interface SyncedCart {
  user: string;
  cart: ListedLine[];
}

function lineIn(value: unknown): ListedLine[] {
  const { qty } = Object(value) as Record<string, unknown>;
  return Number.isSafeInteger(qty) ? wishIn(value).map((wish) => ({ ...wish, qty: qty as number })) : [];
}

/** Kept at a logout, as the cart is: the next sync must know what was bought or removed elsewhere. */
export function readSyncedCart(): SyncedCart | undefined {
  const { user, cart } = Object(readStored(CART_SYNCED_KEY)) as Partial<SyncedCart>;
  return isText(user) && Array.isArray(cart) ? { user, cart: cart.flatMap(lineIn) } : undefined;
}

export const writeSyncedCart = (synced: SyncedCart): void => writeStored(CART_SYNCED_KEY, synced);

const matchesIfChosen = (one: string | null, other: string | null) => one === null || other === null || one === other;

/** Whether a wish and a variant match; an unchosen size or colour matches any. */
export const wishMatches = (wish: Wish, { _id, size, color }: Wish): boolean =>
  wish._id === _id && matchesIfChosen(wish.size, size) && matchesIfChosen(wish.color, color);

/** Whether two wishes name the same choice. */
export const isSameWish = (one: Wish, other: Wish): boolean => wishKey(one) === wishKey(other);

export const readWishes = (): KeptWishes => keptWishes.read() ?? { wishes: [] };

/** Saves a variant, unless it is on the list or the list is full. */
export function saveWish(wish: Wish): 'added' | 'known' | 'full' {
  const list = readWishes();
  if (list.wishes.some((one) => isSameWish(one, wish))) return 'known';
  if (list.wishes.length >= MAX_WISHES) return 'full';
  keptWishes.write({ ...list, wishes: [wish, ...list.wishes] });
  return 'added';
}

/** Removes the wishes that are the same as this one or, with `wishMatches` as the rule, match it. */
export function dropWish(wish: Wish, matches: typeof isSameWish = isSameWish): void {
  const list = readWishes();
  keptWishes.write({ ...list, wishes: list.wishes.filter((one) => !matches(one, wish)) });
}
