import { type FormEvent, type RefObject, useContext, useEffect, useRef, useState } from 'react';
import { Navigate } from 'react-router';
import type { Session } from '#contract/accounts/users.ts';
import type { Delivery } from '#contract/delivery/delivery.ts';
import { UNITED_KINGDOM } from '#contract/market/market.ts';
import { PAYMENT_METHOD } from '#contract/orders/orders.ts';
import { dayFor } from '#web/browser/delivery-day.ts';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import { Meta } from '#web/parts/meta.tsx';
import { PageSkeleton } from '#web/parts/page-skeleton.tsx';
import { DayChoiceIfOffered } from '#web/shop/cart/day-choice-if-offered.tsx';
import { useAmounts } from '#web/shop/cart/use-amounts.ts';
import { useCheckedCart } from '#web/shop/cart/use-checked-cart.ts';
import { useDiscount } from '#web/shop/cart/use-discount.ts';
import { useUnanswered } from '#web/shop/cart/use-unanswered.ts';
import { useDelivery, usePlace } from '#web/shop/delivery/use-delivery.ts';
import { selectCart, selectSubtotal } from '#web/state/cart.slice.ts';
import { checkoutReset } from '#web/state/order.slice.ts';
import { DeliveryContext, MarketContext, useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { selectUser } from '#web/state/user.slice.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { toast } from '#web/ui/toast.ts';
import { Address, Contact, LEGEND, Payment } from './checkout-fields.tsx';
import { checkCheckout, FIELD_NAMES, payloadOf } from './checkout-form.ts';
import { CheckoutSummary } from './checkout-summary.tsx';
import { useDraft } from './use-draft.ts';
import { usePlaceOrder } from './use-place-order.ts';

const TITLE = 'Checkout';

const ShippingChoice = lazyPart(async () => (await import('#web/shop/cart/shipping-choice.tsx')).ShippingChoice, {
  fallback: <div className="min-h-40" />,
});

/** Contact, shipping and payment for cash on delivery (specification §2, §3, §5). */
export function Component() {
  const { userInfo, isRestored } = useAppSelector(selectUser);
  const isAsking = useUnanswered();
  if (!isRestored || isAsking) return <PageSkeleton title={TITLE} />;
  if (!userInfo) return <Navigate to="/login?redirect=cart" replace />;
  return <Checkout key={userInfo._id} user={userInfo} />;
}

/** The form and the checked cart; `shipping` is the shown price of delivery. A refused order checks the cart again, so that the summary shows current prices. */
function useCheckout(user: Session, shipping: RefObject<number>) {
  const market = useContext(MarketContext);
  const dispatch = useAppDispatch();
  const { items, shippingMethod } = useAppSelector(selectCart);
  const subtotal = useAppSelector(selectSubtotal);
  const { methods } = useContext(DeliveryContext);
  const [refusals, setRefusals] = useState(0);
  const send = usePlaceOrder(user, () => setRefusals((count) => count + 1));
  const form = useForm({
    ...useDraft(user, market),
    schema: async () => (await import('#contract/orders/orders.schema.ts')).CreateOrderBody,
    body: (fields) => ({ ...payloadOf(fields, items, subtotal, shippingMethod, dayFor(methods)), deliveryPrice: shipping.current }),
    names: FIELD_NAMES,
    check: checkCheckout(market),
    send,
  });
  const states = useCheckedCart(refusals);
  useEffect(() => void dispatch(checkoutReset()), [dispatch]);
  /** An empty cart is refused before the fields are checked. */
  const submit = async (event: FormEvent) => {
    if (items.length > 0) return form.submit(event);
    event.preventDefault();
    toast.error('Not Items Found');
  };
  return { form: { ...form, submit }, states };
}

/** The submit button with the total, and when it is paid. */
function PlaceOrder({ pending, isCash, delivery }: { pending: boolean; isCash: boolean; delivery: Delivery | null }) {
  const market = useContext(MarketContext);
  const { total } = useAmounts(delivery);
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

/** Replaces the summary. The form stays: the specification has its submit refuse an empty cart (§5). */
function EmptyCart() {
  return (
    <section aria-label="Cart summary" className="panel grid grid-cols-1 justify-items-start gap-4 lg:order-2">
      <p>Your shopping cart is currently empty.</p>
      <ButtonLink to="/shop">All Products</ButtonLink>
    </section>
  );
}

/** On a phone the summary stands above the form. */
function Checkout({ user }: { user: Session }) {
  const shown = useRef(0);
  const { form, states } = useCheckout(user, shown);
  const { items } = useAppSelector(selectCart);
  const isEmpty = items.length === 0;
  const { country, zip, paymentMethod } = form.fields;
  const place = usePlace(country === UNITED_KINGDOM ? zip : '');
  const delivery = useDelivery(place, items);
  useDiscount(place);
  const { options, shipping } = useAmounts(delivery);
  useEffect(() => {
    shown.current = shipping;
  }, [shipping]);
  return (
    <main id="main" className="container-page py-section">
      <Meta title={TITLE} noindex />
      <h1 className="mb-8">Checkout</h1>
      <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[1fr_24rem] lg:gap-10">
        {isEmpty ? <EmptyCart /> : <CheckoutSummary states={states} delivery={delivery} />}
        <Form
          form={form}
          className="grid gap-8"
          marksRequired
          end={<PlaceOrder pending={form.pending} isCash={paymentMethod === PAYMENT_METHOD.cash} delivery={delivery} />}
        >
          <Contact form={form} user={user} />
          <Address form={form} />
          {!isEmpty && options.length > 1 && <ShippingChoice legend={LEGEND} delivery={delivery} />}
          {!isEmpty && <DayChoiceIfOffered delivery={delivery} />}
          <Payment form={form} />
        </Form>
      </div>
    </main>
  );
}
