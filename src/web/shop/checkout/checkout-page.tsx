import { type FormEvent, useContext, useEffect, useState } from 'react';
import { Navigate, useNavigate } from 'react-router';
import { type CheckoutFields, checkCheckout } from '#contract/form-checks.ts';
import { COUNTRY_NAMES } from '#contract/market/countries.ts';
import { PAYMENT_METHOD } from '#contract/orders.ts';
import type { Session } from '#contract/users.ts';
import { deleteDraft } from '#web/browser/drafts.ts';
import { Meta } from '#web/parts/meta.tsx';
import { PageSkeleton } from '#web/parts/page-skeleton.tsx';
import { ShippingChoice, useAmounts } from '#web/shop/cart/shipping-choice.tsx';
import { useAttemptKey } from '#web/shop/cart/use-attempt-key.ts';
import { useCheckedCart } from '#web/shop/cart/use-checked-cart.ts';
import { useDelivery } from '#web/shop/delivery/use-delivery.ts';
import { checkoutFinished, checkoutSucceeded, selectCart, selectSubtotal } from '#web/state/cart.slice.ts';
import { checkoutReset, placeOrder } from '#web/state/order.slice.ts';
import { MarketContext, useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { selectUser } from '#web/state/user.slice.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, Select } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { toast } from '#web/ui/toast.ts';
import { payloadOf, renamed } from './checkout-form.ts';
import { CheckoutSummary } from './checkout-summary.tsx';
import { useDraft } from './use-draft.ts';

const TITLE = 'Checkout | Hearth & Oak';
const LEGEND = 'mb-3 font-display text-heading';
const METHODS = [PAYMENT_METHOD.cash, PAYMENT_METHOD.online];

/** Contact, shipping and payment for cash on delivery (specification §2, §3, §5). */
export function Component() {
  const { userInfo, isRestored } = useAppSelector(selectUser);
  if (!isRestored) return <PageSkeleton title={TITLE} />;
  if (!userInfo) return <Navigate to="/login?redirect=cart" replace />;
  return <Checkout key={userInfo._id} user={userInfo} />;
}

/** Places the order, and says in toasts how it goes (specification §8). */
function usePlaceOrder(onRefused: () => void) {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const { items, shippingMethod } = useAppSelector(selectCart);
  const subtotal = useAppSelector(selectSubtotal);
  const keyOf = useAttemptKey();
  return async (fields: CheckoutFields) => {
    toast.info('In Process!');
    const body = payloadOf(fields, items, subtotal, shippingMethod);
    const result = await dispatch(placeOrder({ body, idempotencyKey: keyOf(body) }));
    if ('error' in result) {
      const { status, message, errors } = result.error;
      toast.error(message);
      onRefused();
      if (status === 401) await navigate('/login?redirect=cart');
      return { message, errors: renamed(errors) };
    }
    toast.success('Order placed successfully!');
    dispatch(checkoutSucceeded());
    deleteDraft('checkoutDraft');
    await navigate('/');
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
  const send = usePlaceOrder(() => setRefusals((count) => count + 1));
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

type CheckoutForm = ReturnType<typeof useCheckout>['form'];

function Contact({ form: { bind }, user }: { form: CheckoutForm; user: Session }) {
  // Mails of an order go to the account's address only: it is the one that somebody has shown to be theirs.
  const hint = `For questions about this order. We will email the confirmation to your account’s address, ${user.email}.`;
  return (
    <fieldset className="grid gap-4">
      <legend className={LEGEND}>Contact</legend>
      <Field label="Email" type="email" autoComplete="email" inputMode="email" required hint={hint} {...bind('email')} />
      <Field label="Full name" autoComplete="name" required {...bind('fullName')} />
      <Field label="Phone" type="tel" autoComplete="tel" inputMode="tel" required {...bind('phone')} />
    </fieldset>
  );
}

function Address({ form: { bind } }: { form: CheckoutForm }) {
  const { labels, countries } = useContext(MarketContext);
  return (
    <fieldset className="grid gap-4">
      <legend className={LEGEND}>Shipping address</legend>
      <Field label="Address line 1" autoComplete="address-line1" required {...bind('address1')} />
      <Field label="Address line 2" autoComplete="address-line2" {...bind('address2')} />
      <Field label="City" autoComplete="address-level2" required {...bind('city')} />
      <Field label={labels.state} autoComplete="address-level1" required {...bind('state')} />
      <Field label={labels.zip} autoComplete="postal-code" required {...bind('zip')} />
      <Select label="Country" autoComplete="country-name" required options={countries ?? COUNTRY_NAMES} {...bind('country')} />
    </fieldset>
  );
}

function Payment({ form: { bind, fields } }: { form: CheckoutForm }) {
  return (
    <fieldset className="grid gap-4">
      <legend className={LEGEND}>Payment</legend>
      <Select label="Payment method" autoComplete="off" required options={METHODS} {...bind('paymentMethod')} />
      {fields.paymentMethod === PAYMENT_METHOD.online && <Field label="Payment ID" autoComplete="off" required {...bind('paymentId')} />}
    </fieldset>
  );
}

function Checkout({ user }: { user: Session }) {
  const market = useContext(MarketContext);
  const { form, states } = useCheckout(user);
  const { total } = useAmounts(market);
  const delivery = useDelivery();
  return (
    <main id="main" className="container-page py-section">
      <Meta title={TITLE} noindex />
      <h1 className="mb-8">Checkout</h1>
      <div className="grid items-start gap-10 lg:grid-cols-[1fr_24rem]">
        <Form form={form} className="grid gap-8">
          <Contact form={form} user={user} />
          <Address form={form} />
          <ShippingChoice legend={LEGEND} delivery={delivery} />
          <Payment form={form} />
          <p className="flex justify-between border-t border-line pt-4 font-semibold lg:hidden">
            To pay <span>{market.shopPrice(total)}</span>
          </p>
          <Button type="submit" pending={form.pending}>
            Place order
          </Button>
        </Form>
        <CheckoutSummary states={states} />
      </div>
    </main>
  );
}
