import { useId } from 'react';
import type { Product } from '#contract/catalogue/catalogue.ts';
import { colourName } from '#contract/catalogue/colour.ts';
import { COLOUR_NOT_CHOSEN } from '#contract/orders/orders.ts';
import { Select } from '#web/ui/form/field.tsx';
import { Stepper } from '#web/ui/form/stepper.tsx';

/** How many pieces of a product, in which size and colour. */
export interface Choice {
  qty: number;
  size: string | null;
  color: string | null;
}

interface ChoiceFieldsProps {
  /** The product's name, for the buttons. */
  name: string;
  /** Undefined while it is loaded, and if it is no longer sold: size and colour cannot be changed. */
  product: Pick<Product, 'sizes' | 'colors'> | undefined;
  value: Choice;
  max: number;
  /** The pieces are not in the order yet: the only colour of a product is chosen. */
  isNew?: boolean;
  onChange: (changes: Partial<Choice>) => void;
}

export function ChoiceFields({ name, product, value, max, isNew = false, onChange }: ChoiceFieldsProps) {
  const { sizes = [], colors = [] } = product ?? {};
  const colours = colors.map((colour) => ({ label: colourName(colour), value: colour.hexCode }));
  const onlyColour = isNew && colours.length === 1 ? colours[0]?.label : undefined;
  const chosenColour = colours.find((one) => one.value === value.color)?.label ?? onlyColour ?? '';
  const asksColour = isNew && value.qty > 0 && colours.length > 0 && chosenColour === '';
  const hintId = useId();
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
      <Stepper name={name} value={value.qty} min={0} max={max} onChange={(qty) => onChange({ qty })} />
      {/* The server takes a product's only size by itself. */}
      {value.qty > 0 && sizes.length > 1 && (
        <Select
          label="Size"
          required
          none="Choose a size"
          options={[...(value.size === null ? [''] : []), ...sizes.map(({ size }) => size)]}
          value={value.size ?? ''}
          onChange={({ target }) => onChange({ size: target.value || null })}
        />
      )}
      {value.qty > 0 && colours.length > 0 && (
        <Select
          label="Colour"
          none={COLOUR_NOT_CHOSEN}
          options={[...(chosenColour === '' ? [''] : []), ...colours.map(({ label }) => label)]}
          value={chosenColour}
          aria-describedby={asksColour ? hintId : undefined}
          onChange={({ target }) => onChange({ color: colours.find(({ label }) => label === target.value)?.value ?? null })}
        />
      )}
      {asksColour && (
        <p id={hintId} className="hint w-full">
          Ask which colour. The order can also be placed without one.
        </p>
      )}
    </div>
  );
}
