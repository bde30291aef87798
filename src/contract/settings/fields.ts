/**
 * The kinds of fields that a section of the settings has. One reading of what was typed serves the form, the server and the file of `settings import`.
 */

import type { FieldErrors } from '#contract/form-checks.ts';
import { grouped } from '#contract/market/money.ts';

interface Common {
  label: string;
  hint?: string;
  /** May be left empty. */
  optional?: true;
}

interface TextField extends Common {
  kind: 'line';
  max: number;
  /** How the browser helps to type it. */
  type?: 'email' | 'tel' | 'color';
  /** What is wrong with a value that is not empty. */
  check?: (value: string) => string | undefined;
}

interface NumberField extends Common {
  kind: 'number';
  least: number;
  most: number;
  /** Digits after the point; a whole number unless said. */
  decimals?: number;
  /** After its label, such as `per cent`. */
  unit: string;
}

interface FlagField extends Common {
  kind: 'flag';
}

/** A list of rows; each column is a line. */
interface RowsField extends Common {
  kind: 'rows';
  /** What one row is called on its buttons. */
  row: string;
  columns: Record<string, TextField>;
  most: number;
}

export type SettingField = TextField | NumberField | FlagField | RowsField;
export type SettingFields = Record<string, SettingField>;

type ValueOf<F> = F extends { kind: 'flag' }
  ? boolean
  : F extends { kind: 'number' }
    ? number
    : F extends { kind: 'rows'; columns: infer C }
      ? Record<keyof C & string, string>[]
      : string;
export type ValuesOf<F> = { -readonly [N in keyof F]: ValueOf<F[N]> };

/** A value, and what is wrong with it by the name of its control. */
interface Read {
  value: unknown;
  errors: FieldErrors;
}

function readText({ label, max, optional, check }: TextField, sent: unknown, name: string): Read {
  const value = typeof sent === 'string' ? sent.trim() : '';
  const error = () => {
    if (sent !== undefined && typeof sent !== 'string') return `${label} must be text`;
    if (value === '') return optional ? undefined : `${label} is required`;
    if (value.length > max) return `${label} can have at most ${grouped(max)} characters`;
    return check?.(value);
  };
  return { value, errors: errorAt(name, error()) };
}

function readNumber({ label, least, most, decimals = 0, unit }: NumberField, sent: unknown, name: string): Read {
  const text = typeof sent === 'number' ? String(sent) : typeof sent === 'string' ? sent.trim() : '';
  const value = Number(text);
  const isRight = /^\d{1,12}(\.\d+)?$/.test(text) && (text.split('.')[1] ?? '').length <= decimals && value >= least && value <= most;
  const digits = decimals > 0 ? ` with at most ${decimals} decimals` : '';
  const error = isRight ? undefined : `${label} must be a number from ${grouped(least)} to ${grouped(most)}${digits} (${unit})`;
  return { value, errors: errorAt(name, error) };
}

function readRows({ label, columns, most, optional }: RowsField, sent: unknown, name: string): Read {
  const rows = Array.isArray(sent) ? sent : [];
  const read = rows.map((row: unknown, index) => readFields(columns, row, `${name}.${index}.`));
  const error = () => {
    if (sent !== undefined && !Array.isArray(sent)) return `${label} must be a list`;
    if (rows.length === 0 && !optional) return `${label} is required`;
    return rows.length > most ? `${label} can have at most ${most} rows` : undefined;
  };
  return {
    value: read.map(({ values }) => values),
    errors: Object.assign(errorAt(name, error()), ...read.map(({ errors }) => errors)) as FieldErrors,
  };
}

const errorAt = (name: string, error: string | undefined): FieldErrors => (error === undefined ? {} : { [name]: error });

function readField(field: SettingField, sent: unknown, name: string): Read {
  if (field.kind === 'rows') return readRows(field, sent, name);
  if (field.kind === 'number') return readNumber(field, sent, name);
  if (field.kind === 'line') return readText(field, sent, name);
  return { value: sent, errors: errorAt(name, typeof sent === 'boolean' ? undefined : `${field.label} must be true or false`) };
}

/** The values of fields as they are stored, and what is wrong with them. Names that are no field's are left out. */
export function readFields<F extends SettingFields>(fields: F, sent: unknown, prefix = ''): { values: ValuesOf<F>; errors: FieldErrors } {
  const given = typeof sent === 'object' && sent !== null ? (sent as Record<string, unknown>) : {};
  const read = Object.entries(fields).map(([name, field]) => [name, readField(field, given[name], prefix + name)] as const);
  return {
    values: Object.fromEntries(read.map(([name, { value }]) => [name, value])) as ValuesOf<F>,
    errors: Object.assign({}, ...read.map(([, { errors }]) => errors)) as FieldErrors,
  };
}

/** A value as the history of changes writes it. */
export function textOfValue(field: SettingField, value: unknown): string {
  if (field.kind === 'flag') return value === true ? 'yes' : 'no';
  if (field.kind === 'number') return `${String(value)} ${field.unit}`;
  if (field.kind !== 'rows') return String(value ?? '');
  const rows = (value ?? []) as Record<string, string>[];
  return rows
    .map((row) =>
      Object.keys(field.columns)
        .map((column) => row[column])
        .filter(Boolean)
        .join(': '),
    )
    .join('; ');
}
