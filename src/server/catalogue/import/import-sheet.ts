import { cut } from '#contract/platform/text.ts';
import { type Flaw, readTable } from '#server/platform/csv.ts';
import { EXPORTED, FILE_COLUMNS, kindOf, type ProductCells } from './product-csv.ts';

/** The most rows of a file. */
const MAX_ROWS = 50_000;

export interface SheetRow {
  row: number;
  cells: Partial<ProductCells>;
  /** The cell `_exported`. */
  exported: string;
}

/** The rows of a file by column, and errors of its shape. */
export async function readSheet(csv: string): Promise<{ rows: SheetRow[]; errors: Flaw[] }> {
  const rules = { mostRows: MAX_ROWS, tooMany: `A file may have at most ${MAX_ROWS.toLocaleString('en-GB')} products.`, wrongHead };
  const { head, lines, errors } = await readTable(csv, rules);
  const uneven = lines.filter(({ cells }) => cells.length !== head.length);
  const widths = uneven.map(({ row, cells }) => ({
    row,
    column: '',
    message: `The row has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, the head has ${head.length}.`,
  }));
  return { rows: lines.map(({ row, cells }) => sheetRow(row, head, cells)), errors: [...errors, ...widths] };
}

/** Delimiters of programs in countries with decimal commas. */
const SEPARATORS: Readonly<Record<string, string>> = { ';': 'semicolons', '\t': 'tabs' };

function wrongHead(head: string[]): Flaw[] {
  const [separator = ''] = head.length === 1 ? (/[;\t]/.exec(head[0] ?? '') ?? []) : [];
  const name = SEPARATORS[separator];
  if (name)
    return [{ row: 1, column: '', message: `The file’s cells are separated by ${name}. Save it as CSV that is separated by commas.` }];
  const unknown = head.filter((column) => !FILE_COLUMNS.includes(column));
  const errors = unknown.map((column) => ({
    row: 1,
    column: cut(column, 60),
    message: `There is no column of this name. The columns: ${FILE_COLUMNS.join(', ')}.`,
  }));
  if (new Set(head).size < head.length) errors.push({ row: 1, column: '', message: 'Two columns have the same name.' });
  return errors;
}

function sheetRow(row: number, head: string[], line: string[]): SheetRow {
  const cells: Record<string, string> = Object.fromEntries(head.map((column, at) => [column, normal(column, line[at] ?? '')]));
  const { [EXPORTED]: exported = '', ...rest } = cells;
  return { row, cells: rest as Partial<ProductCells>, exported };
}

/** Normalises a cell: spreadsheets write TRUE and pad numbers, and people reformat JSON. */
function normal(column: string, cell: string): string {
  switch (kindOf(column)) {
    case 'flag':
      return cell.trim().toLowerCase();
    case 'money':
    case 'count':
      return cell.trim();
    case 'json':
      try {
        return JSON.stringify(JSON.parse(cell));
      } catch {
        return cell;
      }
    default:
      return cell;
  }
}
