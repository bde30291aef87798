import { MAX_LINES } from '#contract/platform/limits.ts';
import { mergeLists, wishKey } from '#contract/wishlist/merge.ts';
import type { ListedLine, Lists, SyncedLists } from '#contract/wishlist/wishlist.ts';
import { type KeptWishes, keptWishes, readWishes } from '#web/browser/wishes.ts';
import { type CartItem, cartRestored } from '#web/state/cart.slice.ts';
import { lineOf } from '#web/state/piece-line.ts';
import type { AppStore } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { toast } from '#web/ui/toast.ts';

/** The cart must not change during a checkout. */
const isCheckout = () => location.pathname === '/checkout';
/** Debounce of changes. */
const PAUSE_MS = 300;
const EMPTY: Lists = { wishes: [], cart: [] };

const listed = ({ _id, qty, size, color }: CartItem): ListedLine => ({ _id, size: size ?? null, color: color ?? null, qty });
const choiceOf = ({ name, size, colourName }: CartItem) => [name, size, colourName].filter(Boolean).join(', ');
const piecesText = (count: number) => (count === 1 ? 'one piece' : `${count} pieces`);

/** This browser's lists. Wishes left by another account, whose session expired, are excluded. */
function listsHere(store: AppStore, user: string): { mine: Lists; base: Lists; shared: KeptWishes['shared'] } {
  const { wishes, synced, shared } = readWishes();
  const isOwn = synced === undefined || synced.user === user;
  const cart = store.getState().cart.items.slice(0, MAX_LINES).map(listed);
  const base = synced && isOwn ? { wishes: synced.wishes, cart: synced.cart } : EMPTY;
  return { mine: { wishes: isOwn ? wishes : [], cart }, base, shared };
}

/** Cart items after a merge: this browser's unchanged, added ones with current names and prices. */
function itemsOf(store: AppStore, { cart }: Lists, synced: SyncedLists): CartItem[] {
  const { items } = store.getState().cart;
  return cart.flatMap((line) => {
    const here = items.find((item) => wishKey(listed(item)) === wishKey(line));
    if (here) return here.qty === line.qty ? here : { ...here, qty: line.qty };
    const { piece } = synced.cart.find((one) => wishKey(one) === wishKey(line)) ?? {};
    return piece ? lineOf(piece, line.qty) : [];
  });
}

/** A toast after login about what the account's cart added or replaced. */
function announce(before: readonly CartItem[], items: readonly CartItem[]): void {
  const replaced = before.filter((item) => items.some((one) => one._id === item._id && wishKey(listed(one)) !== wishKey(listed(item))));
  const added = items.filter(({ _id }) => !before.some((item) => item._id === _id)).length;
  const texts = [
    added > 0 && `Your cart has ${piecesText(added)} from an earlier visit.`,
    ...replaced.map((item) => `${choiceOf(item)} is on your wish list now: your account’s cart has another choice.`),
  ].filter((text) => typeof text === 'string');
  if (texts.length > 0) toast.info(texts.join(' '));
}

async function syncAccount(store: AppStore, user: string): Promise<void> {
  const { mine, base, shared } = listsHere(store, user);
  const reply = await store.dispatch(request('PUT /api/users/lists', { body: { base, mine, ...(shared && { key: shared.key }) } }));
  if (store.getState().user.userInfo?._id !== user || isCheckout()) return;
  const theirs = { wishes: reply.wishes, cart: reply.cart.map(({ piece: _, ...line }) => line) };
  // Changes made during the request count as this browser's.
  const now = listsHere(store, user).mine;
  const merged = mergeLists(mine, now, theirs);
  const { items: before, shippingMethod } = store.getState().cart;
  const items = itemsOf(store, merged, reply);
  keptWishes.write({ wishes: merged.wishes, synced: { user, ...theirs, link: reply.link, oldLinks: reply.oldLinks } });
  if (items.length !== before.length || items.some((item, place) => item !== before[place]))
    store.dispatch(cartRestored({ items, shippingMethod }));
  if (base === EMPTY) announce(before, items);
  if (JSON.stringify(now) !== JSON.stringify(mine)) syncLists(store);
}

/** Updates a visitor's shared list. */
async function syncShared(store: AppStore): Promise<void> {
  const { wishes, shared } = readWishes();
  if (shared) await store.dispatch(request('POST /api/wishlists', { body: { key: shared.key, wishes } }));
}

let timer: ReturnType<typeof setTimeout> | undefined;
let last: Promise<void> = Promise.resolve();

/** Merges this browser's lists with the account's, one request at a time. Best effort: the next page retries. */
export function syncLists(store: AppStore): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    last = last
      .then(() => {
        const user = store.getState().user.userInfo?._id;
        if (isCheckout()) return undefined;
        return user ? syncAccount(store, user) : syncShared(store);
      })
      .catch(() => undefined);
  }, PAUSE_MS);
}
