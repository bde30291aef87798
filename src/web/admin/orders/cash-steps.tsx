import { useState } from 'react';
import { pounds } from '#contract/market/money.ts';
import { type Order, PAYMENT_METHOD, unsentLines } from '#contract/orders/orders.ts';
import { labelOf, stepOf } from '#contract/orders/steps.ts';
import type { StepActions } from '#web/admin/delivery/parcels-panel.tsx';
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

/** The buttons for cash. Before a sum is recorded that drivers may still collect a part of, a question names it. */
export function CashSteps({ order, actions }: { order: Order; actions: StepActions }) {
  const [asked, setAsked] = useState(false);
  const part = partText(order);
  return (
    <>
      {order.can
        .filter((step) => stepOf(step).call === 'cash')
        .map((step) => (
          <Button
            key={step}
            look="secondary"
            pending={actions.pending === step}
            onClick={() => (part && step === 'receiveCash' ? setAsked(true) : actions.take(step))}
          >
            {labelOf(step, order.status)}
          </Button>
        ))}
      <ConfirmDialog
        open={asked}
        question={`Have you received all ${pounds(order.amountDue)}?`}
        name={part}
        action={`Record ${pounds(order.amountDue)}`}
        onConfirm={() => {
          setAsked(false);
          actions.take('receiveCash');
        }}
        onCancel={() => setAsked(false)}
      />
    </>
  );
}
