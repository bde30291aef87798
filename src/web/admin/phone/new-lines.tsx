import { priceOf } from '#contract/catalogue/catalogue.ts';
import { pounds } from '#contract/market/money.ts';
import { MAX_QUANTITY } from '#contract/platform/limits.ts';
import { ChoiceFields } from '#web/admin/orders/choice-fields.tsx';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Field } from '#web/ui/form/field.tsx';
import type { FieldErrors } from '#web/ui/form/rules.ts';
import { isPrice, type NewLine } from './new-order.ts';

interface LineProps {
  value: NewLine;
  /** Its fields' ids start with it. */
  id: string;
  errors: FieldErrors;
  onChange: (changes: Partial<NewLine>) => void;
}

/** A product with its size, colour and quantity, and an agreed price if it has one. */
function Line({ value, id, errors, onChange }: LineProps) {
  const { value: product } = useLoaded('GET /api/products/:id', { params: { id: value.product } });
  const todaysPrice = product && priceOf(product, value.size ?? undefined);
  const priceId = `${id}.agreed.price`;
  const reasonId = `${id}.agreed.reason`;
  return (
    <li className="grid justify-items-start gap-3 border-b border-line pb-4">
      <span className="font-medium wrap-anywhere">{value.name}</span>
      <ChoiceFields name={value.name} product={product} value={value} max={MAX_QUANTITY} isNew onChange={onChange} />
      <div className="grid w-full items-start gap-x-4 gap-y-3 sm:grid-cols-2">
        <Field
          id={priceId}
          label="Agreed price in pounds"
          inputMode="decimal"
          autoComplete="off"
          value={value.price}
          error={isPrice(value.price) ? undefined : errors[priceId]}
          hint={
            todaysPrice === undefined
              ? undefined
              : `For one piece. Leave empty for today’s price, ${pounds(todaysPrice)}. No discount applies to it.`
          }
          onChange={({ target }) => onChange({ price: target.value })}
        />
        {value.price.trim() !== '' && (
          <Field
            id={reasonId}
            label="Reason for the price"
            required
            autoComplete="off"
            maxLength={200}
            value={value.reason}
            error={value.reason.trim() ? undefined : errors[reasonId]}
            hint="Only staff see it."
            onChange={({ target }) => onChange({ reason: target.value })}
          />
        )}
      </div>
    </li>
  );
}

interface NewLinesProps {
  lines: NewLine[];
  errors: FieldErrors;
  onChange: (lines: NewLine[]) => void;
}

/** The pieces of a new order. A quantity of 0 removes a line. */
export function NewLines({ lines, errors, onChange }: NewLinesProps) {
  const changeLine = (index: number, changes: Partial<NewLine>) =>
    onChange(lines.map((line, other) => (other === index ? { ...line, ...changes } : line)).filter(({ qty }) => qty > 0));
  return (
    <ul id="lines" tabIndex={-1} className="grid gap-4 empty:hidden">
      {lines.map((value, index) => (
        <Line
          // biome-ignore lint/suspicious/noArrayIndexKey: one product may be added twice.
          key={`${value.product}${index}`}
          id={`lines.${index}`}
          value={value}
          errors={errors}
          onChange={(changes) => changeLine(index, changes)}
        />
      ))}
    </ul>
  );
}
