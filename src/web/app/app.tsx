import { type ReactNode, StrictMode } from 'react';
import { Provider } from 'react-redux';
import type { Company } from '#contract/market/company.ts';
import { MARKETS, type MarketName } from '#contract/market/market.ts';
import { type AppStore, CompanyContext, MarketContext, OriginContext } from '#web/state/store.ts';

interface AppProps {
  store: AppStore;
  market: MarketName;
  company: Company;
  origin: string;
  /** The router, which differs between the sides. */
  children: ReactNode;
}

/** What both sides wrap around the router. */
export function App({ store, market, company, origin, children }: AppProps) {
  return (
    <StrictMode>
      <Provider store={store}>
        <MarketContext value={MARKETS[market]}>
          <CompanyContext value={company}>
            <OriginContext value={origin}>{children}</OriginContext>
          </CompanyContext>
        </MarketContext>
      </Provider>
    </StrictMode>
  );
}
