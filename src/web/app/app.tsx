import { type ReactNode, StrictMode, useState } from 'react';
import { Provider } from 'react-redux';
import { MARKETS } from '#contract/market/market.ts';
import type { ShopFacts } from '#contract/page.ts';
import { type AppStore, CompanyContext, DeliveryContext, MarketContext, OriginContext, SetCompanyContext } from '#web/state/store.ts';
import { PicturesContext } from '#web/ui/picture.tsx';

interface AppProps {
  store: AppStore;
  shop: ShopFacts;
  /** The router of this side. */
  children: ReactNode;
}

/** Wraps the router on both sides. */
export function App({ store, shop: { market, company: loaded, delivery, origin, pictures = '' }, children }: AppProps) {
  // Parts that are hydrated late render the state of the server's HTML first, then the present one.
  const [serverState] = useState(store.getState);
  const [company, setCompany] = useState(loaded);
  return (
    <StrictMode>
      <Provider store={store} serverState={serverState}>
        <MarketContext value={MARKETS[market]}>
          <CompanyContext value={company}>
            <SetCompanyContext value={setCompany}>
              <DeliveryContext value={delivery}>
                <OriginContext value={origin}>
                  <PicturesContext value={pictures}>{children}</PicturesContext>
                </OriginContext>
              </DeliveryContext>
            </SetCompanyContext>
          </CompanyContext>
        </MarketContext>
      </Provider>
    </StrictMode>
  );
}
