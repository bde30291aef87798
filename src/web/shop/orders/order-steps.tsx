import { Check, Circle, CircleDot, X } from 'lucide';
import type { Order } from '#contract/orders/orders.ts';
import { Icon } from '#web/ui/icon.tsx';
import { type Step, stepsOf } from './steps.ts';

const LOOKS = {
  done: { icon: Check, look: 'bg-accent text-page', words: 'done' },
  next: { icon: CircleDot, look: 'border-2 border-accent text-accent', words: 'next' },
  later: { icon: Circle, look: 'border border-edge text-edge', words: 'to come' },
  ended: { icon: X, look: 'bg-bad text-paper', words: 'ended' },
} as const;

function StepItem({ step: { name, state, when } }: { step: Step }) {
  const { icon, look, words } = LOOKS[state];
  return (
    <li aria-current={state === 'next' ? 'step' : undefined} className="flex items-start gap-3 sm:flex-1 sm:flex-col sm:gap-2">
      <span className={`flex size-8 flex-none items-center justify-center rounded-full ${look}`}>
        <Icon of={icon} className="size-4" />
      </span>
      <span className="leading-snug">
        <span className={state === 'later' ? '' : 'font-semibold'}>
          {name}
          <span className="sr-only"> ({words})</span>
        </span>
        {when && <span className="block text-sm text-soft">{when}</span>}
      </span>
    </li>
  );
}

export function OrderSteps({ order }: { order: Order }) {
  return (
    <ol aria-label="Progress" className="grid gap-4 sm:flex">
      {stepsOf(order).map((step) => (
        <StepItem key={step.name} step={step} />
      ))}
    </ol>
  );
}
