import type { Order } from '#contract/orders/orders.ts';
import { STEPS } from '#contract/orders/states.ts';
import { Panel } from '#web/parts/panel.tsx';
import { useProof } from '#web/parts/use-proof.tsx';
import { Button } from '#web/ui/button.tsx';
import type { PanelForm } from './cancel-panel.tsx';
import { CorrectForm } from './correct-form.tsx';

export function CorrectPanel({ order, form: { isOpen, onOpen, onClose, onDone } }: { order: Order; form: PanelForm }) {
  const { prove, proofDialog } = useProof();
  if (!order.can.includes('correctPieces')) return null;
  return (
    <Panel title="Correct the order" className="gap-3 print:hidden">
      {isOpen ? (
        <CorrectForm order={order} prove={prove} onDone={onDone} onClose={onClose} />
      ) : (
        <Button look="secondary" onClick={onOpen}>
          {STEPS.correctPieces.label}
        </Button>
      )}
      {proofDialog}
    </Panel>
  );
}
