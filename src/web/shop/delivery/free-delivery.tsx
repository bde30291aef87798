import { useContext } from 'react';
import type { Delivery } from '#contract/delivery/delivery.ts';
import type { ShopDelivery } from '#contract/delivery/methods.ts';
import { missingToFree } from '#contract/delivery/missing-to-free.ts';
import type { Market } from '#contract/market/market.ts';
import { DeliveryContext, MarketContext } from '#web/state/store.ts';

/** `£42.00 to free delivery`; undefined where it is free already or never will be. */
export function freeDeliveryText({ shopPrice }: Market, { methods }: ShopDelivery, subtotal: number, delivery: Delivery | null) {
  const missing = missingToFree(methods, subtotal, delivery?.area);
  // Some postcodes cost more, and nobody has said where this goes.
  const isElsewhere = !delivery?.postcode && (delivery?.most.surcharge ?? 0) > 0;
  return missing && `${shopPrice(missing)} to free delivery${isElsewhere ? ' in most places' : ''}`;
}

/** What is missing to free delivery. */
export function FreeDelivery({ subtotal, delivery }: { subtotal: number; delivery: Delivery | null }) {
  const text = freeDeliveryText(useContext(MarketContext), useContext(DeliveryContext), subtotal, delivery);
  return text ? <p className="rounded-soft bg-accent-tint px-3 py-2 text-sm font-medium">{text}</p> : null;
}
