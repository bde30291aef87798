import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { CsvError as ParseError, parse } from 'csv-parse';
import { Problem } from '#contract/platform/problem.ts';

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
  // A number below 0 begins like a formula, and is none.
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** What stood in a cell before `csvRow` made it safe. */
const plain = (cell: string) => (ESCAPED.test(cell) ? cell.slice(1) : cell);

/** What cannot be read as CSV; `row` counts from 1, without empty lines. */
export class CsvError extends Error {
  readonly row: number;

  constructor(row: number, message: string) {
    super(message);
    this.row = row;
  }
}

const MAX_CELLS = 100;
const MAX_ROW_BYTES = 1024 * 1024;
const CHUNK = 16 * 1024;

const REASONS: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'A quotation mark is never closed.',
  CSV_INVALID_CLOSING_QUOTE: 'Text stands after a closed quotation mark.',
  INVALID_OPENING_QUOTE: 'A quotation mark stands in a cell that does not begin with one.',
  CSV_MAX_RECORD_SIZE: 'The row is too long. Is a quotation mark never closed?',
};

/** Other requests get their turn between two chunks. */
async function* chunksOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += CHUNK) {
    await setImmediate();
    yield text.slice(at, at + CHUNK);
  }
}

/**
 * Reads what `csvRow` writes, and what spreadsheets make of it, row by row: any line ends, empty lines left out. The caller may stop at any row;
 * what is too wide or too long ends the reading at once, so that no file costs more than it is worth. Throws a CsvError.
 */
export async function* readCsv(text: string, delimiter = ','): AsyncGenerator<string[]> {
  const parser = parse({
    bom: true,
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_BYTES,
    cast: (cell, { index, records }) => {
      if (index >= MAX_CELLS) throw new CsvError(records + 1, `A row may have at most ${MAX_CELLS} cells.`);
      return plain(cell);
    },
  });
  const source = Readable.from(chunksOf(text));
  source.pipe(parser);
  try {
    yield* parser as AsyncIterable<string[]>;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new CsvError(Number(error.records) + 1, REASONS[error.code] ?? 'The row cannot be read.');
  } finally {
    source.destroy();
    parser.destroy();
  }
}

/** So much of a file's first line tells what separates its cells. */
const HEAD = 10_000;

/** What separates the cells of a file: what its first line has most of outside quotation marks. Countries with decimal commas write semicolons. */
export function delimiterOf(text: string): string {
  const [first = ''] = text
    .slice(0, HEAD)
    .replace(/"[^"]*"/g, '')
    .split(/[\r\n]/, 1);
  const countOf = (sign: string) => first.split(sign).length;
  return [',', ';', '\t'].reduce((most, sign) => (countOf(sign) > countOf(most) ? sign : most));
}

/** What is wrong with a file, or with a row of it; rows count as in a spreadsheet, the head is row 1. */
export interface Flaw {
  row: number;
  column: string;
  message: string;
}

export interface CsvTable {
  head: string[];
  lines: { row: number; cells: string[] }[];
  /** Where there is any, there are no lines. */
  errors: Flaw[];
}

interface TableRules {
  delimiter?: string;
  /** At most so many rows below the head. */
  mostRows: number;
  tooMany: string;
  /** What is wrong with the head: nothing below it is read then. */
  wrongHead: (head: string[]) => Flaw[];
}

/** Reads a file whose first row names its columns; what is wrong with its shape is told, not thrown. */
export async function readTable(text: string, { delimiter, mostRows, tooMany, wrongHead }: TableRules): Promise<CsvTable> {
  const broken = (...errors: Flaw[]): CsvTable => ({ head: [], lines: [], errors });
  const lines: CsvTable['lines'] = [];
  let head: string[] | undefined;
  try {
    for await (const cells of readCsv(text, delimiter)) {
      const row = lines.length + 2;
      if (!head) {
        head = cells;
        const wrong = wrongHead(head);
        if (wrong.length > 0) return broken(...wrong);
      } else if (lines.length === mostRows) return broken({ row, column: '', message: tooMany });
      else lines.push({ row, cells });
    }
  } catch (error) {
    if (error instanceof CsvError) return broken({ row: error.row, column: '', message: error.message });
    throw error;
  }
  return head ? { head, lines, errors: [] } : broken({ row: 1, column: '', message: 'The file is empty.' });
}

/** The text of an uploaded file. Throws 415 for one that is no text. */
export async function textOf(file: File): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer()).replaceAll('\0', '');
  } catch {
    throw new Problem(415, 'The file is not UTF-8 text. Save it as “CSV UTF-8”.');
  }
}
