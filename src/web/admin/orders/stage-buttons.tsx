import type { Order } from '#contract/orders/orders.ts';
import { labelOf, type StepName, stepOf } from '#contract/orders/steps.ts';
import { Button } from '#web/ui/button.tsx';

interface StageButtonsProps {
  order: Order;
  actions: { pending: string; take: (step: StepName) => void };
  /** Opens the dispatch form. */
  onDispatch: () => void;
}

/** The steps of delivery that an administrator can take, the usual one first. */
export function StageButtons({ order: { status, can }, actions, onDispatch }: StageButtonsProps) {
  const hasButton = (name: StepName) => {
    const { call, to } = stepOf(name);
    const isOfDelivery = call === 'stage' || call === 'delivery';
    // Another parcel can fail when one has: that changes only the parcel, which has its own button.
    return isOfDelivery && to?.some((state) => state !== status);
  };
  const isUsual = (name: StepName) => stepOf(name).usualIn?.includes(status) ?? false;
  const steps = can.filter(hasButton).sort((one, other) => Number(isUsual(other)) - Number(isUsual(one)));
  if (steps.length === 0) return null;
  return (
    <p className="flex flex-wrap gap-3">
      {steps.map((name) => (
        <Button
          key={name}
          look={isUsual(name) ? 'primary' : 'quiet'}
          pending={actions.pending === name}
          onClick={() => (name === 'dispatch' ? onDispatch() : actions.take(name))}
        >
          {labelOf(name, status)}
        </Button>
      ))}
    </p>
  );
}
