import { useContext, useEffect } from 'react';
import { useNavigate } from 'react-router';
import { businessBuyer } from '#web/browser/business.ts';
import { cartDiscount } from '#web/browser/cart-discount.ts';
import { dayFor } from '#web/browser/delivery-day.ts';
import { readDraft, writeDraft } from '#web/browser/drafts.ts';
import { usePlace } from '#web/shop/delivery/use-delivery.ts';
import { selectCart } from '#web/state/cart.slice.ts';
import { checkoutReset, startCardCheckout } from '#web/state/order.slice.ts';
import { DeliveryContext, useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { selectUserInfo } from '#web/state/user.slice.ts';
import { sayTriedAgain } from './say-tried-again.ts';
import { useAttemptKey } from './use-attempt-key.ts';

/** Back from the provider may restore the page with its button pressed: reset it. */
export function useFreshCheckout() {
  const dispatch = useAppDispatch();
  useEffect(() => {
    const reset = () => void dispatch(checkoutReset());
    reset();
    window.addEventListener('pageshow', reset);
    return () => window.removeEventListener('pageshow', reset);
  }, [dispatch]);
}

/** What was typed at the checkout, for the provider's page. */
const payerOf = ({ fullName, phone, address1, address2, city, state, zip, country }: ReturnType<typeof readDraft>) => ({
  fullName,
  phone,
  shippingAddress: { line1: address1, line2: address2, city, state, postalCode: zip, country },
});

/** Starts a card payment or the checkout; both need a login. */
export function usePay(onCardFailure: () => void) {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const { items, shippingMethod } = useAppSelector(selectCart);
  const user = useAppSelector(selectUserInfo);
  const keyOf = useAttemptKey();
  const place = usePlace();
  const { methods } = useContext(DeliveryContext);
  const payByCard = async () => {
    if (!user) return navigate('/login?redirect=cart');
    const body = {
      orderItems: items,
      customerID: user._id,
      shippingMethod,
      postcode: place,
      deliveryDay: dayFor(methods),
      business: businessBuyer(),
      payer: payerOf(readDraft('checkoutDraft', user._id)),
      discount: cartDiscount.read(),
    };
    const result = await dispatch(startCardCheckout({ body, idempotencyKey: keyOf(body), onWait: sayTriedAgain }));
    if (startCardCheckout.fulfilled.match(result)) {
      writeDraft('payingOrder', user._id, { id: result.payload.orderId });
      return window.location.assign(result.payload.url);
    }
    if (result.error.status === 401) return navigate('/login?redirect=cart');
    // biome-ignore lint/suspicious/noConsole: the specification wants card checkout errors in the console (§8); the page says them too.
    console.warn('Card checkout failed:', result.error.message);
    onCardFailure();
  };
  const payCash = () => void navigate(user ? '/checkout' : '/login?redirect=cart');
  return { payByCard, payCash };
}
