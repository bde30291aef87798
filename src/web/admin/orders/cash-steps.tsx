import { useState } from 'react';
import { pounds } from '#contract/market/money.ts';
import { type Order, PAYMENT_METHOD, unsentLines } from '#contract/orders/orders.ts';
import type { PaidBackBy } from '#contract/orders/reasons.ts';
import { STEPS } from '#contract/orders/steps.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { MoreMoneyForm } from './more-money-form.tsx';
import { overpaidOf, ReceiptForm } from './receipt-form.tsx';
import { WriteOffForm } from './write-off-form.tsx';

const hasAllLeft = (order: Order) => unsentLines(order).length === 0;

const hasCameBack = ({ orderItems }: Order) => orderItems.some(({ returnedQty, spoiledQty }) => returnedQty + spoiledQty > 0);

/**
 * What the drivers of a cash order collect too much, since it has changed or pieces came back, or what they do not collect. The latter is empty while later
 * parcels can make up for it, and once pieces came back: what the drivers collected was for these too.
 */
export function uncollectedText(order: Order): string {
  const { uncollected, amountDue, toReceive } = order;
  if (toReceive > amountDue)
    return `Drivers were to collect ${pounds(toReceive)}, and ${amountDue > 0 ? `only ${pounds(amountDue)}` : 'nothing'} of it is due now. Record what you get from them: what is more than is due is then under To pay back.`;
  if (uncollected <= 0 || hasCameBack(order) || !hasAllLeft(order)) return '';
  return `${pounds(uncollected)} of this order is not collected by a driver. Ask the customer for it.`;
}

/** Why the whole sum may not have come in: other parcels' drivers bring a part of it. Empty if no parcel is a reason to ask. */
export function partText(order: Order): string {
  const { amountDue, uncollected, isDelivered, parcels } = order;
  if (isDelivered) return '';
  if (!hasAllLeft(order) && uncollected > 0 && uncollected < amountDue)
    return `${pounds(uncollected)} of it is due with what has not left yet. Once you record the whole sum, that driver collects nothing.`;
  return parcels.filter((parcel) => parcel.amountDue > 0).length > 1 ? 'Each parcel’s driver collects a part of it.' : '';
}

/** Whether another sum may have come in than is due, so that a form asks for it. */
const mayBeOther = (order: Order) =>
  order.toReceive > order.amountDue || hasCameBack(order) || order.waivedPrice > 0 || overpaidOf(order) > 0;

/** How the payment was recorded. Records from before it was stored go by the method. */
const isTransfer = ({ receivedBy, paymentMethod }: Order) =>
  (receivedBy ?? (paymentMethod === PAYMENT_METHOD.cash ? 'cash' : 'transfer')) === 'transfer';

interface CashActions {
  pending: string;
  take: (step: 'takeBackCash') => void;
  receive: (by: PaidBackBy) => void;
  notCollected: () => void;
}

interface CashStepsProps {
  order: Order;
  actions: CashActions;
  onChange: (order: Order) => void;
}

const RECEIVE: [PaidBackBy, string][] = [
  ['cash', STEPS.receiveCash.label],
  ['transfer', 'Record transfer received'],
];

