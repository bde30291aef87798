import { useContext } from 'react';
import type { Delivery } from '#contract/delivery/delivery.ts';
import { daysText } from '#contract/delivery/methods.ts';
import { windowOf } from '#web/shop/delivery/delivery-windows.ts';
import { shippingChosen } from '#web/state/cart.slice.ts';
import { MarketContext, useAppDispatch } from '#web/state/store.ts';
import { Radio } from '#web/ui/form/radio.tsx';
import { useAmounts } from './use-amounts.ts';

interface ShippingChoiceProps {
  legend?: string;
  /** Null until it is loaded. */
  delivery: Delivery | null;
}

/** The choice among several delivery options, with prices and days. */
export function ShippingChoice({ legend = 'legend', delivery }: ShippingChoiceProps) {
  const market = useContext(MarketContext);
  const dispatch = useAppDispatch();
  const { options, option } = useAmounts(delivery);
  return (
    <fieldset>
      <legend className={legend}>Delivery</legend>
      {options.map((method) => {
        const { id, label, price } = method;
        return (
          <Radio
            key={id}
            name="shippingMethod"
            value={id}
            chosen={option.id}
            onChoose={() => dispatch(shippingChosen(id))}
            className="flex min-h-target items-center gap-3 py-1.5"
          >
            <span>
              {label}, {price === 0 ? 'free' : market.shopPrice(price)}
              <span className="block text-sm text-soft">{windowOf(delivery, id) ?? daysText(method)}</span>
            </span>
          </Radio>
        );
      })}
    </fieldset>
  );
}
