import type { ShopFacts } from '#contract/page.ts';
import type { RootState } from '#web/state/store.ts';

/** The server's data for the browser, as a JSON block. */
export interface PageState {
  store: RootState;
  shop: ShopFacts;
  /** What the loaders returned, by route. */
  loaderData: Record<string, unknown>;
  /** Loader errors by route. */
  errors: Record<string, { message: string }> | null;
}
