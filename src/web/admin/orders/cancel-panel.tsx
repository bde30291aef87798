import type { Order } from '#contract/orders/orders.ts';
import { CANCEL_REASONS, type CancelReason, isRestockedFor } from '#contract/orders/reasons.ts';
import { STEPS } from '#contract/orders/steps.ts';
import { CancelForm } from '#web/parts/cancel-form.tsx';
import { Panel } from '#web/parts/panel.tsx';
import { useProof } from '#web/parts/use-proof.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { Button } from '#web/ui/button.tsx';

export interface PanelForm {
  isOpen: boolean;
  onOpen: () => void;
  onClose: () => void;
  onDone: (order: Order) => void;
}

const REASONS = Object.keys(CANCEL_REASONS) as CancelReason[];

export function CancelPanel({ order, form: { isOpen, onOpen, onClose, onDone } }: { order: Order; form: PanelForm }) {
  const dispatch = useAppDispatch();
  const { prove, proofDialog } = useProof();
  if (!order.can.includes('cancelLines')) return null;
  return (
    <Panel title="Cancel" className="gap-3 print:hidden">
      {isOpen ? (
        <CancelForm
          order={order}
          reasons={REASONS}
          isByPiece
          isRestockedFor={isRestockedFor}
          schema={async () => (await import('#contract/orders/orders.schema.ts')).CancelBody}
          cancel={(body) =>
            prove(() =>
              dispatch(
                request('POST /api/office/orders/:id/cancel', {
                  params: { id: order._id },
                  body: { ...body, revision: order.revision, refundable: order.refundable },
                }),
              ),
            )
          }
          onDone={onDone}
          onClose={onClose}
        />
      ) : (
        <Button look="secondary" onClick={onOpen}>
          {STEPS.cancelLines.label}
        </Button>
      )}
      {proofDialog}
    </Panel>
  );
}
