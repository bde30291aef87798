import { useContext } from 'react';
import type { Delivery } from '#contract/delivery/delivery.ts';
import { useCartDiscount } from '#web/browser/cart-discount.ts';
import { BoughtLine } from '#web/parts/order/bought-line.tsx';
import { LineNote } from '#web/shop/cart/line-note.tsx';
import { PartsOfLine } from '#web/shop/cart/parts-of-line.tsx';
import { useAmounts } from '#web/shop/cart/use-amounts.ts';
import type { LineState } from '#web/shop/cart/use-checked-cart.ts';
import { DispatchDay } from '#web/shop/delivery/dispatch-day.tsx';
import { type CartItem, selectCart } from '#web/state/cart.slice.ts';
import { MarketContext, useAppSelector } from '#web/state/store.ts';
import { Link } from '#web/ui/link.tsx';

/** The lines shown at first. On a phone the form is below them. */
const MOST_LINES = 3;

type States = Map<string, LineState>;

function Lines({ items, states }: { items: CartItem[]; states: States }) {
  return (
    <ul className="grid gap-3">
      {items.map((item) => {
        const state = states.get(item._id);
        return (
          <BoughtLine key={item._id} line={item} picture={item.picture ?? item.image}>
            {state && (
              <div className="col-span-3 empty:hidden">
                <PartsOfLine state={state} />
                {state.note && <LineNote id={item._id} state={state} />}
              </div>
            )}
          </BoughtLine>
        );
      })}
    </ul>
  );
}

/** The first lines, and the rest on demand; open if one of the rest has a note. */
function ShortLines({ items, states }: { items: CartItem[]; states: States }) {
  const rest = items.slice(MOST_LINES);
  return (
    <>
      <Lines items={items.slice(0, MOST_LINES)} states={states} />
      {rest.length > 0 && (
        <details open={rest.some(({ _id }) => states.get(_id)?.note)}>
          <summary className="link min-h-6 w-fit">{rest.length === 1 ? 'One more product' : `${rest.length} more products`}</summary>
          <div className="mt-3">
            <Lines items={rest} states={states} />
          </div>
        </details>
      )}
    </>
  );
}

interface SummaryProps {
  states: States;
  /** Null until it is loaded. */
  delivery: Delivery | null;
}

/** Why the cart's code takes nothing off, so that nobody orders at the full price unawares. */
function RefusedCode() {
  const { code = '', refusal, failure } = useCartDiscount();
  const wrong = refusal || failure;
  return (
    <div role="status" className="empty:hidden">
      {wrong && (
        <p className="wrong">
          {`Code ${code.trim().toUpperCase()} is not applied. ${wrong}`}{' '}
          <Link to="/cart" className="link">
            Change the code in your cart
          </Link>
        </p>
      )}
    </div>
  );
}

/** The cart's lines with their notes, the delivery days and the total. */
export function CheckoutSummary({ states, delivery }: SummaryProps) {
  const market = useContext(MarketContext);
  const { items } = useAppSelector(selectCart);
  const { arrival, amount: discount, shipping, total } = useAmounts(delivery);
  return (
    <section aria-label="Cart summary" className="panel grid grid-cols-1 gap-4 lg:sticky lg:top-32 lg:order-2">
      <h2>Your order</h2>
      <ShortLines items={items} states={states} />
      {delivery?.area?.refusal && <p className="wrong">{delivery.area.refusal}</p>}
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 border-t border-line pt-4">
        <dt>Arrives</dt>
        <dd className="min-h-6 text-right">{arrival}</dd>
        {discount > 0 && (
          <>
            <dt>Discount</dt>
            <dd className="text-right">{`−${market.shopPrice(discount)}`}</dd>
          </>
        )}
        <dt>Shipping</dt>
        <dd className="text-right">{shipping === 0 ? 'Free' : market.shopPrice(shipping)}</dd>
        <dt className="font-semibold">Total price</dt>
        <dd className="text-right font-semibold">{market.shopPrice(total)}</dd>
      </dl>
      <RefusedCode />
      <DispatchDay intro="We’ll send everything together, from" delivery={delivery} />
    </section>
  );
}
