import { useContext } from 'react';
import { MarketContext } from '#web/state/store.ts';

/** After the price that is paid: what it was before the sale, where that may be said (decision 120). */
export function WasPrice({ price }: { price: number | null | undefined }) {
  const market = useContext(MarketContext);
  if (price == null) return null;
  return (
    <span className="font-sans text-sm font-normal text-soft">
      was <s>{market.shopPrice(price)}</s>
    </span>
  );
}
