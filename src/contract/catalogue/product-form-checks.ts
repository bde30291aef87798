/** What the browser says about the product form before it sends it: see `form-checks.ts`. */
import { type Check, checkOf, type FieldErrors, required } from '#contract/form-checks.ts';
import {
  fieldsShown,
  isRequired,
  type Limits,
  limitTexts,
  type ProductField,
  type ProductValues,
  SIZE_PRICE,
  SIZE_QUANTITY,
} from './product-fields.ts';

/** A whole number, as typed. */
function wholeNumber(field: Limits, needed = true) {
  const { title, least, most } = field;
  const { below, above } = limitTexts(field);
  return (value: string): string | undefined => {
    const text = value.trim();
    if (text === '') return needed ? `${title} is required.` : undefined;
    if (!/^-?\d+(\.\d+)?$/.test(text)) return `${title} must be a number.`;
    if (!Number.isInteger(Number(text))) return `${title} must be a whole number.`;
    if (Number(text) < least) return below;
    return Number(text) > most ? above : undefined;
  };
}

/** A size of the product form, as typed. */
export interface SizeFields {
  size: string;
  quantity: string;
  price: string;
  measurements: { name: string; value: string }[];
}

const checkSize = checkOf<SizeFields>({
  size: required('Size', '.'),
  quantity: wholeNumber(SIZE_QUANTITY),
  price: wholeNumber(SIZE_PRICE),
});

const checkMeasurement = checkOf<{ name: string; value: string }>({
  name: required('Measurement name', '.'),
  value: required('Measurement value', '.'),
});

/** The errors of a list's rows, by names such as `sizes.0.price`. */
function ofRows<T>(name: string, rows: T[], check: (row: T) => FieldErrors): FieldErrors {
  const entries = rows.flatMap((row, index) => Object.entries(check(row)).map(([field, text]) => [`${name}.${index}.${field}`, text]));
  return Object.fromEntries(entries) as FieldErrors;
}

const checkSizeAndMeasurements = (size: SizeFields): FieldErrors => ({
  ...checkSize(size),
  ...ofRows('measurements', size.measurements, checkMeasurement),
});

/** The fields of the product form: numbers stay text until they are sent. */
export type TypedValues = { [name in keyof ProductValues]: ProductValues[name] extends boolean ? boolean : string };

function checkOfField(field: ProductField, isNew: boolean): Check<TypedValues> | undefined {
  const needed = isRequired(field, isNew);
  switch (field.kind) {
    case 'flag':
      return undefined;
    case 'money':
    case 'count':
      return wholeNumber(field, needed);
    default:
      return needed ? required(field.title, '.') : undefined;
  }
}

/** The product form (specification §5): the fit is asked of new products only, the subcategory of others. */
export function checkProduct(isNew: boolean): (fields: TypedValues & { sizes: SizeFields[] }) => FieldErrors {
  const check = checkOf<TypedValues>(Object.fromEntries(fieldsShown(isNew).map((field) => [field.name, checkOfField(field, isNew)])));
  return (fields) => ({ ...check(fields), ...ofRows('sizes', fields.sizes, checkSizeAndMeasurements) });
}
