import type { ShopFacts } from '#contract/page.ts';
import type { RootState } from '#web/state/store.ts';

/** What the server's page hands to the browser, as a JSON data block. */
export interface PageState {
  store: RootState;
  shop: ShopFacts;
  /** Failures of loaders, by route. */
  errors: Record<string, { message: string }> | null;
}
