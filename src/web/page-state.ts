import type { Company } from '#contract/market/company.ts';
import type { MarketName } from '#contract/market/market.ts';
import type { RootState } from '#web/state/store.ts';

/** What the server's page hands to the browser, as a JSON data block. */
export interface PageState {
  store: RootState;
  market: MarketName;
  company: Company;
  origin: string;
  /** Where pictures are shown from, unless it is the shop. */
  pictures?: string | undefined;
  /** Failures of loaders, by route. */
  errors: Record<string, { message: string }> | null;
}
