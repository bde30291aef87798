import { parse } from 'csv-parse/browser/esm/sync';
import { useState } from 'react';
import { messageOf, Problem } from '#contract/platform/problem.ts';
import { metaOf, type SectionFields } from '#contract/settings/sections.schema.ts';
import { Button } from '#web/ui/button.tsx';
import { TextArea } from '#web/ui/form/field.tsx';

type Row = Record<string, string>;

const quoted = (cell: string): string => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

function csvOf(columns: SectionFields, rows: readonly Row[]): string {
  const head = Object.values(columns).map((column) => metaOf(column).label);
  const lines = rows.map((row) => Object.keys(columns).map((name) => row[name] ?? ''));
  return [head, ...lines].map((cells) => cells.map(quoted).join(',')).join('\n');
}

/** Parses text with commas, with semicolons (Excel in much of Europe) or with tabs (cells pasted from a spreadsheet). */
function cellsOf(text: string): string[][] {
  const [firstLine = ''] = text.trim().split('\n', 1);
  const delimiter = ['\t', ';'].find((one) => firstLine.includes(one)) ?? ',';
  const options = { bom: true, trim: delimiter !== '\t', skip_empty_lines: true, relax_column_count: true, delimiter };
  try {
    return (parse(text, options) as string[][]).map((cells) => cells.map((cell) => cell.trim()));
  } catch {
    throw new Problem(400, 'The text cannot be read: a cell begins or ends with one quote mark ("). Write two, or none.');
  }
}

/** The rows of a CSV whose first line has the labels of the columns, in any order. Throws a Problem that says what is wrong. */
export function rowsOfCsv(columns: SectionFields, text: string): Row[] {
  const [head = [], ...lines] = cellsOf(text);
  const labels = Object.values(columns).map((column) => metaOf(column).label);
  const columnIndexes = Object.entries(columns).map(([name, column]) => {
    const { label } = metaOf(column);
    const index = head.findIndex((cell) => cell.toLowerCase() === label.toLowerCase());
    if (index < 0) throw new Problem(400, `The first line has no column “${label}”. It must name: ${labels.join(', ')}.`);
    return [name, index] as const;
  });
  return lines.map((cells) => Object.fromEntries(columnIndexes.map(([name, index]) => [name, cells[index] ?? ''])));
}

interface RowsCsvProps {
  label: string;
  columns: SectionFields;
  rows: Row[];
  onChange: (rows: Row[]) => void;
}

/** The rows as text, to copy to a spreadsheet and back. */
export function RowsCsv({ label, columns, rows, onChange }: RowsCsvProps) {
  const [typed, setTyped] = useState<string>();
  const [error, setError] = useState<string>();
  const applyRows = () => {
    try {
      onChange(rowsOfCsv(columns, typed ?? ''));
      setTyped(undefined);
      setError(undefined);
    } catch (failure) {
      setError(messageOf(failure));
    }
  };
  return (
    <details>
      <summary className="link min-h-6 w-fit">As CSV</summary>
      <div className="mt-3 grid justify-items-start gap-3">
        <div className="w-full">
          <TextArea
            required
            label={`${label} as CSV`}
            hint="Paste cells or a CSV from a spreadsheet, separated by commas, semicolons or tabs. The first line names the columns."
            value={typed ?? csvOf(columns, rows)}
            error={error}
            onChange={({ target }) => setTyped(target.value)}
          />
        </div>
        <Button look="secondary" disabled={typed === undefined} onClick={applyRows}>
          Use these rows
        </Button>
      </div>
    </details>
  );
}
