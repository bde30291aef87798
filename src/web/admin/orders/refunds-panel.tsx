import { useContext, useState } from 'react';
import { shopTime } from '#contract/market/shop-time.ts';
import { type Order, type Refund, retryRefund, settleRefund } from '#contract/orders.ts';
import { Panel } from '#web/parts/panel.tsx';
import { MarketContext, useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { AdminPrice } from './admin-price.tsx';
import { RefundForm } from './refund-form.tsx';

const WORDS = { pending: 'pending', done: 'done', failed: 'failed' } as const;

interface RowProps {
  refund: Refund;
  pending: string;
  onRetry: () => void;
  onSettle: () => void;
}

function RefundRow({ refund, pending, onRetry, onSettle }: RowProps) {
  const { adminOrderPrice } = useContext(MarketContext);
  const { _id, createdAt, amount, reason, detail, actor, isByHand, status, failure } = refund;
  const hasFailed = status === 'failed';
  return (
    <li className="grid gap-1">
      <p className="font-medium">
        <AdminPrice price={adminOrderPrice(amount)} /> <span className={hasFailed ? 'text-bad' : ''}>{WORDS[status]}</span>
        {isByHand && ', by hand'}
      </p>
      <p className="break-words text-sm text-soft">
        <time dateTime={createdAt}>{shopTime(createdAt)}</time>, {actor}: {[reason, detail].filter(Boolean).join(', ')}
      </p>
      {failure && <p className="break-words text-sm text-bad">The payment provider says: {failure}</p>}
      {(hasFailed || (isByHand && status === 'pending')) && (
        <p className="flex flex-wrap gap-3">
          {hasFailed && (
            <Button look="secondary" pending={pending === `retry ${_id}`} onClick={onRetry}>
              Try again
            </Button>
          )}
          <Button look="secondary" pending={pending === `settle ${_id}`} onClick={onSettle}>
            Record as paid back
          </Button>
        </p>
      )}
    </li>
  );
}

/** What goes back of an order, and the form that gives more back. */
export function RefundsPanel({ order, onChange }: { order: Order; onChange: (order: Order) => void }) {
  const dispatch = useAppDispatch();
  const { run, pending, error } = useAction();
  const [isOpen, setOpen] = useState(false);
  if (order.refunds.length === 0 && order.refundable === 0) return null;
  const send = (name: string, endpoint: typeof retryRefund, id: string) =>
    run(`${name} ${id}`, async () => onChange(await dispatch(request(endpoint, { params: { id } }))));
  const finish = (after: Order) => {
    setOpen(false);
    onChange(after);
  };
  return (
    <Panel title="Refunds" className="gap-4 print:hidden">
      {error && <Alert>{error}</Alert>}
      {order.refunds.length > 0 && (
        <ul className="grid gap-4">
          {order.refunds.map((refund) => (
            <RefundRow
              key={refund._id}
              refund={refund}
              pending={pending}
              onRetry={() => send('retry', retryRefund, refund._id)}
              onSettle={() => send('settle', settleRefund, refund._id)}
            />
          ))}
        </ul>
      )}
      {isOpen && <RefundForm order={order} onDone={finish} onClose={() => setOpen(false)} />}
      {!isOpen && order.refundable > 0 && (
        <Button look="secondary" onClick={() => setOpen(true)}>
          Refund
        </Button>
      )}
    </Panel>
  );
}