/** The buttons for cash and transfers. Before a sum is recorded that drivers may still collect a part of, a question names it. */
function ReceiveButtons({ order, actions, onOpen }: Omit<CashStepsProps, 'onChange'> & { onOpen: (by: PaidBackBy) => void }) {
  const [asked, setAsked] = useState<PaidBackBy>();
  const part = partText(order);
  const { amountDue } = order;
  const press = (by: PaidBackBy) => {
    if (mayBeOther(order)) onOpen(by);
    else if (part) setAsked(by);
    else actions.receive(by);
  };
  return (
    <>
      <div className="flex flex-wrap gap-3">
        {RECEIVE.map(([by, label]) => (
          <Button key={by} look="secondary" pending={actions.pending === `receiveCash ${by}`} onClick={() => press(by)}>
            {label}
          </Button>
        ))}
      </div>
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

/** Stands out where drivers may have money although nothing is due. */
function MoreMoneyButton({ order, onOpen }: { order: Order; onOpen: () => void }) {
  const isExpected = order.toReceive > 0;
  return (
    <Button
      look={isExpected ? 'secondary' : 'quiet'}
      className={isExpected ? 'justify-self-start' : 'justify-self-start px-0'}
      onClick={onOpen}
    >
      {STEPS.receiveMore.label}
    </Button>
  );
}

/** Says that drivers have nothing of what less is due of by now. A question names what then remains, since nothing undoes it. */
function NotCollectedButton({ order, actions }: Omit<CashStepsProps, 'onChange'>) {
  const [isAsked, setIsAsked] = useState(false);
  const { label } = STEPS.notCollected;
  const { amountDue, toReceive } = order;
  return (
    <>
      <Button look="secondary" className="justify-self-start" pending={actions.pending === 'notCollected'} onClick={() => setIsAsked(true)}>
        {label}
      </Button>
      <ConfirmDialog
        open={isAsked}
        question={`Have the drivers collected nothing of ${pounds(toReceive)}?`}
        name={amountDue > 0 ? `${pounds(amountDue)} is still to be paid.` : 'The order then leaves Delivered, not paid.'}
        action={label}
        onConfirm={() => {
          setIsAsked(false);
          actions.notCollected();
        }}
        onCancel={() => setIsAsked(false)}
      />
    </>
  );
}

/** Undoes the record of the payment. A question names what then is no longer to be paid back. */
function UndoButton({ order, actions }: Omit<CashStepsProps, 'onChange'>) {
  const [isAsked, setIsAsked] = useState(false);
  const label = isTransfer(order) ? 'Undo transfer received' : STEPS.takeBackCash.label;
  const undo = () => actions.take('takeBackCash');
  return (
    <>
      <Button
        look="secondary"
        pending={actions.pending === 'takeBackCash'}
        onClick={order.refundedPrice > 0 ? () => setIsAsked(true) : undo}
      >
        {label}
      </Button>
      <ConfirmDialog
        open={isAsked}
        question={`Was it not ${pounds(order.totalPrice - order.waivedPrice)} that came in?`}
        name={`${pounds(order.refundedPrice)} is then no longer to be paid back. The customer gets an email. If something did come in, record all of it afterwards.`}
        action={label}
        onConfirm={() => {
          setIsAsked(false);
          undo();
        }}
        onCancel={() => setIsAsked(false)}
      />
    </>
  );
}

/** How the payment of an order is recorded and undone, what came in besides, and what is still due given up. One form is open at a time. */
export function CashSteps({ order, actions, onChange }: CashStepsProps) {
  const [open, setOpen] = useState<PaidBackBy | 'write off' | 'more'>();
  const { can } = order;
  const forms = {
    onClose: () => setOpen(undefined),
    onDone: (after: Order) => {
      setOpen(undefined);
      onChange(after);
    },
  };
  if (open === 'write off') return <WriteOffForm order={order} {...forms} />;
  if (open === 'more') return <MoreMoneyForm order={order} {...forms} />;
  if (open) return <ReceiptForm order={order} by={open} {...forms} />;
  return (
    <>
      {can.includes('receiveCash') && <ReceiveButtons order={order} actions={actions} onOpen={setOpen} />}
      {can.includes('takeBackCash') && <UndoButton order={order} actions={actions} />}
      {can.includes('receiveMore') && <MoreMoneyButton order={order} onOpen={() => setOpen('more')} />}
      {can.includes('notCollected') && <NotCollectedButton order={order} actions={actions} />}
      {can.includes('writeOff') && (
        <Button look="quiet" className="justify-self-start px-0" onClick={() => setOpen('write off')}>
          {STEPS.writeOff.label}
        </Button>
      )}
    </>
  );
}
