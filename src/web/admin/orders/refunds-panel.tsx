import { useEffect, useState } from 'react';
import { pounds } from '#contract/market/money.ts';
import { shopTime } from '#contract/market/shop-time.ts';
import type { Order, Overpayment, Refund } from '#contract/orders/orders.ts';
import { PAID_BACK_BY, type PaidBackBy } from '#contract/orders/reasons.ts';
import { STEPS } from '#contract/orders/steps.ts';
import { Panel } from '#web/parts/panel.tsx';
import { useProof } from '#web/parts/use-proof.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import type { PanelForm } from './cancel-panel.tsx';
import { RefundForm } from './refund-form.tsx';

interface RefundRowProps {
  refund: Refund;
  pending: string;
  onRetry: () => void;
  onSettle: (paidBackBy: PaidBackBy) => void;
}

const WAYS = [
  ['cash', 'Paid back in cash'],
  ['transfer', 'Paid back by transfer'],
] as const;

function RefundRow({ refund, pending, onRetry, onSettle }: RefundRowProps) {
  const { _id, createdAt, amount, reason, detail, actor, isByHand, paidBackBy, status, isStuck, failure, openPrice } = refund;
  const hasFailed = status === 'failed';
  const canRetry = openPrice > 0 || isStuck;
  const isToBePaidByHand = isByHand && status === 'pending';
  return (
    <li className="grid gap-1">
      <p className="font-medium">
        {pounds(amount)} <span className={hasFailed ? 'text-bad' : ''}>{status}</span>
        {isByHand && `, ${paidBackBy ? PAID_BACK_BY[paidBackBy] : 'by hand'}`}
      </p>
      <p className="wrap-anywhere text-sm text-soft">
        <time dateTime={createdAt}>{shopTime(createdAt)}</time>, {actor}: {[reason, detail].filter(Boolean).join(', ')}
      </p>
      {failure && <p className="wrap-anywhere text-sm text-bad">The payment provider says: {failure}</p>}
      {hasFailed && openPrice < amount && (
        <p className="text-sm">
          {openPrice > 0 ? `${pounds(openPrice)} of it can be paid back now.` : 'Nothing of it is to be paid back now.'}
        </p>
      )}
      {isStuck && <p className="text-sm text-bad">We could not reach the payment provider for days, and have stopped trying.</p>}
      {(canRetry || isToBePaidByHand) && (
        <p className="flex flex-wrap gap-3">
          {canRetry && (
            <Button look="secondary" pending={pending === `retry ${_id}`} onClick={onRetry}>
              Try again
            </Button>
          )}
          {!isStuck &&
            WAYS.map(([way, label]) => (
              <Button key={way} look="secondary" pending={pending === `${way} ${_id}`} onClick={() => onSettle(way)}>
                {label}
              </Button>
            ))}
        </p>
      )}
    </li>
  );
}

const OVERPAYMENT_WORDS = {
  owed: 'to pay back',
  paid_back: 'paid back',
  undone: 'undone',
  used: 'used for the order',
} as const;

interface OverpaymentRowProps {
  overpayment: Overpayment;
  /** Something is due, so it counts towards that. */
  counts: boolean;
  pending: string;
  onUndo: () => void;
  onRetry: () => void;
  onSettle: (paidBackBy: PaidBackBy) => void;
}

/** Money that came in besides what was due. */
function OverpaymentRow({ overpayment, counts, pending, onUndo, onRetry, onSettle }: OverpaymentRowProps) {
  const { _id, receivedAt, amount, receivedBy, actor, status, paidBackBy } = overpayment;
  return (
    <li className="grid gap-1">
      <p className="font-medium">
        {pounds(amount)} {counts && status === 'owed' ? 'counts towards what is due' : OVERPAYMENT_WORDS[status]}
        {paidBackBy && `, ${PAID_BACK_BY[paidBackBy]}`}
      </p>
      <p className="text-sm text-soft">
        <time dateTime={receivedAt}>{shopTime(receivedAt)}</time>, {actor}:{' '}
        {receivedBy === 'card' ? 'Paid by card and not kept' : `Received ${PAID_BACK_BY[receivedBy]}, more than was due`}
      </p>
      {status === 'owed' && (
        <p className="flex flex-wrap gap-3">
          {receivedBy === 'card' && (
            <Button look="secondary" pending={pending === `retry ${_id}`} onClick={onRetry}>
              Try again
            </Button>
          )}
          {WAYS.map(([way, label]) => (
            <Button key={way} look="secondary" pending={pending === `${way} ${_id}`} onClick={() => onSettle(way)}>
              {label}
            </Button>
          ))}
          {receivedBy !== 'card' && (
            <Button look="quiet" pending={pending === `undo ${_id}`} onClick={onUndo}>
              Undo<span className="sr-only"> {pounds(amount)}</span>
            </Button>
          )}
        </p>
      )}
    </li>
  );
}

