import { Check, Clock, Package, Truck, Undo2, X } from 'lucide';
import { type Order, refundText } from '#contract/orders/orders.ts';
import { buyerLabelOf, stateOf } from '#contract/orders/states.ts';
import { Icon } from '#web/ui/icon.tsx';

const SIGNS = { clock: Clock, package: Package, truck: Truck, check: Check, cross: X, return: Undo2 };
const TONES = { calm: 'bg-stage text-ink', good: 'bg-accent-tint text-good', bad: 'bg-bad-tint text-bad' };

type Known = Pick<Order, 'status' | 'awaitsApproval'> & Parameters<typeof refundText>[0];

/** An order's state and refund, labelled for the buyer or for staff. */
export function StatusPill({ order, isOffice = false }: { order: Known; isOffice?: boolean }) {
  const { sign, tone, label } = stateOf(order);
  // The pill itself says that a refunded order is refunded.
  const isRefunded = order.status === 'refunded';
  const refund = isRefunded ? '' : refundText(order);
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3">
      <span className={`inline-flex items-center gap-1.5 wrap-normal rounded-full px-3 py-0.5 font-medium text-sm ${TONES[tone]}`}>
        <Icon of={SIGNS[sign]} className="size-4 shrink-0" />
        {isRefunded ? refundText(order) : isOffice ? label : buyerLabelOf(order)}
      </span>
      {refund && <span className="font-medium text-bad">{refund}</span>}
    </span>
  );
}
