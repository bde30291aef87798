/**
 * A spreadsheet takes a cell that begins like this for a formula; an apostrophe in front makes it text. A text that
 * begins with apostrophes and then like this gets one too, so that reading takes off exactly what writing put on.
 */
const FORMULA = /^'*[=+\-@\t\r]/;
const ESCAPED = /^'+[=+\-@\t\r]/;

/** Spreadsheets read UTF-8 only where a file says so at its beginning. */
export const BYTE_ORDER_MARK = '\ufeff';

/** One row of CSV (RFC 4180), safe to open in a spreadsheet. */
export function csvRow(cells: readonly (string | number | boolean)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(value: string | number | boolean): string {
  const text = String(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** What stood in a cell before `csvRow` made it safe. */
const plain = (cell: string) => (ESCAPED.test(cell) ? cell.slice(1) : cell);

/** A quote that is never closed, or text after a closed one; `row` counts from 1. */
export class CsvError extends Error {
  readonly row: number;

  constructor(row: number, message: string) {
    super(message);
    this.row = row;
  }
}

/** Reads what `csvRow` writes, and what spreadsheets make of it: any line ends, empty lines left out. Throws a CsvError. */
export function parseCsv(text: string): string[][] {
  const source = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  const rows: string[][] = [];
  let cells: string[] = [];
  let at = 0;
  const endRow = () => {
    if (cells.length > 1 || cells[0] !== '') rows.push(cells.map(plain));
    cells = [];
  };
  while (at < source.length) {
    const { cell, end } = source[at] === '"' ? quoted(source, at, rows.length + 1) : bare(source, at);
    cells.push(cell);
    at = end;
    if (source[at] === ',') {
      at += 1;
      // A comma at the very end stands before one more, empty, cell.
      if (at === source.length) cells.push('');
      continue;
    }
    endRow();
    at += source.startsWith('\r\n', at) ? 2 : 1;
  }
  if (cells.length > 0) endRow();
  return rows;
}

function bare(source: string, start: number): { cell: string; end: number } {
  const next = source.slice(start).search(/[,\r\n]/);
  const end = next === -1 ? source.length : start + next;
  return { cell: source.slice(start, end), end };
}

function quoted(source: string, start: number, row: number): { cell: string; end: number } {
  let at = start + 1;
  for (;;) {
    const quote = source.indexOf('"', at);
    if (quote === -1) throw new CsvError(row, 'A quotation mark is never closed.');
    if (source[quote + 1] !== '"') {
      const end = quote + 1;
      if (end < source.length && !/[,\r\n]/.test(source[end] ?? '')) throw new CsvError(row, 'Text stands after a closed quotation mark.');
      return { cell: source.slice(start + 1, quote).replaceAll('""', '"'), end };
    }
    at = quote + 2;
  }
}
