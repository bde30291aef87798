import { useContext, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { Meta } from '#web/parts/meta.tsx';
import { PageSkeleton } from '#web/parts/page-skeleton.tsx';
import { type CartItem, itemRemoved, itemReturned, selectCart } from '#web/state/cart.slice.ts';
import { checkoutReset, selectCheckout, startCardCheckout } from '#web/state/order.slice.ts';
import { MarketContext, useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { selectUserInfo } from '#web/state/user.slice.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { CartLine } from './cart-line.tsx';
import { ShippingChoice, useAmounts } from './shipping-choice.tsx';
import { useAttemptKey } from './use-attempt-key.ts';
import { useCheckedCart } from './use-checked-cart.ts';
import { useReturn } from './use-return.ts';

const TITLE = 'Cart | Hearth & Oak';

interface Removed {
  item: CartItem;
  index: number;
}

/** Coming back from the provider's page by the back button finds the page as it was left: pressed. */
function useFreshCheckout() {
  const dispatch = useAppDispatch();
  useEffect(() => {
    const reset = () => void dispatch(checkoutReset());
    reset();
    window.addEventListener('pageshow', reset);
    return () => window.removeEventListener('pageshow', reset);
  }, [dispatch]);
}

/** Starts a card payment or the checkout; both are for customers who are logged in. */
function usePay(onCardFailure: () => void) {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const { items, shippingMethod } = useAppSelector(selectCart);
  const user = useAppSelector(selectUserInfo);
  const keyOf = useAttemptKey();
  const payByCard = async () => {
    if (!user) return navigate('/login?redirect=cart');
    const body = { orderItems: items, customerID: user._id, shippingMethod };
    const result = await dispatch(startCardCheckout({ body, idempotencyKey: keyOf(body) }));
    if (startCardCheckout.fulfilled.match(result)) return window.location.assign(result.payload.url);
    if (result.error.status === 401) return navigate('/login?redirect=cart');
    // biome-ignore lint/suspicious/noConsole: the specification wants card checkout errors in the console (§8); the page says them too.
    console.warn('Card checkout failed:', result.error.message);
    onCardFailure();
  };
  const payCash = () => void navigate(user ? '/checkout' : '/login?redirect=cart');
  return { payByCard, payCash };
}

/** What the cart comes to; with its delivery where there is a choice of it. */
function Amounts() {
  const market = useContext(MarketContext);
  const { items } = useAppSelector(selectCart);
  const { options, subtotal, shipping, total } = useAmounts(market);
  return (
    <>
      <dl className="grid grid-cols-2 gap-y-2">
        <dt>Subtotal</dt>
        <dd className="text-right font-semibold">{market.shopPrice(subtotal)}</dd>
        <dt>Total Items</dt>
        <dd className="text-right">{items.length}</dd>
      </dl>
      <ShippingChoice />
      {options.length > 1 && (
        <dl className="grid grid-cols-2 gap-y-2 border-t border-line pt-4">
          <dt>Delivery</dt>
          <dd className="text-right">{shipping === 0 ? 'Free' : market.shopPrice(shipping)}</dd>
          <dt className="font-semibold">Total</dt>
          <dd className="text-right font-semibold">{market.shopPrice(total)}</dd>
        </dl>
      )}
    </>
  );
}

function Summary({ isBlocked, onCardFailure }: { isBlocked: boolean; onCardFailure: () => void }) {
  const { loading, error } = useAppSelector(selectCheckout);
  const { payByCard, payCash } = usePay(onCardFailure);
  return (
    <section aria-label="Summary" className="panel grid content-start gap-4 lg:sticky lg:top-32">
      <h2>Summary</h2>
      <Amounts />
      {error && <Alert>{error}</Alert>}
      {isBlocked && <p className="wrong">Please check the highlighted items first.</p>}
      <Button pending={loading} disabled={isBlocked} onClick={() => void payByCard()}>
        Checkout
      </Button>
      <Button look="secondary" disabled={isBlocked || loading} onClick={payCash}>
        Cash on delivery
      </Button>
      <p className="hint">You pay on our payment provider’s secure page. We never see your card details.</p>
    </section>
  );
}

/** Removing a line, and putting it back where it was. */
function useRemoval() {
  const dispatch = useAppDispatch();
  const [removed, setRemoved] = useState<Removed>();
  const remove = (item: CartItem, index: number) => {
    dispatch(itemRemoved(item._id));
    setRemoved({ item, index });
  };
  const undo = () => {
    if (removed) dispatch(itemReturned(removed));
    setRemoved(undefined);
  };
  return { removed, remove, undo };
}

interface NewsProps {
  returned: string;
  removal: ReturnType<typeof useRemoval>;
}

/** What has just happened: a return from the provider's page, or a line that was removed. */
function News({ returned, removal: { removed, undo } }: NewsProps) {
  return (
    <div role="status" className="mt-4">
      {returned && <p className="rounded-soft bg-accent-tint px-4 py-2">{returned}</p>}
      {removed && (
        <p className="flex flex-wrap items-center gap-3 rounded-soft bg-accent-tint px-4 py-2">
          {removed.item.name} was removed.
          <button type="button" className="btn btn-quiet" onClick={undo}>
            Undo
          </button>
        </p>
      )}
    </div>
  );
}

function EmptyCart() {
  return (
    <div className="mt-6 grid justify-items-start gap-5">
      <p className="text-heading">Your shopping cart is currently empty.</p>
      <ButtonLink to="/newarrivals">See new arrivals</ButtonLink>
    </div>
  );
}

/** The cart (specification §2). It lives in the browser; what it shows is checked against the server when it opens. */
export function Component() {
  const { items, isRestored } = useAppSelector(selectCart);
  const removal = useRemoval();
  const [failures, setFailures] = useState(0);
  const returned = useReturn();
  const states = useCheckedCart(`${failures} ${returned}`);
  useFreshCheckout();
  if (!isRestored) return <PageSkeleton title={TITLE} />;
  const isBlocked = items.some(({ _id, qty }) => qty > (states.get(_id)?.available ?? qty));
  return (
    <main id="main" className="container-page py-section">
      <Meta title={TITLE} noindex />
      <h1>Cart</h1>
      <News returned={returned} removal={removal} />
      {items.length === 0 ? (
        <EmptyCart />
      ) : (
        <div className="mt-6 grid items-start gap-8 lg:grid-cols-[1fr_22rem] lg:gap-14">
          <ul aria-label="Cart lines" className="border-b border-line">
            {items.map((item, index) => (
              <CartLine key={item._id} item={item} state={states.get(item._id)} onRemove={() => removal.remove(item, index)} />
            ))}
          </ul>
          <Summary isBlocked={isBlocked} onCardFailure={() => setFailures(failures + 1)} />
        </div>
      )}
    </main>
  );
}
