import { type ReactNode, StrictMode } from 'react';
import { Provider } from 'react-redux';
import { MARKETS } from '#contract/market/market.ts';
import type { ShopFacts } from '#contract/page.ts';
import { type AppStore, CompanyContext, MarketContext, OriginContext } from '#web/state/store.ts';
import { PicturesContext } from '#web/ui/picture.tsx';

interface AppProps {
  store: AppStore;
  shop: ShopFacts;
  /** The router, which differs between the sides. */
  children: ReactNode;
}

/** What both sides wrap around the router. */
export function App({ store, shop: { market, company, origin, pictures = '' }, children }: AppProps) {
  return (
    <StrictMode>
      <Provider store={store}>
        <MarketContext value={MARKETS[market]}>
          <CompanyContext value={company}>
            <OriginContext value={origin}>
              <PicturesContext value={pictures}>{children}</PicturesContext>
            </OriginContext>
          </CompanyContext>
        </MarketContext>
      </Provider>
    </StrictMode>
  );
}
