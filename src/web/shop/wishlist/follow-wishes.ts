import { readWishes } from '#web/browser/wishes.ts';
import { syncLists } from '#web/parts/lists-sync.ts';
import type { AppStore } from '#web/state/store.ts';

/** Syncs after a change of the wish list, if the visitor has logged in or shares the list. */
export function followWishes(store: AppStore): void {
  if (store.getState().user.userInfo || readWishes().shared) syncLists(store);
}
