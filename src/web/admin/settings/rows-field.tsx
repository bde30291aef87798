import { useRef } from 'react';
import { flushSync } from 'react-dom';
import type { z } from 'zod';
import { metaOf, type SectionFields, type SectionName } from '#contract/settings/sections.schema.ts';
import { Button } from '#web/ui/button.tsx';
import type { FieldErrors } from '#web/ui/form/rules.ts';
import { PictureField } from './picture-field.tsx';
import { RowsCsv } from './rows-csv.tsx';
import { SettingControl } from './setting-control.tsx';
import { SpotsField } from './spots-field.tsx';

export type Row = Record<string, string>;

const NARROW_ROW = 'grid grid-cols-[1fr_auto] items-start gap-3 sm:grid-cols-[1fr_1.5fr_auto]';
const WIDE_ROW = 'grid items-start gap-3 rounded-card border border-line p-4 sm:grid-cols-2';

interface RowsFieldProps {
  section: SectionName;
  name: string;
  schema: z.ZodArray<z.ZodObject>;
  rows: Row[];
  errors: FieldErrors;
  onChange: (rows: Row[]) => void;
}

/** A list of rows that are added, changed and removed. */
export function RowsField({ section, name, schema, rows, errors, onChange }: RowsFieldProps) {
  const { label, hint, row: rowName = 'row', isTable } = metaOf(schema);
  const columns = schema.element.shape as SectionFields;
  const isWide = Object.keys(columns).length > 2;
  // A select cannot be empty, so it begins with its first option.
  const emptyRow = Object.fromEntries(
    Object.entries(columns).map(([column, cellSchema]) => [column, metaOf(cellSchema).options?.[0] ?? '']),
  );
  const fieldset = useRef<HTMLFieldSetElement>(null);
  /** Adds or removes a row, then moves the focus, since the pressed button may be gone. */
  const changeAndFocus = (changed: Row[], selector: string) => {
    flushSync(() => onChange(changed));
    fieldset.current?.querySelector<HTMLElement>(selector)?.focus();
  };
  const setRow = (index: number, row: Row) => onChange(rows.map((before, other) => (other === index ? row : before)));
  return (
    <fieldset id={name} ref={fieldset} tabIndex={-1} className="grid gap-4">
      <legend className="legend">{label}</legend>
      {hint && <p className="hint">{hint}</p>}
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no name of their own while they are typed.
        <div key={index} data-row={index} className={isWide ? WIDE_ROW : NARROW_ROW}>
          {isWide && <p className="font-medium first-letter:uppercase sm:col-span-2">{`${rowName} ${index + 1}`}</p>}
          {Object.entries(columns).map(([column, cellSchema]) => {
            const { label: cellLabel, hint: cellHint, picture, hasSpots } = metaOf(cellSchema);
            const id = `${name}.${index}.${column}`;
            const field = { value: row[column] ?? '', error: errors[id] };
            const setCell = (value: string) => setRow(index, { ...row, [column]: value });
            if (hasSpots)
              return <SpotsField key={column} id={id} label={cellLabel} hint={cellHint} row={row} {...field} onChange={setCell} />;
            if (picture)
              return (
                <PictureField
                  key={column}
                  section={section}
                  name={id}
                  field={`${name}.${column}`}
                  label={`${cellLabel} of ${rowName} ${index + 1}`}
                  hint={cellHint}
                  rule={picture}
                  {...field}
                  onPicked={setCell}
                />
              );
            return <SettingControl key={column} schema={cellSchema} id={id} {...field} onChange={({ target }) => setCell(target.value)} />;
          })}
          <Button
            look="quiet"
            className={isWide ? 'justify-self-start sm:col-span-2' : 'mt-7 max-sm:col-start-2 max-sm:row-start-1'}
            aria-label={`Remove ${rowName} ${index + 1} of ${label}`}
            onClick={() =>
              changeAndFocus(
                rows.filter((_, other) => other !== index),
                '[data-add]',
              )
            }
          >
            {isWide ? `Remove this ${rowName}` : 'Remove'}
          </Button>
        </div>
      ))}
      {isTable && <RowsCsv label={label} columns={columns} rows={rows} onChange={onChange} />}
      {errors[name] && <p className="wrong">{errors[name]}</p>}
      <Button
        look="secondary"
        className="justify-self-start"
        data-add
        onClick={() => changeAndFocus([...rows, emptyRow], `[data-row="${rows.length}"] :is(input, select, textarea)`)}
      >
        Add {rowName}
      </Button>
    </fieldset>
  );
}
