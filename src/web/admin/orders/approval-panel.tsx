import type { Order } from '#contract/orders/orders.ts';
import { TO_BE_APPROVED } from '#contract/orders/states.ts';
import { STEPS } from '#contract/orders/steps.ts';
import { Panel } from '#web/parts/panel.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';

interface ApprovalPanelProps {
  order: Order;
  onChange: (order: Order) => void;
}

/** Approves a large first order of an account, which is held until an administrator has checked it. */
export function ApprovalPanel({ order, onChange }: ApprovalPanelProps) {
  const dispatch = useAppDispatch();
  const { run, pending, error } = useAction();
  if (!order.can.includes('approve')) return null;
  const approve = () =>
    run('approve', async () => onChange(await dispatch(request('PUT /api/office/orders/:id/approval', { params: { id: order._id } }))));
  return (
    <Panel title={TO_BE_APPROVED.label} className="gap-3 print:hidden">
      {error && <Alert>{error}</Alert>}
      <p>This is a large first order from a new account. Check the name, address and payment, then approve or cancel it.</p>
      <Button pending={pending !== ''} onClick={approve}>
        {STEPS.approve.label}
      </Button>
    </Panel>
  );
}
