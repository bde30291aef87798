import { readMeasurement } from '#contract/catalogue/measurement.ts';
import { BARCODE, COST_PRICE, MAX_SKU, WEIGHT } from '#contract/catalogue/product-fields.ts';
import { MAX_PIECES, MAX_PRICE } from '#contract/platform/limits.ts';
import { SizeModel } from '#web/admin/catalogue/pictures/model-field.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/form/field.tsx';
import type { FieldErrors } from '#web/ui/form/rules.ts';
import { Folded } from './folded.tsx';
import { inKilograms, inPounds, NEW_SIZE, type SizeFields } from './product-fields.ts';

const replaced = <T,>(list: T[], index: number, value: T) => list.map((entry, at) => (at === index ? value : entry));
const without = <T,>(list: T[], index: number) => list.filter((_, at) => at !== index);

/** Suggested names of measurements, which the filters and “Will it fit?” understand (decision 114). */
const MEASUREMENT_NAMES = [
  'Width',
  'Depth',
  'Height',
  'Seat height',
  'Height with legs off (4 screws)',
  'Packed size',
  'Largest of 3 boxes',
  'Smallest door',
];

/** A hint for a value that filters cannot use. It is saved anyway, and shown on the product page. */
function hintOf({ name, value }: SizeFields['measurements'][number]): string | undefined {
  if (value.trim() === '' || readMeasurement(name, value)) return undefined;
  return 'We cannot read this, so filters by size leave it out. Write 224, 2240 mm, 88 in, 7 ft 4 in or 224 x 95 x 80 cm.';
}

/** The props of a row of fields: of a size, or of a measurement. */
interface RowProps<T> {
  row: T;
  /** The row's name in the form, such as `sizes.0`. */
  name: string;
  errors: FieldErrors;
  onChange: (row: T) => void;
  onRemove: () => void;
}

/** Returns a function that gives the props of one field of the row. */
function bindOf<T>({ row, name, errors, onChange }: RowProps<T>) {
  return (key: keyof T & string) => ({
    id: `${name}.${key}`,
    required: true,
    value: row[key] as string,
    error: errors[`${name}.${key}`],
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...row, [key]: target.value }),
  });
}

function MeasurementRow({ removeLabel, ...props }: RowProps<SizeFields['measurements'][number]> & { removeLabel: string }) {
  const bind = bindOf(props);
  return (
    <div className="grid grid-cols-[1fr_auto] items-start gap-3 sm:grid-cols-[1fr_1fr_auto]">
      <Field label="Measurement name" maxLength={60} list="measurement-names" {...bind('name')} />
      <Field label="Value (cm)" maxLength={30} hint={hintOf(props.row)} {...bind('value')} />
      <Button look="quiet" className="mt-7 max-sm:col-start-2 max-sm:row-start-1" aria-label={removeLabel} onClick={props.onRemove}>
        Remove
      </Button>
    </div>
  );
}

function Measurements({
  size,
  label,
  name,
  errors,
  onChange,
}: { size: SizeFields; label: string } & Omit<RowProps<SizeFields>, 'row' | 'onRemove'>) {
  const rows = size.measurements;
  const set = (measurements: SizeFields['measurements']) => onChange({ ...size, measurements });
  return (
    <div className="grid gap-3 border-l-2 border-line pl-4">
      {rows.map((row, index) => (
        <MeasurementRow
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no name of their own while they are typed.
          key={index}
          row={row}
          name={`${name}.measurements.${index}`}
          errors={errors}
          removeLabel={`Remove measurement ${index + 1} of ${label}`}
          onChange={(next) => set(replaced(rows, index, next))}
          onRemove={() => set(without(rows, index))}
        />
      ))}
      <Button
        look="quiet"
        className="-ml-3 justify-self-start"
        aria-label={`Add a measurement to ${label}`}
        onClick={() => set([...rows, { name: '', value: '' }])}
      >
        Add measurement
      </Button>
    </div>
  );
}

/** The hint under a size's price, where 0 means the product's price. */
export const priceHint = (price: string) => (Number(price) === 0 && price !== '' ? '= the product’s price' : inPounds(price));

/** The first size has no 3D model of its own: the product's model shows it. */
function SizeRow({ label, isFirst, ...props }: RowProps<SizeFields> & { label: string; isFirst: boolean }) {
  const { row: size, name, errors, onChange, onRemove } = props;
  const bind = bindOf(props);
  return (
    <div className="panel grid gap-4">
      <div className="grid items-start gap-3 sm:grid-cols-[2fr_1fr_1fr_auto]">
        <Field label="Size" maxLength={60} {...bind('size')} />
        <Field label="Quantity" type="number" min={0} max={MAX_PIECES} {...bind('quantity')} />
        <Field label="Price (pence)" type="number" min={0} max={MAX_PRICE} hint={priceHint(size.price)} {...bind('price')} />
        <Button look="quiet" className="max-sm:-ml-3 max-sm:justify-self-start sm:mt-7" aria-label={`Remove ${label}`} onClick={onRemove}>
          Remove
        </Button>
      </div>
      <Codes {...props} label={label} />
      <Measurements size={size} label={label} name={name} errors={errors} onChange={onChange} />
      {!isFirst && <SizeModel id={`${name}.model`} label={label} size={size} error={errors[`${name}.model`]} onChange={onChange} />}
    </div>
  );
}

const CODES = ['sku', 'barcode', 'weight', 'costPrice'] as const;

/** A size's own codes, weight and cost; folded, since few sizes have them. */
function Codes({ label, ...props }: RowProps<SizeFields> & { label: string }) {
  const { row: size, name, errors } = props;
  const bind = bindOf(props);
  const optional = (key: (typeof CODES)[number]) => ({ ...bind(key), required: false });
  const isWrong = CODES.some((key) => errors[`${name}.${key}`]);
  return (
    <Folded title="Codes, weight and cost" label={`Codes, weight and cost of ${label}`} isWrong={isWrong}>
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <Field label="Size’s SKU" maxLength={MAX_SKU} {...optional('sku')} />
        <Field label="Size’s barcode" maxLength={BARCODE.max} {...optional('barcode')} />
        <Field
          label="Size’s weight (in grams)"
          type="number"
          min={WEIGHT.least}
          max={WEIGHT.most}
          hint={inKilograms(size.weight)}
          {...optional('weight')}
        />
        <Field
          label="Size’s cost (in pence)"
          type="number"
          min={COST_PRICE.least}
          max={COST_PRICE.most}
          hint={inPounds(size.costPrice)}
          {...optional('costPrice')}
        />
      </div>
    </Folded>
  );
}

interface SizeRowsProps {
  sizes: SizeFields[];
  /** Keys such as `sizes.0.price`. */
  errors: FieldErrors;
  onChange: (sizes: SizeFields[]) => void;
}

/** The sizes of a product, each with its measurements (specification §2). */
export function SizeRows({ sizes, errors, onChange }: SizeRowsProps) {
  return (
    <fieldset id="sizes" className="grid gap-4">
      <legend className="legend">Sizes</legend>
      <datalist id="measurement-names">
        {MEASUREMENT_NAMES.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <p className="hint">
        What comes off or how it is packed tells shoppers whether it goes through their door: “Height with legs off (4 screws)”, “Largest of
        3 boxes”.
      </p>
      {sizes.map((size, index) => (
        <SizeRow
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no name of their own while they are typed.
          key={index}
          row={size}
          name={`sizes.${index}`}
          label={size.size || `size ${index + 1}`}
          isFirst={index === 0}
          errors={errors}
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
