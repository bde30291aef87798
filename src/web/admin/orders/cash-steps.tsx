import { useState } from 'react';
import { pounds } from '#contract/market/money.ts';
import { type Order, PAYMENT_METHOD, unsentLines } from '#contract/orders/orders.ts';
import type { PaidBackBy } from '#contract/orders/reasons.ts';
import { STEPS } from '#contract/orders/steps.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';

const hasAllLeft = (order: Order) => unsentLines(order).length === 0;

/**
 * What the drivers of a cash order do not collect, or collect too much, since it has changed after parcels had left. Empty if nothing, while later parcels
 * can make up for it, and once pieces came back: what the drivers collected was for these too.
 */
export function uncollectedText(order: Order): string {
  const { paymentMethod, uncollected, orderItems } = order;
  const hasCameBack = orderItems.some(({ returnedQty, spoiledQty }) => returnedQty + spoiledQty > 0);
  if (paymentMethod !== PAYMENT_METHOD.cash || uncollected === 0 || hasCameBack || !hasAllLeft(order)) return '';
  return uncollected > 0
    ? `${pounds(uncollected)} of this order is not collected by a driver. Ask the customer for it.`
    : `Drivers collect ${pounds(-uncollected)} more than is due for this order. Once they have it, pay that back to the customer.`;
}

/** Why the whole sum may not have come in: other parcels' drivers bring a part of it. Empty if no parcel is a reason to ask. */
export function partText(order: Order): string {
  const { amountDue, uncollected, isDelivered, parcels } = order;
  if (isDelivered) return '';
  if (!hasAllLeft(order) && uncollected > 0 && uncollected < amountDue)
    return `${pounds(uncollected)} of it is due with what has not left yet. Once you record the whole sum, that driver collects nothing.`;
  return parcels.filter((parcel) => parcel.amountDue > 0).length > 1 ? 'Each parcel’s driver collects a part of it.' : '';
}

interface CashActions {
  pending: string;
  take: (step: 'takeBackCash') => void;
  receive: (by: PaidBackBy) => void;
}

const RECEIVE: [PaidBackBy, string][] = [
  ['cash', STEPS.receiveCash.label],
  ['transfer', 'Record transfer received'],
];

/** The buttons for cash and transfers. Before a sum is recorded that drivers may still collect a part of, a question names it. */
export function CashSteps({ order, actions }: { order: Order; actions: CashActions }) {
  const [asked, setAsked] = useState<PaidBackBy>();
  const part = partText(order);
  const { can, amountDue } = order;
  return (
    <>
      {can.includes('receiveCash') && (
        <div className="flex flex-wrap gap-3">
          {RECEIVE.map(([by, label]) => (
            <Button
              key={by}
              look="secondary"
              pending={actions.pending === `receiveCash ${by}`}
              onClick={() => (part ? setAsked(by) : actions.receive(by))}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
      {can.includes('takeBackCash') && (
        <Button look="secondary" pending={actions.pending === 'takeBackCash'} onClick={() => actions.take('takeBackCash')}>
          {STEPS.takeBackCash.label}
        </Button>
      )}
      <ConfirmDialog
        open={asked !== undefined}
        question={`Have you received all ${pounds(amountDue)}?`}
        name={part}
        action={`Record ${pounds(amountDue)}`}
        onConfirm={() => {
          setAsked(undefined);
          if (asked) actions.receive(asked);
        }}
        onCancel={() => setAsked(undefined)}
      />
    </>
  );
}
