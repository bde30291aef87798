import { useContext } from 'react';
import { decimal } from '#contract/market/money.ts';
import { useCartDiscount } from '#web/browser/cart-discount.ts';
import { FAR_DOWN, lazyPart } from '#web/parts/lazy-part.tsx';
import { freeDeliveryText, missingOf } from '#web/shop/delivery/free-delivery.tsx';
import { PieceRow } from '#web/shop/related/piece-link.tsx';
import { selectCart, selectSubtotal } from '#web/state/cart.slice.ts';
import { selectProductDetail } from '#web/state/product-detail.slice.ts';
import { DeliveryContext, MarketContext, useAppSelector } from '#web/state/store.ts';
import { useLoaded } from '#web/state/use-loaded.ts';

const MOST = 8;

/** Below the pieces that reach free delivery, so mostly far from the first screen. */
const CompleteCartRoom = lazyPart(async () => (await import('#web/shop/rooms/complete-room.tsx')).CompleteCartRoom, FAR_DOWN);

/** The cheapest pieces that reach free delivery. */
function Reaching({ missing, text }: { missing: number; text: string }) {
  const { items } = useAppSelector(selectCart);
  const { value, error } = useLoaded('GET /api/products', {
    query: { minPriceQuery: decimal(missing), sortBy: 'ascprice', inStockQuery: 'true' },
  });
  const pieces = value?.products.filter(({ _id }) => !items.some((item) => item._id === _id)).slice(0, MOST);
  if (error || pieces?.length === 0) return null;
  return (
    <section aria-labelledby="reaching" className="grid min-h-72 grid-cols-1 content-start gap-4 border-t border-line pt-8">
      <h2 id="reaching">{text}: any of these gets you there</h2>
      {pieces ? <PieceRow label="Pieces that get you to free delivery" pieces={pieces} /> : FAR_DOWN.fallback}
    </section>
  );
}

/** Below the cart: pieces that reach free delivery, once that is near, and the other pieces of the cart's room. */
export function BesideCart() {
  const [market, delivery] = [useContext(MarketContext), useContext(DeliveryContext)];
  const subtotal = useAppSelector(selectSubtotal);
  const { delivery: dates } = useAppSelector(selectProductDetail);
  const missing = missingOf(delivery, subtotal, dates);
  const { isFreeDelivery } = useCartDiscount();
  const text = !isFreeDelivery && freeDeliveryText(market, delivery, subtotal, dates);
  return (
    <div className="mt-section grid grid-cols-1 gap-section">
      {missing && text && missing <= subtotal && <Reaching missing={missing} text={text} />}
      <CompleteCartRoom />
    </div>
  );
}
