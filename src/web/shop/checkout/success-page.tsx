import { useEffect } from 'react';
import { CART_DISCOUNT_KEY, DELIVERY_DAY_KEY, writeStored } from '#web/browser/browser-storage.ts';
import { forgetOrderNumber } from '#web/browser/business.ts';
import { readDraft, writeDraft } from '#web/browser/drafts.ts';
import { Meta } from '#web/parts/meta.tsx';
import { PaidOrder } from '#web/shop/confirmation/paid-order.tsx';
import { cartEmptied, selectCart } from '#web/state/cart.slice.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { selectUserInfo } from '#web/state/user.slice.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Link } from '#web/ui/link.tsx';

/** The payment provider's return page (specification §2): empties the cart, and shows the order once it is paid. */
export function Component() {
  const dispatch = useAppDispatch();
  const { isRestored } = useAppSelector(selectCart);
  const user = useAppSelector(selectUserInfo);
  useEffect(() => {
    if (!isRestored) return;
    dispatch(cartEmptied());
    // By their keys: the code that reads the values is not needed on this page.
    for (const key of [CART_DISCOUNT_KEY, DELIVERY_DAY_KEY]) writeStored(key, undefined);
    forgetOrderNumber();
  }, [dispatch, isRestored]);
  // Stops the cart from asking about this payment.
  useEffect(() => {
    const paying = user ? readDraft('payingOrder', user._id) : {};
    if (user && paying.id) writeDraft('payingOrder', user._id, { ...paying, isBack: 'yes' });
  }, [user]);
  return (
    <main id="main" className="container-page grid content-start justify-items-center gap-4 py-section text-center">
      <Meta title="Thank you" noindex />
      <h1>Thank You For Your Payment!</h1>
      <p className="text-heading">Order Placed, thanks!!</p>
      <p className="text-soft">An order confirmation will be sent to your email</p>
      {user && <PaidOrder user={user} />}
      {isRestored && !user && (
        <Link to="/login?redirect=orders" className="link">
          Log in to see your order
        </Link>
      )}
      <ButtonLink to="/" className="mt-4">
        Continue Shopping
      </ButtonLink>
    </main>
  );
}
