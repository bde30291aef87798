import { readMeasurement } from '#contract/attributes/measurement.ts';
import { MAX_PIECES, MAX_PRICE } from '#contract/base/limits.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { inPounds, NEW_SIZE, type SizeFields } from './product-fields.ts';

interface SizeRowsProps {
  sizes: SizeFields[];
  /** The server's texts by field, such as `sizes.0.price`. */
  errors: Record<string, string>;
  onChange: (sizes: SizeFields[]) => void;
}

const replaced = <T,>(list: T[], index: number, value: T) => list.map((entry, at) => (at === index ? value : entry));
const without = <T,>(list: T[], index: number) => list.filter((_, at) => at !== index);

/** Says that filters cannot use a measurement; it is shown on the product's page all the same. */
function hintOf({ name, value }: SizeFields['measurements'][number]): string | undefined {
  if (value.trim() === '' || readMeasurement(name, value)) return undefined;
  return 'Not understood, so filters by size leave it out. Write 224, 2240 mm, 88 in, 7 ft 4 in or 224 x 95 x 80 cm.';
}

interface SizeRowProps {
  size: SizeFields;
  label: string;
  errorOf: (field: string) => string | undefined;
  onChange: (size: SizeFields) => void;
  onRemove: () => void;
}

function MeasurementRows({ size, label, errorOf, onChange }: Omit<SizeRowProps, 'onRemove'>) {
  const set = (measurements: SizeFields['measurements']) => onChange({ ...size, measurements });
  return (
    <div className="grid gap-3 border-l-2 border-line pl-4">
      {size.measurements.map((measurement, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no name of their own while they are typed.
        <div key={index} className="grid grid-cols-[1fr_auto] items-start gap-3 sm:grid-cols-[1fr_1fr_auto]">
          <Field
            label="Measurement name"
            required
            maxLength={60}
            value={measurement.name}
            error={errorOf(`measurements.${index}.name`)}
            onChange={({ target }) => set(replaced(size.measurements, index, { ...measurement, name: target.value }))}
          />
          <Field
            label="Value (cm)"
            required
            maxLength={30}
            value={measurement.value}
            hint={hintOf(measurement)}
            error={errorOf(`measurements.${index}.value`)}
            onChange={({ target }) => set(replaced(size.measurements, index, { ...measurement, value: target.value }))}
          />
          <Button
            look="quiet"
            className="mt-7 max-sm:col-start-2 max-sm:row-start-1"
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

function SizeRow({ size, label, errorOf, onChange, onRemove }: SizeRowProps) {
  const set = (changes: Partial<SizeFields>) => onChange({ ...size, ...changes });
  return (
    <div className="panel grid gap-4">
      <div className="grid items-start gap-3 sm:grid-cols-[2fr_1fr_1fr_auto]">
        <Field
          label="Size"
          required
          maxLength={60}
          value={size.size}
          error={errorOf('size')}
          onChange={({ target }) => set({ size: target.value })}
        />
        <Field
          label="Quantity"
          type="number"
          min={0}
          max={MAX_PIECES}
          required
          value={size.quantity}
          error={errorOf('quantity')}
          onChange={({ target }) => set({ quantity: target.value })}
        />
        <Field
          label="Price (pence)"
          type="number"
          min={0}
          max={MAX_PRICE}
          required
          value={size.price}
          error={errorOf('price')}
          hint={Number(size.price) === 0 && size.price !== '' ? '= the product’s price' : inPounds(size.price)}
          onChange={({ target }) => set({ price: target.value })}
        />
        <Button look="quiet" className="justify-self-start sm:mt-7" aria-label={`Remove ${label}`} onClick={onRemove}>
          Remove
        </Button>
      </div>
      <MeasurementRows size={size} label={label} errorOf={errorOf} onChange={onChange} />
    </div>
  );
}

/** Repeatable sizes, each with repeatable measurements (specification §2). */
export function SizeRows({ sizes, errors, onChange }: SizeRowsProps) {
  return (
    <fieldset className="grid gap-4">
      <legend className="legend">Sizes</legend>
      {sizes.map((size, index) => (
        <SizeRow
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no name of their own while they are typed.
          key={index}
          size={size}
          label={size.size || `size ${index + 1}`}
          errorOf={(field) => errors[`sizes.${index}.${field}`]}
          onChange={(next) => onChange(replaced(sizes, index, next))}
          onRemove={() => onChange(without(sizes, index))}
        />
      ))}
      {errors.sizes && <p className="wrong">{errors.sizes}</p>}
      <Button look="secondary" className="justify-self-start" onClick={() => onChange([...sizes, NEW_SIZE])}>
        Add size
      </Button>
    </fieldset>
  );
}
