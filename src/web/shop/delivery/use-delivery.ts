import { useContext, useEffect } from 'react';
import type { Delivery } from '#contract/delivery/delivery.ts';
import { postcode } from '#web/browser/postcode.ts';
import { useStoredValue } from '#web/browser/stored-value.ts';
import { loadDelivery, selectProductDetail } from '#web/state/product-detail.slice.ts';
import { DeliveryContext, useAppDispatch, useAppSelector } from '#web/state/store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A whole British postcode, or its first half; the server knows exactly. */
const PLACE = /^[a-z]{1,2}\d[a-z\d]?(\s*\d[a-z]{2})?$/i;

export const isPlace = (text: string): boolean => PLACE.test(text.trim());

/** The postcode for the request: the typed address's, else the stored one. */
export function usePlace(typed = ''): string | undefined {
  const stored = useStoredValue(postcode);
  const { variesByPlace } = useContext(DeliveryContext);
  if (isPlace(typed)) return typed.trim();
  return variesByPlace ? stored : undefined;
}

/**
 * Delivery dates of an order of these products placed now; null until loaded. Reloaded for another postcode or other products, when the page is
 * shown again, and after a cut-off: at least hourly and at most each minute, since the visitor's clock may be wrong.
 */
export function useDelivery(postcode = '', pieces: readonly { _id: string }[] = []): Delivery | null {
  const products = [...new Set(pieces.map(({ _id }) => _id))].join();
  const dispatch = useAppDispatch();
  const { delivery } = useAppSelector(selectProductDetail);
  useEffect(() => {
    const ask = () => void dispatch(loadDelivery({ postcode, products }));
    const isCurrent = delivery?.postcode === postcode && delivery.products === products;
    const wait = isCurrent ? Math.min(Math.max(Date.parse(delivery.until) - Date.now(), MINUTE_MS), HOUR_MS) : 0;
    const timer = setTimeout(ask, wait);
    const onShown = () => document.visibilityState === 'visible' && ask();
    document.addEventListener('visibilitychange', onShown);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onShown);
    };
  }, [dispatch, delivery, postcode, products]);
  if (!delivery || delivery.products === products) return delivery;
  // Drops the days, which are those of other products. The prices of the same postcode stay.
  return delivery.postcode === postcode ? { ...delivery, options: [], load: null, leaves: null } : null;
}
