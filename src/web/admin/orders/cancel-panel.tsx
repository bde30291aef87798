import { CANCEL_REASONS, type CancelReason } from '#contract/orders/life.ts';
import { cancelOrder } from '#contract/orders/order-administration.ts';
import type { Order } from '#contract/orders/orders.ts';
import { STEPS } from '#contract/orders/states.ts';
import { CancelForm } from '#web/parts/cancel-form.tsx';
import { Panel } from '#web/parts/panel.tsx';
import { useProof } from '#web/parts/use-proof.tsx';
import { Button } from '#web/ui/button.tsx';

/** Whether a panel's form is open, and what opens and ends it. */
export interface PanelForm {
  isOpen: boolean;
  onOpen: () => void;
  onClose: () => void;
  onDone: (order: Order) => void;
}

const REASONS = Object.keys(CANCEL_REASONS) as CancelReason[];

/** Cancels an order, or lines of it, until it is dispatched. */
export function CancelPanel({ order, form: { isOpen, onOpen, onClose, onDone } }: { order: Order; form: PanelForm }) {
  const { prove, proofDialog } = useProof();
  if (!order.can.includes('cancelLines')) return null;
  return (
    <Panel title="Cancel" className="gap-3 print:hidden">
      {isOpen ? (
        <CancelForm order={order} endpoint={cancelOrder} reasons={REASONS} onDone={onDone} onClose={onClose} prove={prove} />
      ) : (
        <Button look="secondary" onClick={onOpen}>
          {STEPS.cancelLines.label}
        </Button>
      )}
      {proofDialog}
    </Panel>
  );
}
