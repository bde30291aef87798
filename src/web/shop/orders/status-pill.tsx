import { Check, Clock, Package, Truck, Undo2, X } from 'lucide-react';
import { BEING_CHECKED, type SeenStatus, STATUS_TEXT } from '#contract/orders/life.ts';
import { type Order, refundText } from '#contract/orders/orders.ts';

const CALM = 'bg-stage text-ink';
const GOOD = 'bg-accent-tint text-good';
const BAD = 'bg-bad-tint text-bad';

const LOOKS: Record<SeenStatus, { Icon: typeof Check; look: string }> = {
  placed: { Icon: Clock, look: CALM },
  packing: { Icon: Package, look: CALM },
  partly_dispatched: { Icon: Truck, look: CALM },
  dispatched: { Icon: Truck, look: GOOD },
  delivered: { Icon: Check, look: GOOD },
  delivery_failed: { Icon: X, look: BAD },
  return_asked: { Icon: Undo2, look: CALM },
  return_approved: { Icon: Undo2, look: CALM },
  returned: { Icon: Undo2, look: GOOD },
  cancelled: { Icon: X, look: BAD },
  refunded: { Icon: X, look: BAD },
};

type Known = Pick<Order, 'status' | 'awaitsApproval'> & Parameters<typeof refundText>[0];

/** What the history calls an order: a placed one is "On the Way" (specification §2), a refused payment says how far its refund is. */
function wordsOf(order: Known): string {
  if (order.status === 'refunded') return refundText(order);
  if (order.status !== 'placed') return STATUS_TEXT[order.status];
  return order.awaitsApproval ? BEING_CHECKED : 'On the Way';
}

/** The state of an order in the history, by a sign and in words, and its refund. */
export function StatusPill({ order }: { order: Known }) {
  const { Icon, look } = LOOKS[order.status];
  const money = order.status === 'refunded' ? '' : refundText(order);
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3">
      <span className={`inline-flex items-center gap-1.5 rounded-full px-3 py-0.5 font-medium text-sm ${look}`}>
        <Icon aria-hidden="true" className="size-4" />
        {wordsOf(order)}
      </span>
      {money && <span className="font-medium text-bad">{money}</span>}
    </span>
  );
}
