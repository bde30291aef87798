import type { ReactNode } from 'react';

interface RadioProps<T extends string> {
  name: string;
  value: T;
  /** The group's value. */
  chosen: string | undefined;
  onChoose: (value: T) => void;
  className: string;
  look?: keyof typeof LOOKS;
  title?: string;
  isInvalid?: boolean;
  children: ReactNode;
}

const LOOKS = {
  small: 'size-4 accent-accent',
  large: 'size-5 accent-accent',
  /** Invisible over its content, such as a swatch. */
  covering: 'absolute inset-0 m-0 size-full cursor-pointer opacity-0',
};

export const Radio = <T extends string>({ name, value, chosen, onChoose, className, look = 'small', ...rest }: RadioProps<T>) => (
  <label className={className} title={rest.title}>
    <input
      type="radio"
      name={name}
      value={value}
      className={LOOKS[look]}
      checked={value === chosen}
      aria-invalid={rest.isInvalid || undefined}
      onChange={() => onChoose(value)}
    />
    {rest.children}
  </label>
);
