import { useEffect } from 'react';
import type { Delivery } from '#contract/delivery/delivery.ts';
import { loadDelivery, selectProductDetail } from '#web/state/product-detail.slice.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * When an order placed now would arrive, as the server says; null while it is not known, which a page asks at once. A page may stay open over a
 * cut-off, or come back from the browser's back/forward cache: the server is asked again then, and once an hour, since the visitor's clock may
 * be wrong.
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
