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
import { Leaves } from './leaves.tsx';

export interface DeliveryOf {
  subtotal: number;
  /** Null until it is loaded. */
  delivery: Delivery | null;
}

/** `Arrives Mon 30 Nov – Thu 3 Dec, free`, and how long the piece takes to be there. */
export function Arrival({ product, subtotal, delivery }: DeliveryOf & { product: Product }) {
  const market = useContext(MarketContext);
  const { methods, promise } = useContext(DeliveryContext);
  const [offer] = methodsFor(methodsTaking(methods, product.load), subtotal, delivery?.area);
  const window = offer && windowOf(delivery, offer.id);
  const made = madeToOrderText(product);
  return (
    <div className="flex items-start gap-2 text-sm">
      <Icon of={Truck} className="mt-0.5 size-4 flex-none" />
      <div>
        {offer && window ? (
          <>
            <strong className="font-semibold">{`Arrives ${window}`}</strong>, {offer.price === 0 ? 'free' : market.shopPrice(offer.price)}
          </>
        ) : (
          delivery?.area?.refusal || made || promise
        )}
        {window && made && <span className="block text-soft">{made}</span>}
        {!made && <Leaves delivery={delivery}>Ready to leave from</Leaves>}
      </div>
    </div>
  );
}
