import type { SeenStatus, Stage } from '#contract/orders/life.ts';
import type { Order } from '#contract/orders/orders.ts';
import { Button } from '#web/ui/button.tsx';

interface StageButtonsProps {
  order: Order;
  marks: { pending: string; deliver: (isDelivered: boolean) => void; move: (stage: Stage) => void };
  /** Opens the form that says how it travels. */
  onDispatch: () => void;
}

/** What an administrator can say next of an order in each state, besides its delivery. */
const NEXT: Partial<Record<SeenStatus, readonly (readonly [Stage, string])[]>> = {
  placed: [
    ['packing', 'Start packing'],
    ['dispatched', 'Mark as dispatched'],
  ],
  packing: [
    ['dispatched', 'Mark as dispatched'],
    ['placed', 'Take back packing'],
  ],
  partly_dispatched: [
    ['dispatched', 'Dispatch the rest'],
    ['delivery_failed', 'Delivery failed'],
    ['packing', 'Mark as not dispatched'],
  ],
  dispatched: [
    ['delivery_failed', 'Delivery failed'],
    ['packing', 'Mark as not dispatched'],
  ],
  delivery_failed: [['dispatched', 'Dispatch again']],
};

const ON_THE_WAY: readonly SeenStatus[] = ['dispatched', 'partly_dispatched'];

/** The control that marks an order delivered or not (specification §2), and the steps on the way there: what usually comes next stands first and largest. */
export function StageButtons({ order, marks, onDispatch }: StageButtonsProps) {
  const { status, isDelivered } = order;
  const next = NEXT[status];
  // While pieces of it come back nobody says that it was never delivered.
  if ((!next && status !== 'delivered') || order.awaitsApproval) return null;
  const isDeliveryNext = !next || ON_THE_WAY.includes(status);
  const steps = next?.map(([stage, text], index) => (
    <Button
      key={stage}
      look={index === 0 && !isDeliveryNext ? 'secondary' : 'quiet'}
      pending={marks.pending === stage}
      onClick={() => (stage === 'dispatched' ? onDispatch() : marks.move(stage))}
    >
      {text}
    </Button>
  ));
  return (
    <>
      {!isDeliveryNext && steps}
      <Button
        look={isDeliveryNext ? 'secondary' : 'quiet'}
        pending={marks.pending === 'deliver'}
        onClick={() => marks.deliver(!isDelivered)}
      >
        {isDelivered ? 'Mark as not delivered' : 'Mark as delivered'}
      </Button>
      {isDeliveryNext && steps}
    </>
  );
}
