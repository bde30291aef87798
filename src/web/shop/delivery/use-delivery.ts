import { useEffect } from 'react';
import type { Delivery } from '#contract/delivery/delivery.ts';
import { loadDelivery, selectProductDetail } from '#web/state/product-detail.slice.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Delivery dates of an order placed now; null until loaded. Reloaded hourly, after a cut-off and from the back/forward cache, since the
 * visitor's clock may be wrong.
 */
export function useDelivery(): Delivery | null {
  const dispatch = useAppDispatch();
  const { delivery } = useAppSelector(selectProductDetail);
  useEffect(() => {
    const ask = () => void dispatch(loadDelivery());
    const wait = delivery ? Math.min(Math.max(Date.parse(delivery.until) - Date.now(), MINUTE_MS), HOUR_MS) : 0;
    const timer = setTimeout(ask, wait);
    const onShown = () => document.visibilityState === 'visible' && ask();
    document.addEventListener('visibilitychange', onShown);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onShown);
    };
  }, [dispatch, delivery]);
  return delivery;
}
