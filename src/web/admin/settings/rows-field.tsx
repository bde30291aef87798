import type { z } from 'zod';
import { metaOf, type SectionFields } from '#contract/settings/sections.schema.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/form/field.tsx';
import type { FieldErrors } from '#web/ui/form/rules.ts';

export type Row = Record<string, string>;

interface RowsFieldProps {
  name: string;
  schema: z.ZodArray<z.ZodObject>;
  rows: Row[];
  errors: FieldErrors;
  onChange: (rows: Row[]) => void;
}

/** A list of rows that are added, changed and removed. */
export function RowsField({ name, schema, rows, errors, onChange }: RowsFieldProps) {
  const { label, hint, row: rowName = 'row' } = metaOf(schema);
  const columns = schema.element.shape as SectionFields;
  const set = (index: number, row: Row) => onChange(rows.map((before, at) => (at === index ? row : before)));
  return (
    <fieldset id={name} tabIndex={-1} className="grid gap-4">
      <legend className="legend">{label}</legend>
      {hint && <p className="hint">{hint}</p>}
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no name of their own while they are typed.
        <div key={index} className="grid grid-cols-[1fr_auto] items-start gap-3 sm:grid-cols-[1fr_1.5fr_auto]">
          {Object.entries(columns).map(([column, schema]) => (
            <Field
              key={column}
              id={`${name}.${index}.${column}`}
              label={metaOf(schema).label}
              required
              value={row[column] ?? ''}
              error={errors[`${name}.${index}.${column}`]}
              onChange={({ target }) => set(index, { ...row, [column]: target.value })}
            />
          ))}
          <Button
            look="quiet"
            className="mt-7 max-sm:col-start-2 max-sm:row-start-1"
            aria-label={`Remove ${rowName} ${index + 1} of ${label}`}
            onClick={() => onChange(rows.filter((_, at) => at !== index))}
          >
            Remove
          </Button>
        </div>
      ))}
      {errors[name] && <p className="wrong">{errors[name]}</p>}
      <Button
        look="secondary"
        className="justify-self-start"
        onClick={() => onChange([...rows, Object.fromEntries(Object.keys(columns).map((column) => [column, '']))])}
      >
        Add {rowName}
      </Button>
    </fieldset>
  );
}