const POLL_MS = 1_500;
const MAX_POLLS = 10;

/** Polls the order while the provider handles a refund; only for a while, since a bank may take days. */
function useRefundPolling(order: Order, reload: () => Promise<void>): void {
  const [polls, setPolls] = useState(0);
  const isPending = order.refunds.some(({ status, isByHand }) => status === 'pending' && !isByHand);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer, which is a new order, starts the timer of the next poll.
  useEffect(() => {
    if (!isPending) setPolls(0);
    if (!isPending || polls >= MAX_POLLS) return;
    const timer = setTimeout(() => {
      setPolls((count) => count + 1);
      void reload();
    }, POLL_MS);
    return () => clearTimeout(timer);
  }, [order, isPending, reload]);
}

interface RefundsPanelProps {
  order: Order;
  form: PanelForm;
  onChange: (order: Order) => void;
  reload: () => Promise<void>;
}

export function RefundsPanel({ order, form, onChange, reload }: RefundsPanelProps) {
  const dispatch = useAppDispatch();
  const { run, pending, error } = useAction();
  const { prove, proofDialog } = useProof();
  useRefundPolling(order, reload);
  const { refunds, overpayments, refundable, can } = order;
  if (refunds.length + overpayments.length === 0 && refundable === 0) return null;
  const send = (name: string, id: string, call: () => Promise<Order>) => run(`${name} ${id}`, async () => onChange(await prove(call)));
  // Of a failed refund, the sum that is shown.
  const seen = ({ status, openPrice }: Refund) => (status === 'failed' ? { openPrice } : {});
  const retry = (refund: Refund) =>
    send('retry', refund._id, () =>
      dispatch(request('POST /api/office/refunds/:id/retry', { params: { id: refund._id }, body: seen(refund) })),
    );
  const settle = (refund: Refund, paidBackBy: PaidBackBy) =>
    send(paidBackBy, refund._id, () =>
      dispatch(request('POST /api/office/refunds/:id/paid', { params: { id: refund._id }, body: { paidBackBy, ...seen(refund) } })),
    );
  const undo = (id: string) => send('undo', id, () => dispatch(request('POST /api/office/overpayments/:id/undo', { params: { id } })));
  const tryAgain = (id: string) =>
    send('retry', id, () => dispatch(request('POST /api/office/overpayments/:id/retry', { params: { id } })));
  const payBack = (id: string, paidBackBy: PaidBackBy) =>
    send(paidBackBy, id, () => dispatch(request('POST /api/office/overpayments/:id/paid', { params: { id }, body: { paidBackBy } })));
  return (
    <Panel title="Refunds" className="gap-4 print:hidden">
      {error && <Alert>{error}</Alert>}
      {refunds.length + overpayments.length > 0 && (
        <ul className="grid gap-4">
          {overpayments.map((overpayment) => (
            <OverpaymentRow
              key={overpayment._id}
              overpayment={overpayment}
              counts={can.includes('receiveCash') && overpayment.receivedBy !== 'card'}
              pending={pending}
              onUndo={() => undo(overpayment._id)}
              onRetry={() => tryAgain(overpayment._id)}
              onSettle={(paidBackBy) => payBack(overpayment._id, paidBackBy)}
            />
          ))}
          {refunds.map((refund) => (
            <RefundRow
              key={refund._id}
              refund={refund}
              pending={pending}
              onRetry={() => retry(refund)}
              onSettle={(paidBackBy) => settle(refund, paidBackBy)}
            />
          ))}
        </ul>
      )}
      {form.isOpen && <RefundForm order={order} onDone={form.onDone} onClose={form.onClose} prove={prove} />}
      {!form.isOpen && can.includes('refund') && (
        <Button look="secondary" onClick={form.onOpen}>
          {STEPS.refund.label}
        </Button>
      )}
      {proofDialog}
    </Panel>
  );
}
