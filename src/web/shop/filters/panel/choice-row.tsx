import { type ReactNode, useState } from 'react';
import { grouped } from '#contract/market/money.ts';
import { useStateFrom } from '#web/ui/use-state-from.ts';

/** The products that a value would leave; undefined until loaded. */
export interface Count {
  count: number | undefined;
  /** An estimate, where 0 may mean a few. */
  isEstimate: boolean;
}

/** A value's count; read out as “12 products”. */
export function CountNote({ count, isEstimate, id }: Count & { id?: string }) {
  if (count === undefined) return null;
  const isFew = isEstimate && count === 0;
  return (
    <span id={id} className="text-sm text-soft tabular-nums">
      {isEstimate && !isFew && (
        <>
          <span aria-hidden="true">~</span>
          <span className="sr-only">about </span>
        </>
      )}
      {isFew ? 'few' : grouped(count)}
      <span className="sr-only">{count === 1 ? ' product' : ' products'}</span>
    </span>
  );
}

interface ChoiceRowProps extends Count {
  type: 'checkbox' | 'radio';
  name: string;
  value: string;
  chosen: boolean;
  onChoose?: () => void;
  children: ReactNode;
}

/** A value with its count. A value that leaves no products is disabled, unless it is chosen, or was chosen here and may have the focus. */
export function ChoiceRow({ type, name, value, chosen, count, isEstimate, onChoose, children }: ChoiceRowProps) {
  const [isChecked, setIsChecked] = useStateFrom(chosen);
  const [isTouched, setIsTouched] = useState(false);
  const isEmpty = count === 0 && !isEstimate;
  return (
    <label className="flex min-h-target items-center gap-3 has-disabled:text-soft lg:min-h-8">
      <input
        type={type}
        name={name}
        value={value}
        className="size-5 shrink-0 accent-accent"
        checked={isChecked}
        disabled={isEmpty && !isChecked && !isTouched}
        onChange={({ target }) => {
          setIsTouched(true);
          setIsChecked(target.checked);
          onChoose?.();
        }}
      />
      <span className="flex min-w-0 flex-1 items-center gap-2 wrap-anywhere">{children}</span>
      <CountNote count={count} isEstimate={isEstimate} />
    </label>
  );
}
