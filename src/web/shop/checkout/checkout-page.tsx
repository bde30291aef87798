import { type FormEvent, useContext, useEffect, useState } from 'react';
import { Navigate, useNavigate } from 'react-router';
import { COUNTRY_NAMES } from '#contract/market/countries.ts';
import { PAYMENT_METHOD } from '#contract/orders.ts';
import type { Session } from '#contract/users.ts';
import { deleteDraft } from '#web/browser/drafts.ts';
import { Meta } from '#web/parts/meta.tsx';
import { PageSkeleton } from '#web/parts/page-skeleton.tsx';
import { ShippingChoice, useAmounts } from '#web/shop/cart/shipping-choice.tsx';
import { useAttemptKey } from '#web/shop/cart/use-attempt-key.ts';
import { useCheckedCart } from '#web/shop/cart/use-checked-cart.ts';
import { checkoutFinished, checkoutSucceeded, selectCart, selectSubtotal } from '#web/state/cart.slice.ts';
import { checkoutReset, placeOrder, selectCheckout } from '#web/state/order.slice.ts';
import { MarketContext, useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { selectUser } from '#web/state/user.slice.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { ErrorSummary } from '#web/ui/form/error-summary.tsx';
import { Field, Select } from '#web/ui/form/field.tsx';
import { toast } from '#web/ui/toast.ts';
import { type CheckoutErrors, type CheckoutFields, errorsOf, inOrder, payloadOf, wrongFields } from './checkout-form.ts';
import { CheckoutSummary } from './checkout-summary.tsx';
import { useAfterClick } from './use-after-click.ts';
import { useDraft } from './use-draft.ts';

const TITLE = 'Checkout | Hearth & Oak';
const LEGEND = 'mb-3 font-display text-heading';

/** Contact, shipping and payment for cash on delivery (specification §2, §3, §5). */
export function Component() {
  const { userInfo, isRestored } = useAppSelector(selectUser);
  if (!isRestored) return <PageSkeleton title={TITLE} />;
  if (!userInfo) return <Navigate to="/login?redirect=cart" replace />;
  return <CheckoutForm key={userInfo._id} user={userInfo} />;
}

function useCheckout(user: Session) {
  const market = useContext(MarketContext);
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const { items, shippingMethod } = useAppSelector(selectCart);
  const subtotal = useAppSelector(selectSubtotal);
  const keyOf = useAttemptKey();
  const afterClick = useAfterClick();
  const { fields, isTyped, change } = useDraft(user, market);
  const [errors, setErrors] = useState<CheckoutErrors>({});
  const [attempt, setAttempt] = useState(0);
  const [refusals, setRefusals] = useState(0);
  const states = useCheckedCart(refusals);
  useEffect(() => void dispatch(checkoutReset()), [dispatch]);

  const check = (name: keyof CheckoutFields) => {
    const message = wrongFields(fields, market)[name];
    afterClick(() => setErrors(({ [name]: _, ...others }) => (message ? { ...others, [name]: message } : others)));
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (items.length === 0) return toast.error('Not Items Found');
    const wrong = wrongFields(fields, market);
    setErrors(wrong);
    setAttempt(attempt + 1);
    if (Object.keys(wrong).length > 0) return;
    toast.info('In Process!');
    const body = payloadOf(fields, items, subtotal, shippingMethod);
    const result = await dispatch(placeOrder({ body, idempotencyKey: keyOf(body) }));
    if (placeOrder.rejected.match(result)) {
      setErrors(errorsOf(result.error.errors, fields));
      // The summary shows at once what the order would cost now.
      setRefusals(refusals + 1);
      toast.error(result.error.message);
      return result.error.status === 401 ? navigate('/login?redirect=cart') : undefined;
    }
    toast.success('Order placed successfully!');
    dispatch(checkoutSucceeded());
    deleteDraft('checkoutDraft');
    await navigate('/');
    dispatch(checkoutFinished());
  };
  return { market, fields, isTyped, change, errors, attempt, check, submit, states };
}

interface Typed {
  name: keyof CheckoutFields;
  label: string;
  optional?: true;
  type?: string;
  autoComplete: string;
  inputMode?: 'tel' | 'email' | 'text';
  hint?: string;
}

const CONTACT: Typed[] = [
  { name: 'email', label: 'Email', type: 'email', autoComplete: 'email', inputMode: 'email' },
  { name: 'fullName', label: 'Full name', autoComplete: 'name' },
  { name: 'phone', label: 'Phone', type: 'tel', autoComplete: 'tel', inputMode: 'tel' },
];
const ADDRESS: Typed[] = [
  { name: 'address1', label: 'Address line 1', autoComplete: 'address-line1' },
  { name: 'address2', label: 'Address line 2', autoComplete: 'address-line2', optional: true },
  { name: 'city', label: 'City', autoComplete: 'address-level2' },
  { name: 'state', label: 'State', autoComplete: 'address-level1' },
  { name: 'zip', label: 'ZIP code', autoComplete: 'postal-code' },
];

/** Mails of an order go to the account's address only: it is the one that somebody has shown to be theirs. */
const confirmationHint = ({ email }: Session) =>
  `For questions about this order. The confirmation goes to your account’s address, ${email}.`;

function CheckoutForm({ user }: { user: Session }) {
  const { market, fields, isTyped, change, errors, attempt, check, submit, states } = useCheckout(user);
  const { total } = useAmounts(market);
  const { loading, error } = useAppSelector(selectCheckout);
  const text = ({ name, label, optional, ...rest }: Typed) => (
    <Field
      key={name}
      id={name}
      name={name}
      label={name === 'state' || name === 'zip' ? market.labels[name] : label}
      required={!optional}
      value={fields[name]}
      error={errors[name]}
      onChange={({ target }) => change(name, target.value)}
      onBlur={() => isTyped(name) && check(name)}
      {...rest}
    />
  );
  const select = (name: 'country' | 'paymentMethod', label: string, options: readonly string[]) => (
    <Select
      id={name}
      name={name}
      label={label}
      required
      value={fields[name]}
      error={errors[name]}
      autoComplete={name === 'country' ? 'country-name' : 'off'}
      onChange={({ target }) => change(name, target.value)}
    >
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </Select>
  );
  return (
    <main id="main" className="container-page py-section">
      <Meta title={TITLE} noindex />
      <h1 className="mb-8">Checkout</h1>
      <div className="grid items-start gap-10 lg:grid-cols-[1fr_24rem]">
        <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-8">
          <ErrorSummary errors={inOrder(errors, fields)} attempt={attempt} />
          {error && Object.keys(errors).length === 0 && <Alert>{error}</Alert>}
          <fieldset className="grid gap-4">
            <legend className={LEGEND}>Contact</legend>
            {CONTACT.map((field) => text(field.name === 'email' ? { ...field, hint: confirmationHint(user) } : field))}
          </fieldset>
          <fieldset className="grid gap-4">
            <legend className={LEGEND}>Shipping address</legend>
            {ADDRESS.map(text)}
            {select('country', 'Country', market.countries ?? COUNTRY_NAMES)}
          </fieldset>
          <ShippingChoice legend={LEGEND} />
          <fieldset className="grid gap-4">
            <legend className={LEGEND}>Payment</legend>
            {select('paymentMethod', 'Payment method', [PAYMENT_METHOD.cash, PAYMENT_METHOD.online])}
            {fields.paymentMethod === PAYMENT_METHOD.online && text({ name: 'paymentId', label: 'Payment ID', autoComplete: 'off' })}
          </fieldset>
          <p className="flex justify-between border-t border-line pt-4 font-semibold lg:hidden">
            To pay <span>{market.shopPrice(total)}</span>
          </p>
          <Button type="submit" pending={loading}>
            Place order
          </Button>
        </form>
        <CheckoutSummary states={states} />
      </div>
    </main>
  );
}
