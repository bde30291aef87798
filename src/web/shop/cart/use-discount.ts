import { useEffect } from 'react';
import type { Reply } from '#contract/api.ts';
import { messageOf } from '#contract/platform/problem.ts';
import { cartDiscount, useCartDiscount } from '#web/browser/cart-discount.ts';
import { selectCart } from '#web/state/cart.slice.ts';
import { selectCheckout } from '#web/state/order.slice.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';

/** Reloads the cart's discount after changes of lines, code or place, and after a refused order. */
export function useDiscount(postcode: string | undefined): void {
  const dispatch = useAppDispatch();
  const { items } = useAppSelector(selectCart);
  const { error } = useAppSelector(selectCheckout);
  const { code = '' } = useCartDiscount();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `error` is not read; it triggers a reload.
  useEffect(() => {
    let isCurrent = true;
    const show = (answer: Partial<Reply<'POST /api/cart/discount'>>) => isCurrent && cartDiscount.write({ ...answer, code });
    dispatch(request('POST /api/cart/discount', { body: { orderItems: items, code, postcode } })).then(show, (failure) =>
      show({ refusal: code && messageOf(failure) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [dispatch, items, code, postcode, error]);
}
