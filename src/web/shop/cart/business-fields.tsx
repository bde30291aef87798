import { vatNumberProblem } from '#contract/orders/orders.ts';
import { business } from '#web/browser/business.ts';
import { useStoredValue } from '#web/browser/stored-value.ts';
import { Field } from '#web/ui/form/field.tsx';

const EMPTY = { company: '', vatNumber: '', orderNumber: '' };

const FIELDS = [
  { name: 'company', label: 'Company name', maxLength: 100, autoComplete: 'organization' },
  { name: 'vatNumber', label: 'VAT number', maxLength: 20, autoComplete: 'off' },
  { name: 'orderNumber', label: 'Your order number', maxLength: 40, autoComplete: 'off' },
] as const;

/** What a business wants on its invoice. Kept in the browser, and sent with the order. */
export function BusinessFields() {
  const typed = useStoredValue(business) ?? EMPTY;
  return (
    <div className="mt-1 grid gap-3">
      <p className="hint">We’ll put these on your invoice.</p>
      {FIELDS.map(({ name, ...field }) => (
        <Field
          key={name}
          id={`business-${name}`}
          {...field}
          value={typed[name]}
          error={name === 'vatNumber' ? vatNumberProblem(typed.vatNumber) : undefined}
          onChange={({ target }) => business.write({ ...typed, [name]: target.value })}
        />
      ))}
    </div>
  );
}
