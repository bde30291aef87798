import { useContext } from 'react';
import { discountRows } from '#contract/promotions/rows.ts';
import { cartDiscount, useCartDiscount } from '#web/browser/cart-discount.ts';
import { DeliveryContext, MarketContext } from '#web/state/store.ts';

/** The cart's discounts, and the code that was accepted. */
export function DiscountLines() {
  const { shopPrice } = useContext(MarketContext);
  const { methods } = useContext(DeliveryContext);
  const { applied = [] } = useCartDiscount();
  const byCode = applied.find((promotion) => promotion.code !== null);
  // A free-delivery code makes only the first method free, so that is named if there are others.
  const said =
    byCode?.isFreeDelivery && methods[1] ? `With code ${byCode.code}, ${methods[0]?.label} is free.` : `Code ${byCode?.code} is applied.`;
  return (
    <>
      <dl className="grid gap-y-2">
        {discountRows({ discounts: applied }, shopPrice).map(([label, text]) => (
          <div key={label + text} className="flex flex-wrap justify-between gap-x-4">
            <dt className="min-w-0 break-words">{label}</dt>
            <dd className="ml-auto min-w-0 break-words text-right font-semibold text-good">{text}</dd>
          </div>
        ))}
      </dl>
      {byCode && (
        <p className="flex flex-wrap items-center gap-x-3 text-sm">
          <span className="min-w-0 break-words">{said}</span>
          <button type="button" className="link min-h-6" onClick={() => cartDiscount.write({ code: '' })}>
            Remove the code
          </button>
        </p>
      )}
    </>
  );
}
