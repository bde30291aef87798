import { type ReactNode, StrictMode } from 'react';
import { Provider } from 'react-redux';
import { MARKETS } from '#contract/market/market.ts';
import type { ShopFacts } from '#contract/page.ts';
import { type AppStore, CompanyContext, DeliveryContext, MarketContext, OriginContext } from '#web/state/store.ts';
import { PicturesContext } from '#web/ui/picture.tsx';

interface AppProps {
  store: AppStore;
  shop: ShopFacts;
  /** The router of this side. */
  children: ReactNode;
}

/** Wraps the router on both sides. */
export function App({ store, shop: { market, company, delivery, origin, pictures = '' }, children }: AppProps) {
  return (
    <StrictMode>
      <Provider store={store}>
        <MarketContext value={MARKETS[market]}>
          <CompanyContext value={company}>
            <DeliveryContext value={delivery}>
              <OriginContext value={origin}>
                <PicturesContext value={pictures}>{children}</PicturesContext>
              </OriginContext>
            </DeliveryContext>
          </CompanyContext>
        </MarketContext>
      </Provider>
    </StrictMode>
  );
}
