import { MAX_WISHES } from '#contract/platform/limits.ts';
import type { Lists, SyncedLists, Wish } from '#contract/wishlist/wishlist.ts';
import { WISHLIST_KEY } from './browser-storage.ts';
import { kept } from './stored-value.ts';

/** The wish list in this browser. A logout deletes it (`state/storage-sync.ts`). */
export interface KeptWishes {
  wishes: Wish[];
  /** The account's lists at the last sync, and its links. */
  synced?: (Lists & Pick<SyncedLists, 'link' | 'oldLinks'> & { user: string }) | undefined;
  /** A list shared without an account: the browser's key and the link's token. */
  shared?: { key: string; token: string } | undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string';

function repair(value: unknown): Wish[] {
  const { _id, size, color } = Object(value) as Record<string, unknown>;
  return isText(_id) ? [{ _id, size: isText(size) ? size : null, color: isText(color) ? color : null }] : [];
}

export const keptWishes = kept<KeptWishes>(WISHLIST_KEY, (stored) => {
  const { wishes, synced, shared } = Object(stored) as Partial<KeptWishes>;
  if (!Array.isArray(wishes)) return undefined;
  const isSynced = isText(synced?.user) && Array.isArray(synced.wishes) && Array.isArray(synced.cart);
  return {
    wishes: wishes.flatMap(repair).slice(0, MAX_WISHES),
    synced: isSynced ? synced : undefined,
    shared: isText(shared?.key) && isText(shared.token) ? shared : undefined,
  };
});

const meets = (one: string | null, other: string | null) => one === null || other === null || one === other;

/** Whether a wish and a variant match; an unchosen size or colour matches any. */
export const isMeant = (wish: Wish, { _id, size, color }: Wish): boolean =>
  wish._id === _id && meets(wish.size, size) && meets(wish.color, color);

export const readWishes = (): KeptWishes => keptWishes.read() ?? { wishes: [] };

/** Saves a variant. Returns false if the list is full. */
export function saveWish(wish: Wish): boolean {
  const list = readWishes();
  if (list.wishes.length >= MAX_WISHES) return false;
  if (!list.wishes.some((one) => isMeant(one, wish))) keptWishes.write({ ...list, wishes: [wish, ...list.wishes] });
  return true;
}

/** Removes a variant and the wishes that match it. */
export function dropWish(wish: Wish): void {
  const list = readWishes();
  keptWishes.write({ ...list, wishes: list.wishes.filter((one) => !isMeant(one, wish)) });
}
