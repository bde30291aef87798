import { useContext } from 'react';
import { LineNote } from '#web/shop/cart/line-note.tsx';
import { useAmounts } from '#web/shop/cart/shipping-choice.tsx';
import type { LineState } from '#web/shop/cart/use-checked-cart.ts';
import { type CartItem, selectCart } from '#web/state/cart.slice.ts';
import { MarketContext, useAppSelector } from '#web/state/store.ts';
import { Picture } from '#web/ui/picture.tsx';

function SummaryLine({ item, state }: { item: CartItem; state: LineState | undefined }) {
  const market = useContext(MarketContext);
  const { _id, name, image, qty, price, size, colourName } = item;
  return (
    <li className="grid grid-cols-[3.5rem_1fr_auto] items-center gap-3">
      <Picture src={image} alt="" sizes="3.5rem" className="rounded-soft" />
      <span className="leading-snug">
        {name}
        <span className="block text-sm text-soft">{[size, colourName, `× ${qty}`].filter(Boolean).join(', ')}</span>
      </span>
      <span>{market.shopPrice(price * qty)}</span>
      {state?.note && (
        <div className="col-span-3">
          <LineNote id={_id} state={state} />
        </div>
      )}
    </li>
  );
}

/** The cart beside the checkout form, with its total price; a line that changed since it was put in says how. */
export function CheckoutSummary({ states }: { states: Map<string, LineState> }) {
  const market = useContext(MarketContext);
  const { items } = useAppSelector(selectCart);
  const { shipping, total } = useAmounts(market);
  return (
    <section aria-label="Cart summary" className="panel grid gap-4 lg:sticky lg:top-32">
      <h2>Your order</h2>
      {items.length === 0 && <p>Your shopping cart is currently empty.</p>}
      <ul className="grid gap-3">
        {items.map((item) => (
          <SummaryLine key={item._id} item={item} state={states.get(item._id)} />
        ))}
      </ul>
      <dl className="grid grid-cols-2 gap-y-2 border-t border-line pt-4">
        <dt>Shipping</dt>
        <dd className="text-right">{shipping === 0 ? 'Free' : market.shopPrice(shipping)}</dd>
        <dt className="font-semibold">Total price</dt>
        <dd className="text-right font-semibold">{market.shopPrice(total)}</dd>
      </dl>
    </section>
  );
}
