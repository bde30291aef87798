import { useEffect } from 'react';
import { UNKNOWN_CODE } from '#contract/promotions/unknown-code.ts';
import { cartDiscount, useCartDiscount } from '#web/browser/cart-discount.ts';
import { selectCart } from '#web/state/cart.slice.ts';
import { selectCheckout } from '#web/state/order.slice.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { failureOf, request } from '#web/state/thunk.ts';

/**
 * Reloads the cart's discount after changes of lines, code or place, and after a refused order. A code that nobody made is sent once, since each
 * time counts as a guess.
 */
export function useDiscount(postcode: string | undefined): void {
  const dispatch = useAppDispatch();
  const { items } = useAppSelector(selectCart);
  const { error } = useAppSelector(selectCheckout);
  const { code = '' } = useCartDiscount();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `error` is not read; it triggers a reload.
  useEffect(() => {
    let isCurrent = true;
    const isUnknown = cartDiscount.read()?.refusal === UNKNOWN_CODE;
    const body = { orderItems: items, code: isUnknown ? '' : code, postcode };
    dispatch(request('POST /api/cart/discount', { body })).then(
      (answer) => isCurrent && cartDiscount.write({ ...answer, code, ...(isUnknown && { refusal: UNKNOWN_CODE }) }),
      (thrown) => {
        const { status, message } = failureOf(thrown);
        // Without an answer the code is not refused.
        if (isCurrent) cartDiscount.write({ code, ...(code && (status < 500 ? { refusal: message } : { failure: message })) });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [dispatch, items, code, postcode, error]);
}
