import { MAX_LINES } from '#contract/platform/limits.ts';
import { baseOfKeptCart, listsText, mergeLists } from '#contract/wishlist/merge.ts';
import { wishKey } from '#contract/wishlist/wish-key.ts';
import type { ListedLine, Lists, SyncedLists, Wish } from '#contract/wishlist/wishlist.ts';
import { isSameWish, keptWishes, readSyncedCart, readWishes, writeSyncedCart } from '#web/browser/wishes.ts';
import { type CartItem, cartRestored } from '#web/state/cart.slice.ts';
import { lineOf, nameOf, wishOf } from '#web/state/piece-line.ts';
import { dropListsOfOthers, isSyncedPage } from '#web/state/storage-sync.ts';
import type { AppStore } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { toast } from '#web/ui/toast.ts';

/** Debounce of changes. */
const PAUSE_MS = 300;

const isSyncedHere = () => isSyncedPage(location.pathname);
const listed = (item: CartItem): ListedLine => ({ ...wishOf(item), qty: item.qty });
const itemsText = (count: number) => (count === 1 ? 'one item' : `${count} items`);

const listsHere = (store: AppStore): Lists => ({
  wishes: readWishes().wishes,
  cart: store.getState().cart.items.slice(0, MAX_LINES).map(listed),
});

/** Cart items after a merge: this browser's, with the merged quantity, and added ones, with current names and prices. */
function itemsOf(store: AppStore, { cart }: Lists, synced: SyncedLists): CartItem[] {
  const { items } = store.getState().cart;
  return cart.flatMap((line) => {
    const here = items.find((item) => isSameWish(wishOf(item), line));
    if (here) return here.qty === line.qty ? here : { ...here, qty: line.qty };
    const { piece } = synced.cart.find((one) => isSameWish(one, line)) ?? {};
    return piece ? lineOf(piece, line.qty) : [];
  });
}

/** A toast after login about what the account's lists added or replaced. */
function announce(before: readonly CartItem[], items: readonly CartItem[], newWishes: readonly Wish[]): void {
  const replaced = before.filter((item) => items.some((one) => one._id === item._id && !isSameWish(wishOf(one), wishOf(item))));
  const added = items.filter(({ _id }) => !before.some((item) => item._id === _id)).length;
  // A replaced line is a new wish too, unless it was on the list before.
  const saved = newWishes.filter((wish) => !replaced.some((item) => isSameWish(wishOf(item), wish))).length;
  const texts = [
    added > 0 && `Your cart has ${itemsText(added)} from your account.`,
    saved > 0 && `Your wish list has ${itemsText(saved)} from your account.`,
    ...replaced.map((item) => `${nameOf(item)} was moved to your wish list, because your account’s cart has another size or colour of it.`),
  ].filter((text) => typeof text === 'string');
  if (texts.length > 0) toast.info(texts.join(' '));
}

/** Session and lists after the last sync. Its own change of the cart must not start another. */
let settled = '';
const stateOf = (store: AppStore) => `${store.getState().user.userInfo?.token} ${listsText(listsHere(store))}`;

async function syncAccount(store: AppStore, user: string): Promise<void> {
  if (stateOf(store) === settled) return;
  dropListsOfOthers(store, user);
  const { synced, shared } = readWishes();
  const lastCart = readSyncedCart();
  const mine = listsHere(store);
  const base: Lists = { wishes: synced?.wishes ?? [], cart: lastCart?.user === user ? lastCart.cart : [] };
  const reply = await store.dispatch(request('PUT /api/users/lists', { body: { base, mine, ...(shared && { key: shared.key }) } }));
  if (store.getState().user.userInfo?._id !== user) return;
  const theirs = { wishes: reply.wishes, cart: reply.cart.map(({ piece: _, ...line }) => line) };
  // Changes made during the request count as this browser's.
  const now = listsHere(store);
  const merged = mergeLists(mine, now, theirs);
  const { link, oldLinks } = reply;
  keptWishes.write({ wishes: merged.wishes, synced: { user, wishes: theirs.wishes, link, oldLinks } });
  // A checkout may have begun meanwhile.
  if (!isSyncedHere()) return writeSyncedCart({ user, cart: baseOfKeptCart(base.cart, mine.cart, theirs.cart) });
  // A line without its piece cannot be shown. It stays out of the base: its absence here must not count as a removal.
  const shown = theirs.cart.filter((line, place) => reply.cart[place]?.piece || mine.cart.some((one) => isSameWish(one, line)));
  writeSyncedCart({ user, cart: shown });
  const { items: before, shippingMethod } = store.getState().cart;
  const items = itemsOf(store, merged, reply);
  if (items.length !== before.length || items.some((item, place) => item !== before[place]))
    store.dispatch(cartRestored({ items, shippingMethod }));
  if (!synced) {
    const known = new Set(now.wishes.map(wishKey));
    announce(
      before,
      items,
      merged.wishes.filter((wish) => !known.has(wishKey(wish))),
    );
  }
  if (listsText(now) === listsText(mine)) settled = stateOf(store);
  else syncLists(store);
}

/** Updates a visitor's shared list. */
async function syncShared(store: AppStore): Promise<void> {
  const { wishes, shared } = readWishes();
  if (shared) await store.dispatch(request('POST /api/wishlists', { body: { key: shared.key, wishes } }));
}

let timer: ReturnType<typeof setTimeout> | undefined;
let last: Promise<void> = Promise.resolve();

/** Merges this browser's lists with the account's, one request at a time. Best effort: the next load or change retries. */
export function syncLists(store: AppStore): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    last = last
      .then(() => {
        const user = store.getState().user.userInfo?._id;
        if (!isSyncedHere()) return undefined;
        return user ? syncAccount(store, user) : syncShared(store);
      })
      .catch(() => undefined);
  }, PAUSE_MS);
}
