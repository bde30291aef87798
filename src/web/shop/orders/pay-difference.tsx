import { pounds } from '#contract/market/money.ts';
import { shopTime } from '#contract/market/shop-time.ts';
import type { Order } from '#contract/orders/orders.ts';
import { Panel } from '#web/parts/panel.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';

/** Lets the customer pay the difference for a change that makes the order more expensive. */
export function PayDifference({ order: { _id, correction } }: { order: Pick<Order, '_id' | 'correction'> }) {
  const dispatch = useAppDispatch();
  const { run, pending, error } = useAction();
  if (!correction) return null;
  const { difference, takenOff, added, payUntil } = correction;
  const pay = () =>
    run('pay', async () => {
      const { url } = await dispatch(request('POST /api/orders/:id/correction/payment', { params: { id: _id } }));
      window.location.assign(url);
    });
  return (
    <Panel title="Change of your order" className="mb-6 gap-3 print:hidden">
      {error && <Alert>{error}</Alert>}
      {takenOff && <p>To be taken off: {takenOff}</p>}
      <p>To be added: {added}</p>
      <p>
        Please pay the difference of {pounds(difference)} by {shopTime(payUntil)}. Until then your order stays as it is.
      </p>
      <Button className="justify-self-start" pending={pending !== ''} onClick={pay}>
        Pay {pounds(difference)}
      </Button>
    </Panel>
  );
}
