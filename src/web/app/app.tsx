import { type ReactNode, StrictMode } from 'react';
import { Provider } from 'react-redux';
import { MARKETS } from '#contract/market/market.ts';
import type { ShopFacts } from '#contract/page.ts';
import { type AppStore, CompanyContext, MarketContext, OriginContext } from '#web/state/store.ts';
import { PicturesContext } from '#web/ui/picture.tsx';

interface AppProps {
  store: AppStore;
  shop: ShopFacts;
  /** The router of this side. */
  children: ReactNode;
}

/** Wraps the router on both sides. */
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
