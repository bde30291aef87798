import type { Order } from '#contract/orders/orders.ts';
import { CUSTOMER_REASONS } from '#contract/orders/reasons.ts';
import { CancelForm } from '#web/parts/cancel-form.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';

interface OwnCancelFormProps {
  order: Order;
  onDone: (after: Order) => void;
  onClose: () => void;
}

/** The customer's own form to cancel an order, or lines of it. */
export function OwnCancelForm({ order, onDone, onClose }: OwnCancelFormProps) {
  const dispatch = useAppDispatch();
  return (
    <CancelForm
      order={order}
      reasons={CUSTOMER_REASONS}
      schema={async () => (await import('#contract/orders/orders.schema.ts')).CancelOwnBody}
      cancel={({ lines, reason }) =>
        dispatch(request('POST /api/orders/:id/cancel', { params: { id: order._id }, body: { lines, reason } }))
      }
      onDone={onDone}
      onClose={onClose}
    />
  );
}
