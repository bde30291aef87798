import { pounds } from '#contract/market/money.ts';
import { shopTime } from '#contract/market/shop-time.ts';
import type { Order } from '#contract/orders/orders.ts';
import { STEPS } from '#contract/orders/steps.ts';
import { Panel } from '#web/parts/panel.tsx';
import { useProof } from '#web/parts/use-proof.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import type { PanelForm } from './cancel-panel.tsx';
import { CorrectForm } from './correct-form.tsx';

interface WaitingCorrectionProps {
  order: Order;
  correction: NonNullable<Order['correction']>;
  onChange: (order: Order) => void;
}

/** A change that waits for the customer's payment. */
function WaitingCorrection({ order: { _id }, correction: { difference, takenOff, added, payUntil }, onChange }: WaitingCorrectionProps) {
  const dispatch = useAppDispatch();
  const { run, pending, error } = useAction();
  const withdraw = () =>
    run('withdraw', async () => onChange(await dispatch(request('DELETE /api/office/orders/:id/correction', { params: { id: _id } }))));
  return (
    <>
      {error && <Alert>{error}</Alert>}
      <p>
        The customer can pay {pounds(difference)} until {shopTime(payUntil)}. The order changes when they have paid. Any other step, such as
        packing, withdraws the change.
      </p>
      {takenOff && <p>To be taken off: {takenOff}</p>}
      <p>To be added: {added}</p>
      <Button look="secondary" pending={pending !== ''} onClick={withdraw}>
        Withdraw the change
      </Button>
    </>
  );
}

interface CorrectPanelProps {
  order: Order;
  form: PanelForm;
  onChange: (order: Order) => void;
}

export function CorrectPanel({ order, form: { isOpen, onOpen, onClose, onDone }, onChange }: CorrectPanelProps) {
  const { prove, proofDialog } = useProof();
  const { can, correction } = order;
  if (!can.includes('correctPieces')) return null;
  return (
    <Panel title="Correct the order" className="gap-3 print:hidden">
      {correction && <WaitingCorrection order={order} correction={correction} onChange={onChange} />}
      {!correction && isOpen && <CorrectForm order={order} prove={prove} onDone={onDone} onClose={onClose} />}
      {!correction && !isOpen && (
        <Button look="secondary" onClick={onOpen}>
          {STEPS.correctPieces.label}
        </Button>
      )}
      {proofDialog}
    </Panel>
  );
}
