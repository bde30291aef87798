import { useContext } from 'react';
import type { ShippingMethod } from '#contract/market.ts';
import { MarketContext } from '#web/app/store.ts';

interface ShippingChoiceProps {
  subtotal: number;
  chosen: ShippingMethod;
  onChoose: (method: ShippingMethod) => void;
}

/** The ways to send an order, where the market has more than one. */
export function ShippingChoice({ subtotal, chosen, onChoose }: ShippingChoiceProps) {
  const market = useContext(MarketContext);
  const options = market.shippingOptions(subtotal);
  if (options.length === 1) return null;
  return (
    <fieldset>
      <legend className="legend">Delivery</legend>
      {options.map(({ id, label, price, minDays, maxDays }) => (
        <label key={id} className="flex min-h-target items-center gap-3">
          <input
            type="radio"
            name="shippingMethod"
            value={id}
            className="size-4 accent-accent"
            checked={id === chosen}
            onChange={() => onChoose(id)}
          />
          <span>
            {label}, {price === 0 ? 'free' : market.shopPrice(price)}
            <span className="block text-sm text-soft">
              {minDays}-{maxDays} business days
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
