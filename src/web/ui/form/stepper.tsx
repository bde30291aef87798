import { Minus, Plus } from 'lucide';
import { Icon } from '#web/ui/icon.tsx';

interface StepperProps {
  /** What is counted, for the buttons' names. */
  name: string;
  value: number;
  min?: number;
  max: number;
  onChange: (value: number) => void;
}

/** A quantity with minus and plus. At a limit a button stays focusable and says why nothing happens. */
export function Stepper({ name, value, min = 1, max, onChange }: StepperProps) {
  const buttonClasses = 'flex size-target items-center justify-center hover:bg-stage aria-disabled:opacity-40';
  return (
    <fieldset className="inline-flex items-center rounded-soft bg-paper outline -outline-offset-1 outline-edge">
      <legend className="sr-only">Quantity of {name}</legend>
      <button
        type="button"
        className={buttonClasses}
        aria-label={`One fewer ${name}`}
        aria-disabled={value <= min || undefined}
        onClick={() => value > min && onChange(value - 1)}
      >
        <Icon of={Minus} className="size-4" />
      </button>
      <output className="min-w-8 text-center font-semibold" aria-live="polite">
        {value}
      </output>
      <button
        type="button"
        className={buttonClasses}
        aria-label={`One more ${name}`}
        aria-disabled={value >= max || undefined}
        onClick={() => value < max && onChange(value + 1)}
      >
        <Icon of={Plus} className="size-4" />
      </button>
    </fieldset>
  );
}
