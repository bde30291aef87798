import type { ReactNode } from 'react';
import { type Pence, pounds } from '#contract/market/money.ts';
import type { Order } from '#contract/orders/orders.ts';
import { hasLeft, momentText, payByText } from '#contract/orders/pay-by.ts';
import { Panel } from '#web/parts/panel.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';

type PayableOrder = Pick<Order, '_id' | 'correction' | 'payUntil' | 'amountDue' | 'status'>;

interface PayPanelProps {
  id: string;
  title: string;
  amount: Pence;
  children: ReactNode;
}

function PayPanel({ id, title, amount, children }: PayPanelProps) {
  const dispatch = useAppDispatch();
  const { run, pending, error } = useAction();
  const pay = () =>
    run('pay', async () => {
      const { url } = await dispatch(request('POST /api/orders/:id/correction/payment', { params: { id } }));
      window.location.assign(url);
    });
  return (
    <Panel title={title} className="mb-6 gap-3 print:hidden">
      {error && <Alert>{error}</Alert>}
      {children}
      <Button className="justify-self-start" pending={pending !== ''} onClick={pay}>
        Pay {pounds(amount)}
      </Button>
    </Panel>
  );
}

/** Lets the customer pay for an order by phone, or the difference for a change that makes the order more expensive. */
export function PayDifference({ order: { _id, correction, payUntil, amountDue, status } }: { order: PayableOrder }) {
  if (payUntil && amountDue > 0)
    return (
      <PayPanel id={_id} title="Pay for your order" amount={amountDue}>
        <p>{payByText({ payUntil, isSent: hasLeft(status) })}</p>
      </PayPanel>
    );
  if (!correction) return null;
  const { difference, takenOff, added, payUntil: until } = correction;
  return (
    <PayPanel id={_id} title="Change of your order" amount={difference}>
      {takenOff && <p>To be taken off: {takenOff}</p>}
      <p>To be added: {added}</p>
      <p>
        Please pay the difference of {pounds(difference)} by {momentText(until)}. Until then your order stays as it is.
      </p>
    </PayPanel>
  );
}
