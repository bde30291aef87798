import { useEffect } from 'react';
import { messageOf } from '#contract/platform/problem.ts';
import { cartDiscount, type KeptDiscount, useCartDiscount } from '#web/browser/cart-discount.ts';
import { selectCart } from '#web/state/cart.slice.ts';
import { selectCheckout } from '#web/state/order.slice.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';

/**
 * Reloads the cart's discount after changes of lines or place, a sent code, and after a refused order. An unknown code is sent once for each press of
 * Apply, since each time counts as a guess.
 */
export function useDiscount(postcode: string | undefined): void {
  const dispatch = useAppDispatch();
  const { items } = useAppSelector(selectCart);
  const { error } = useAppSelector(selectCheckout);
  const { code = '', tries = 0 } = useCartDiscount();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `error` is not read; it triggers a reload.
  useEffect(() => {
    let isCurrent = true;
    const { isUnknown, refusal } = cartDiscount.read() ?? {};
    const show = (answer: Partial<KeptDiscount>) => isCurrent && cartDiscount.write({ ...answer, code, tries });
    dispatch(request('POST /api/cart/discount', { body: { orderItems: items, code: isUnknown ? '' : code, postcode } })).then(
      (answer) => show(isUnknown ? { ...answer, isUnknown, refusal } : answer),
      // Without an answer, for example because the page was left, a code is not refused, and an unknown one stays unknown.
      (thrown) => isUnknown || show({ failure: code && messageOf(thrown) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [dispatch, items, code, tries, postcode, error]);
}
