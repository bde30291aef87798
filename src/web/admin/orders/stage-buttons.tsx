import type { Order } from '#contract/orders/orders.ts';
import { labelOf, type StepName, stepOf } from '#contract/orders/states.ts';
import { Button } from '#web/ui/button.tsx';

interface StageButtonsProps {
  order: Order;
  marks: { pending: string; take: (step: StepName) => void };
  /** Opens the dispatch form. */
  onDispatch: () => void;
}

/** The steps of delivery that an administrator can take, the usual one first. */
export function StageButtons({ order: { status, can }, marks, onDispatch }: StageButtonsProps) {
  const isShown = (name: StepName) => {
    const { call, to } = stepOf(name);
    return (call === 'stage' || call === 'delivery') && to?.some((state) => state !== status);
  };
  const isUsual = (name: StepName) => stepOf(name).usualIn?.includes(status) ?? false;
  return can
    .filter(isShown)
    .sort((one, other) => Number(isUsual(other)) - Number(isUsual(one)))
    .map((name) => (
      <Button
        key={name}
        look={isUsual(name) ? 'secondary' : 'quiet'}
        className={isUsual(name) ? '' : '-ml-3 justify-self-start'}
        pending={marks.pending === name}
        onClick={() => (name === 'dispatch' ? onDispatch() : marks.take(name))}
      >
        {labelOf(name, status)}
      </Button>
    ));
}
