import { useContext } from 'react';
import type { ShippingMethod } from '#contract/market.ts';
import { selectCart, selectSubtotal } from '#web/app/cart.slice.ts';
import { MarketContext, useAppSelector } from '#web/app/store.ts';
import { colourName } from '#web/ui/colour-name.ts';
import { Picture } from '#web/ui/picture.tsx';
import { ShippingChoice } from './shipping-choice.tsx';

/** The cart beside the checkout form, with its total price. */
export function CheckoutSummary({ method, onMethod }: { method: ShippingMethod; onMethod: (method: ShippingMethod) => void }) {
  const market = useContext(MarketContext);
  const { items } = useAppSelector(selectCart);
  const subtotal = useAppSelector(selectSubtotal);
  const options = market.shippingOptions(subtotal);
  const shipping = (options.find(({ id }) => id === method) ?? options[0]).price;
  return (
    <section aria-label="Cart summary" className="panel grid gap-4 lg:sticky lg:top-32">
      <h2>Your order</h2>
      {items.length === 0 && <p>Your shopping cart is currently empty.</p>}
      <ul className="grid gap-3">
        {items.map(({ _id, name, image, qty, price, size, color }) => (
          <li key={_id} className="grid grid-cols-[3.5rem_1fr_auto] items-center gap-3">
            <Picture src={image} alt="" sizes="3.5rem" className="rounded-soft" />
            <span className="leading-snug">
              {name}
              <span className="block text-sm text-soft">{[size, color && colourName(color), `× ${qty}`].filter(Boolean).join(', ')}</span>
            </span>
            <span>{market.shopPrice(price * qty)}</span>
          </li>
        ))}
      </ul>
      <ShippingChoice subtotal={subtotal} chosen={method} onChoose={onMethod} />
      <dl className="grid grid-cols-2 gap-y-2 border-t border-line pt-4">
        <dt>Shipping</dt>
        <dd className="text-right">{shipping === 0 ? 'Free' : market.shopPrice(shipping)}</dd>
        <dt className="font-semibold">Total price</dt>
        <dd className="text-right font-semibold">{market.shopPrice(subtotal + (items.length > 0 ? shipping : 0))}</dd>
      </dl>
    </section>
  );
}
