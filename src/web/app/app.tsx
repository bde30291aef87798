import { type ReactNode, StrictMode } from 'react';
import { Provider } from 'react-redux';
import { MARKETS, type MarketName } from '#contract/market/market.ts';
import { type AppStore, MarketContext, OriginContext } from '#web/state/store.ts';

interface AppProps {
  store: AppStore;
  market: MarketName;
  origin: string;
  /** The router, which differs between the sides. */
  children: ReactNode;
}

/** What both sides wrap around the router. */
export function App({ store, market, origin, children }: AppProps) {
  return (
    <StrictMode>
      <Provider store={store}>
        <MarketContext value={MARKETS[market]}>
          <OriginContext value={origin}>{children}</OriginContext>
        </MarketContext>
      </Provider>
    </StrictMode>
  );
}
