import { useState } from 'react';
import type { Order } from '#contract/orders/orders.ts';
import { BUYER_BUTTONS, STATES } from '#contract/orders/states.ts';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import { Panel } from '#web/parts/panel.tsx';
import { orderChanged } from '#web/state/order.slice.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';

const OwnCancelForm = lazyPart(async () => (await import('./own-cancel-form.tsx')).OwnCancelForm);

/** Lets the customer cancel an order, or lines of it, until it is packed. */
export function CancelOrder({ order }: { order: Order }) {
  const dispatch = useAppDispatch();
  const [isOpen, setOpen] = useState(false);
  const [done, setDone] = useState('');
  const finish = (after: Order) => {
    setOpen(false);
    setDone(after.status === 'cancelled' ? STATES.cancelled.next : 'Part of your order is cancelled.');
    dispatch(orderChanged(after));
  };
  const canCancel = order.can.includes('cancelLinesByCustomer');
  if (!canCancel && !done) return null;
  return (
    <Panel title="Cancel" className="gap-3 print:hidden">
      {done && <Alert tone="good">{done}</Alert>}
      {canCancel && !isOpen && (
        <>
          <p className="text-sm text-soft">You can cancel until we start to pack your order.</p>
          <Button look="secondary" onClick={() => setOpen(true)}>
            {BUYER_BUTTONS.cancel}
          </Button>
        </>
      )}
      {canCancel && isOpen && <OwnCancelForm order={order} onDone={finish} onClose={() => setOpen(false)} />}
    </Panel>
  );
}
