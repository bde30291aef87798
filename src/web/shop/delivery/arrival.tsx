import { Truck } from 'lucide';
import { useContext } from 'react';
import type { Product } from '#contract/catalogue/catalogue.ts';
import type { Delivery } from '#contract/delivery/delivery.ts';
import { madeToOrderText } from '#contract/delivery/lead-time.ts';
import { methodsTaking } from '#contract/delivery/load.ts';
import { methodsFor } from '#contract/delivery/methods.ts';
import { DeliveryContext, MarketContext } from '#web/state/store.ts';
import { Icon } from '#web/ui/icon.tsx';
import { windowOf } from './delivery-windows.ts';
import { DispatchDay } from './dispatch-day.tsx';

export interface DeliveryProps {
  /** The price of the pieces to buy, which may make delivery free. */
  subtotal: number;
  /** Null until it is loaded. */
  delivery: Delivery | null;
}

/** `Arrives Mon 30 Nov – Thu 3 Dec, free`, and how long a piece that is made to order takes. */
export function Arrival({ product, subtotal, delivery }: DeliveryProps & { product: Product }) {
  const market = useContext(MarketContext);
  const { methods, promise: promiseText } = useContext(DeliveryContext);
  const [method] = methodsFor(methodsTaking(methods, product.load), subtotal, delivery?.area);
  const window = method && windowOf(delivery, method.id);
  const madeToOrder = madeToOrderText(product);
  return (
    <div className="flex items-start gap-2 text-sm">
      <Icon of={Truck} className="mt-0.5 size-4 flex-none" />
      <div>
        {method && window ? (
          <>
            <strong className="font-semibold">{`Arrives ${window}`}</strong>, {method.price === 0 ? 'free' : market.shopPrice(method.price)}
          </>
        ) : (
          delivery?.area?.refusal || madeToOrder || promiseText
        )}
        {window && madeToOrder && <span className="block text-soft">{madeToOrder}</span>}
        {!madeToOrder && <DispatchDay intro="Ready to leave from" delivery={delivery} />}
      </div>
    </div>
  );
}
