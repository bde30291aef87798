import { useState } from 'react';
import { pounds } from '#contract/market/money.ts';
import { type Order, PAYMENT_METHOD, pieceNames, unsentLines } from '#contract/orders/orders.ts';
import { labelOf, type StepName, stepOf } from '#contract/orders/steps.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';

interface StageButtonsProps {
  order: Order;
  actions: { pending: string; take: (step: StepName) => void };
  /** Opens the dispatch form. */
  onDispatch: () => void;
}

/** The steps with which pieces reach the customer, and the end of the question before them. */
const SENDING: Partial<Record<StepName, string>> = { dispatch: 'Dispatch it all the same?', deliver: 'Mark it as delivered all the same?' };

interface Doubt {
  question: string;
  name: string;
}

/** What to ask before a step: the order waits for its payment, or pieces of it have no parcel yet although others have. */
export function doubtOf(order: Order, step: StepName): Doubt | undefined {
  const { status, paymentMethod, amountDue } = order;
  const end = SENDING[step];
  if (!end) return undefined;
  const doubts: Doubt[] = [];
  if (paymentMethod === PAYMENT_METHOD.online && amountDue > 0)
    doubts.push({ question: `Not paid yet: ${pounds(amountDue)}.`, name: 'You would have to collect the money afterwards.' });
  if (step === 'deliver' && status === 'partly_dispatched')
    doubts.push({
      question: `Not dispatched yet: ${pieceNames(unsentLines(order))}.`,
      name: 'The customer gets an email that the whole order has arrived.',
    });
  if (doubts.length === 0) return undefined;
  const all = (part: keyof Doubt) => doubts.map((doubt) => doubt[part]).join(' ');
  return { question: `${all('question')} ${end}`, name: all('name') };
}

/** The steps of delivery that an administrator can take, the usual one first. */
export function StageButtons({ order, actions, onDispatch }: StageButtonsProps) {
  const { status, can } = order;
  /** The step that waits for an answer. */
  const [asked, setAsked] = useState<StepName>();
  const hasButton = (name: StepName) => {
    const { call, to } = stepOf(name);
    const isOfDelivery = call === 'stage' || call === 'delivery';
    // Another parcel can fail when one has: that changes only the parcel, which has its own button.
    return isOfDelivery && to?.some((state) => state !== status);
  };
  const isUsual = (name: StepName) => stepOf(name).usualIn?.includes(status) ?? false;
  const steps = can.filter(hasButton).sort((one, other) => Number(isUsual(other)) - Number(isUsual(one)));
  if (steps.length === 0) return null;
  const take = (name: StepName) => (name === 'dispatch' ? onDispatch() : actions.take(name));
  const doubt = asked && doubtOf(order, asked);
  return (
    <div className="flex flex-wrap gap-3">
      {steps.map((name) => (
        <Button
          key={name}
          look={isUsual(name) ? 'primary' : 'quiet'}
          pending={actions.pending === name}
          onClick={() => (doubtOf(order, name) ? setAsked(name) : take(name))}
        >
          {labelOf(name, status)}
        </Button>
      ))}
      <ConfirmDialog
        open={asked !== undefined}
        question={doubt?.question ?? ''}
        name={doubt?.name ?? ''}
        action={asked ? labelOf(asked, status) : ''}
        onConfirm={() => {
          setAsked(undefined);
          if (asked) take(asked);
        }}
        onCancel={() => setAsked(undefined)}
      />
    </div>
  );
}
