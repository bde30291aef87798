import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { NEW_SIZE, type SizeFields } from './product-fields.ts';

interface SizeRowsProps {
  sizes: SizeFields[];
  onChange: (sizes: SizeFields[]) => void;
}

const replaced = <T,>(list: T[], index: number, value: T) => list.map((entry, at) => (at === index ? value : entry));
const without = <T,>(list: T[], index: number) => list.filter((_, at) => at !== index);

function MeasurementRows({ size, label, onChange }: { size: SizeFields; label: string; onChange: (size: SizeFields) => void }) {
  const set = (measurements: SizeFields['measurements']) => onChange({ ...size, measurements });
  return (
    <div className="grid gap-3 border-l-2 border-line pl-4">
      {size.measurements.map((measurement, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no name of their own while they are typed.
        <div key={index} className="grid grid-cols-[1fr_1fr_auto] items-end gap-3">
          <Field
            label="Measurement name"
            required
            value={measurement.name}
            onChange={({ target }) => set(replaced(size.measurements, index, { ...measurement, name: target.value }))}
          />
          <Field
            label="Value (cm)"
            required
            inputMode="decimal"
            value={measurement.value}
            onChange={({ target }) => set(replaced(size.measurements, index, { ...measurement, value: target.value }))}
          />
          <Button
            look="quiet"
            aria-label={`Remove measurement ${index + 1} of ${label}`}
            onClick={() => set(without(size.measurements, index))}
          >
            Remove
          </Button>
        </div>
      ))}
      <Button
        look="quiet"
        className="justify-self-start"
        aria-label={`Add a measurement to ${label}`}
        onClick={() => set([...size.measurements, { name: '', value: '' }])}
      >
        Add measurement
      </Button>
    </div>
  );
}

/** Repeatable sizes, each with repeatable measurements (specification §2). */
export function SizeRows({ sizes, onChange }: SizeRowsProps) {
  return (
    <fieldset className="grid gap-4">
      <legend className="legend">Sizes</legend>
      {sizes.map((size, index) => {
        const label = size.size || `size ${index + 1}`;
        const set = (next: SizeFields) => onChange(replaced(sizes, index, next));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no name of their own while they are typed.
          <div key={index} className="panel grid gap-4">
            <div className="grid items-end gap-3 sm:grid-cols-[2fr_1fr_1fr_auto]">
              <Field label="Size" required value={size.size} onChange={({ target }) => set({ ...size, size: target.value })} />
              <Field
                label="Quantity"
                type="number"
                min={0}
                required
                value={size.quantity}
                onChange={({ target }) => set({ ...size, quantity: target.value })}
              />
              <Field
                label="Price (pence)"
                type="number"
                min={0}
                required
                value={size.price}
                onChange={({ target }) => set({ ...size, price: target.value })}
              />
              <Button look="quiet" aria-label={`Remove ${label}`} onClick={() => onChange(without(sizes, index))}>
                Remove
              </Button>
            </div>
            <MeasurementRows size={size} label={label} onChange={set} />
          </div>
        );
      })}
      <Button look="secondary" className="justify-self-start" onClick={() => onChange([...sizes, NEW_SIZE])}>
        Add size
      </Button>
    </fieldset>
  );
}
