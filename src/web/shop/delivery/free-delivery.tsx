import { useContext } from 'react';
import type { Delivery } from '#contract/delivery/delivery.ts';
import { methodsTaking } from '#contract/delivery/load.ts';
import type { ShopDelivery } from '#contract/delivery/methods.ts';
import { missingToFree } from '#contract/delivery/missing-to-free.ts';
import type { Market } from '#contract/market/market.ts';
import { DeliveryContext, MarketContext } from '#web/state/store.ts';

/** The amount missing to free delivery, in pence. Undefined if it is free already, cannot become free, or the methods for these pieces are not known yet. */
export function missingOf({ methods }: ShopDelivery, subtotal: number, delivery: Delivery | null): number | undefined {
  const hasLimits = methods.some(({ upTo }) => upTo);
  if (hasLimits && !delivery?.load) return undefined;
  // Without limits, all methods take the heaviest load, too.
  return missingToFree(methodsTaking(methods, delivery?.load ?? 'two-person'), subtotal, delivery?.area);
}

/** `£42.00 to free delivery`; undefined if nothing is missing. */
export function freeDeliveryText({ shopPrice }: Market, shop: ShopDelivery, subtotal: number, delivery: Delivery | null) {
  const missing = missingOf(shop, subtotal, delivery);
  // Some postcodes cost more, and the visitor's is not known.
  const mayCostMore = !delivery?.postcode && (delivery?.most.surcharge ?? 0) > 0;
  return missing && `${shopPrice(missing)} to free delivery${mayCostMore ? ' in most places' : ''}`;
}

/** Says how much is missing to free delivery. */
export function FreeDelivery({ subtotal, delivery }: { subtotal: number; delivery: Delivery | null }) {
  const text = freeDeliveryText(useContext(MarketContext), useContext(DeliveryContext), subtotal, delivery);
  return text ? <p className="rounded-soft bg-accent-tint px-3 py-2 text-sm font-medium">{text}</p> : null;
}
