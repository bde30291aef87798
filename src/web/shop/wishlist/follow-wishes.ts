import { readWishes } from '#web/browser/wishes.ts';
import type { AppStore } from '#web/state/store.ts';

/** Syncs after a change of the wish list. */
export function followWishes(store: AppStore): void {
  if (!(store.getState().user.userInfo || readWishes().shared)) return;
  void import('#web/parts/lists-sync.ts').then(
    ({ syncLists }) => syncLists(store),
    () => undefined,
  );
}
