import { Truck } from 'lucide-react';
import { useContext } from 'react';
import type { Delivery } from '#contract/delivery/delivery.ts';
import { methodOf, offersOf, promiseOf } from '#contract/delivery/methods.ts';
import { DeliveryContext, MarketContext } from '#web/state/store.ts';
import { windowOf } from './delivery-windows.ts';

export interface DeliveryOf {
  subtotal: number;
  /** Null until it is loaded. */
  delivery: Delivery | null;
}

/** `Arrives Mon 30 Nov – Thu 3 Dec, free` */
export function Arrival({ subtotal, delivery }: DeliveryOf) {
  const market = useContext(MarketContext);
  const { methods } = useContext(DeliveryContext);
  const { id, price } = methodOf(offersOf(methods, subtotal), '');
  const window = windowOf(delivery, id);
  return (
    <p className="flex items-start gap-2 text-sm">
      <Truck aria-hidden="true" className="mt-0.5 size-4 flex-none" />
      <span>
        {window ? (
          <>
            <strong className="font-semibold">{`Arrives ${window}`}</strong>, {price === 0 ? 'free' : market.shopPrice(price)}
          </>
        ) : (
          promiseOf(methods)
        )}
      </span>
    </p>
  );
}
