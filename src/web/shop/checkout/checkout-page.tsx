import { type FormEvent, useContext, useEffect, useState } from 'react';
import { Navigate, useNavigate } from 'react-router';
import { nationOf } from '#contract/delivery/nation.ts';
import { type CheckoutFields, checkCheckout } from '#contract/form-checks.ts';
import { PAYMENT_METHOD } from '#contract/orders.ts';
import type { Session } from '#contract/users.ts';
import { deleteDraft, readDraft, writeDraft } from '#web/browser/drafts.ts';
import { Meta } from '#web/parts/meta.tsx';
import { PageSkeleton } from '#web/parts/page-skeleton.tsx';
import { ShippingChoice, useAmounts } from '#web/shop/cart/shipping-choice.tsx';
import { useAttemptKey } from '#web/shop/cart/use-attempt-key.ts';
import { useCheckedCart } from '#web/shop/cart/use-checked-cart.ts';
import { ORDER_PLACED } from '#web/shop/confirmation/just-placed.ts';
import { useDelivery } from '#web/shop/delivery/use-delivery.ts';
import { checkoutFinished, checkoutSucceeded, selectCart, selectSubtotal } from '#web/state/cart.slice.ts';
import { checkoutReset, placeOrder } from '#web/state/order.slice.ts';
import { MarketContext, useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { selectUser } from '#web/state/user.slice.ts';
import { Button } from '#web/ui/button.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { toast } from '#web/ui/toast.ts';
import { Address, Contact, LEGEND, Payment } from './checkout-fields.tsx';
import { attemptOf, payloadOf, renamed } from './checkout-form.ts';
import { CheckoutSummary } from './checkout-summary.tsx';
import { useDraft } from './use-draft.ts';

const TITLE = 'Checkout | Hearth & Oak';

/** Contact, shipping and payment for cash on delivery (specification §2, §3, §5). */
export function Component() {
  const { userInfo, isRestored } = useAppSelector(selectUser);
  if (!isRestored) return <PageSkeleton title={TITLE} />;
  if (!userInfo) return <Navigate to="/login?redirect=cart" replace />;
  return <Checkout key={userInfo._id} user={userInfo} />;
}

/** Places the order, and says in toasts how it goes (specification §8). */
function usePlaceOrder(user: Session, onRefused: () => void) {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const { items, shippingMethod } = useAppSelector(selectCart);
  const subtotal = useAppSelector(selectSubtotal);
  const keyOf = useAttemptKey({
    read: () => readDraft('checkoutAttempt', user._id),
    write: (attempt) => writeDraft('checkoutAttempt', user._id, { ...attempt }),
  });
  return async (fields: CheckoutFields) => {
    toast.info('In Process!');
    const body = payloadOf(fields, items, subtotal, shippingMethod);
    const result = await dispatch(placeOrder({ body, idempotencyKey: keyOf(attemptOf(body)) }));
    if ('error' in result) {
      const { status, message, errors } = result.error;
      toast.error(message);
      onRefused();
      if (status === 401) await navigate('/login?redirect=cart');
      return { message, errors: renamed(errors) };
    }
    toast.success('Order placed successfully!');
    dispatch(checkoutSucceeded());
    for (const draft of ['checkoutDraft', 'checkoutAttempt'] as const) deleteDraft(draft);
    writeDraft('placedOrder', user._id, { id: result.payload._id });
    // Back then leads to the cart: the form of an order that is placed has nothing more to say.
    await navigate('/', { state: ORDER_PLACED, replace: true });
    dispatch(checkoutFinished());
    return undefined;
  };
}

/** The form, and what the server says of the cart's lines: a refused order asks again, so that the summary shows what it would cost now. */
function useCheckout(user: Session) {
  const market = useContext(MarketContext);
  const dispatch = useAppDispatch();
  const { items } = useAppSelector(selectCart);
  const [refusals, setRefusals] = useState(0);
  const send = usePlaceOrder(user, () => setRefusals((count) => count + 1));
  const form = useForm({ ...useDraft(user, market), check: checkCheckout(market), send });
  const states = useCheckedCart(refusals);
  useEffect(() => void dispatch(checkoutReset()), [dispatch]);
  /** Said before anything is asked of the fields: an empty cart cannot be ordered however they are filled. */
  const submit = async (event: FormEvent) => {
    if (items.length > 0) return form.submit(event);
    event.preventDefault();
    toast.error('Not Items Found');
  };
  return { form: { ...form, submit }, states };
}

/** The button that ends the form with what it costs, and when that is paid. */
function PlaceOrder({ pending, isCash }: { pending: boolean; isCash: boolean }) {
  const market = useContext(MarketContext);
  const { total } = useAmounts(market);
  const amount = total > 0 ? market.shopPrice(total) : '';
  return (
    <div className="grid gap-3">
      <Button type="submit" pending={pending}>
        Place order {amount}
      </Button>
      {isCash && amount && <p className="hint">Nothing is charged now. You pay {amount} in cash when your order arrives.</p>}
    </div>
  );
}

/** What is bought stands above the form on a phone, and beside it where there is room. */
function Checkout({ user }: { user: Session }) {
  const { form, states } = useCheckout(user);
  const { country, zip, paymentMethod } = form.fields;
  const to = { delivery: useDelivery(), nation: nationOf({ country, postalCode: zip }) };
  return (
    <main id="main" className="container-page py-section">
      <Meta title={TITLE} noindex />
      <h1 className="mb-8">Checkout</h1>
      <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[1fr_24rem] lg:gap-10">
        <CheckoutSummary states={states} {...to} />
        <Form
          form={form}
          className="grid gap-8"
          marksRequired
          end={<PlaceOrder pending={form.pending} isCash={paymentMethod === PAYMENT_METHOD.cash} />}
        >
          <Contact form={form} user={user} />
          <Address form={form} />
          <ShippingChoice legend={LEGEND} {...to} />
          <Payment form={form} />
        </Form>
      </div>
    </main>
  );
}
