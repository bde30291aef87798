import { Check, Clock, Package, Truck, X } from 'lucide-react';
import { OrderState } from '#web/parts/order-parts.tsx';

const CALM = 'bg-stage text-ink';
const GOOD = 'bg-accent-tint text-good';

/** The looks of states; any other is one in which the order did not arrive. */
const LOOKS: Readonly<Record<string, { Icon: typeof Check; look: string }>> = {
  placed: { Icon: Clock, look: CALM },
  packing: { Icon: Package, look: CALM },
  dispatched: { Icon: Truck, look: GOOD },
  delivered: { Icon: Check, look: GOOD },
};
const NOT_ARRIVED = { Icon: X, look: 'bg-bad-tint text-bad' };

/** The two states that the specification names; `OrderState` says the others. */
const SAID: Readonly<Record<string, string>> = { placed: 'On the Way', delivered: 'Delivered' };

/** The state of an order in the history, by a sign and in words. */
export function StatusPill({ order }: Parameters<typeof OrderState>[0]) {
  const { Icon, look } = LOOKS[order.status] ?? NOT_ARRIVED;
  return (
    <span className={`inline-flex items-center gap-1.5 rounded-full px-3 py-0.5 font-medium text-sm ${look}`}>
      <Icon aria-hidden="true" className="size-4" />
      {SAID[order.status]}
      <OrderState order={order} />
    </span>
  );
}
