import { useState } from 'react';
import { CANCEL_REASONS, type CancelReason } from '#contract/orders/life.ts';
import { cancelOrder, type Order } from '#contract/orders.ts';
import { CancelForm } from '#web/parts/cancel-form.tsx';
import { Panel } from '#web/parts/panel.tsx';
import { Button } from '#web/ui/button.tsx';

const REASONS = Object.keys(CANCEL_REASONS) as CancelReason[];

/** Cancels an order, or lines of it, until it is dispatched. */
export function CancelPanel({ order, onChange }: { order: Order; onChange: (order: Order) => void }) {
  const [isOpen, setOpen] = useState(false);
  if (!order.isCancellable) return null;
  const finish = (after: Order) => {
    setOpen(false);
    onChange(after);
  };
  return (
    <Panel title="Cancel" className="gap-3 print:hidden">
      {isOpen ? (
        <CancelForm order={order} endpoint={cancelOrder} reasons={REASONS} onDone={finish} onClose={() => setOpen(false)} />
      ) : (
        <Button look="secondary" onClick={() => setOpen(true)}>
          Cancel order
        </Button>
      )}
    </Panel>
  );
}
