import { Readable } from 'node:stream';
import { text as wholeText } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { type Info, CsvError as ParseError, parse } from 'csv-parse';
import { type Pence, plainDecimal } from '#contract/market/money.ts';
import { Problem } from '#contract/platform/problem.ts';

/**
 * CSV injection: a spreadsheet runs a cell that begins like this as a formula; a leading apostrophe makes it text. A text that already has
 * apostrophes gets one more, so that reading removes exactly what writing added: `=1` is written `'=1`, and `'=1` is written `''=1`.
 */
const FORMULA = /^'*[=+\-@\t\r]/;
const ESCAPED = /^'+[=+\-@\t\r]/;

/** Spreadsheets need it to read a file as UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

/** A cell of a file. An amount, `{ pence }`, is written in pounds: as text, one below 0 would be escaped and left out of a spreadsheet's sums. */
type Cell = string | number | boolean | { pence: Pence };

/** One row of CSV (RFC 4180), safe to open in a spreadsheet. */
export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(value: Cell): string {
  if (typeof value === 'object') return plainDecimal(value.pence);
  const text = String(value);
  // A negative number is not a formula.
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Reverses the escaping of `csvRow`. */
const unescaped = (cell: string) => (ESCAPED.test(cell) ? cell.slice(1) : cell);

/** A row of CSV. `row` counts as a spreadsheet does: from 1, with empty lines. */
interface CsvRow {
  row: number;
  cells: string[];
}

/** Invalid CSV in a row. */
export class CsvError extends Error {
  readonly row: number;

  constructor(row: number, message: string) {
    super(message);
    this.row = row;
  }
}

/** Exports of other shop systems have about a hundred columns. */
const MAX_CELLS = 1_000;
const MAX_ROW_BYTES = 1024 * 1024;
const CHUNK = 16 * 1024;

const REASONS: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'A quotation mark is never closed.',
  CSV_INVALID_CLOSING_QUOTE: 'There is text after a closing quotation mark.',
  INVALID_OPENING_QUOTE: 'There is a quotation mark in a cell that does not begin with one.',
  CSV_MAX_RECORD_SIZE: 'The row is too long. Is a quotation mark never closed?',
};

/** Yields to other requests between chunks. */
async function* chunksOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += CHUNK) {
    await setImmediate();
    yield text.slice(at, at + CHUNK);
  }
}

async function* inChunks(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts) yield* chunksOf(text);
}

const rowOf = ({ records, empty_lines }: Pick<Info, 'records' | 'empty_lines'>) => records + empty_lines;

/**
 * Parses CSV row by row, with any line ends and without empty lines. The caller may stop at any row. Throws a CsvError, at once for a row that is
 * too wide or too long.
 */
export async function* readCsv(text: string | AsyncIterable<string>, delimiter = ','): AsyncGenerator<CsvRow> {
  const parser = parse({
    bom: true,
    info: true,
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_BYTES,
    cast: (cell, { index, ...counts }) => {
      if (index >= MAX_CELLS) throw new CsvError(rowOf(counts) + 1, `A row can have at most ${MAX_CELLS} cells.`);
      return unescaped(cell);
    },
  });
  const source = Readable.from(typeof text === 'string' ? chunksOf(text) : inChunks(text));
  source.pipe(parser);
  try {
    for await (const { info, record } of parser as AsyncIterable<{ info: Info; record: string[] }>)
      yield { row: rowOf(info), cells: record };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new CsvError(rowOf(error as unknown as Info) + 1, REASONS[error.code] ?? 'The row cannot be read.');
  } finally {
    // A pipe leaves its source open when the reader stops early.
    source.destroy();
    parser.destroy();
  }
}

/** A whole number without the commas between its thousands. Other text stays as it is: 1,5 is no 15. */
export const withoutCommas = (text: string): string => (/^\d{1,3}(,\d{3})+$/.test(text) ? text.replaceAll(',', '') : text);

/** Whether a spreadsheet has rounded a long number, to one such as 4.00638E+12. */
export const isRounded = (text: string): boolean => /^\d([.,]\d+)?E\+\d+$/i.test(text);

/** Characters of the file in which the delimiter is looked for. */
const SEARCHED = 10_000;

/** The delimiter of a file: the one most frequent in its first line outside quotation marks. Countries with decimal commas use semicolons. */
export function delimiterOf(text: string): string {
  const [firstLine = ''] = text
    .slice(0, SEARCHED)
    .replace(/"[^"]*"/g, '')
    .split(/[\r\n]/, 1);
  const countOf = (sign: string) => firstLine.split(sign).length;
  return [',', ';', '\t'].reduce((most, sign) => (countOf(sign) > countOf(most) ? sign : most));
}

/** An error in a file or row, which counts as in a spreadsheet. */
export interface Flaw {
  row: number;
  column: string;
  message: string;
}

export interface CsvTable {
  head: string[];
  lines: CsvRow[];
  /** If there are errors, there are no lines. */
  errors: Flaw[];
}

interface TableRules {
  /** The most rows below the head. */
  mostRows: number;
  tooMany: string;
  /** Errors of the head, which end the reading. */
  wrongHead: (head: string[]) => Flaw[];
}

/** Reads a file with any delimiter, whose first row names its columns. Errors of its shape are returned, not thrown. */
export async function readTable(text: string, { mostRows, tooMany, wrongHead }: TableRules): Promise<CsvTable> {
  const broken = (...errors: Flaw[]): CsvTable => ({ head: [], lines: [], errors });
  const lines: CsvTable['lines'] = [];
  let head: string[] | undefined;
  try {
    for await (const line of readCsv(text, delimiterOf(text))) {
      if (!head) {
        head = line.cells;
        const flaws = wrongHead(head);
        if (flaws.length > 0) return broken(...flaws);
      } else if (lines.length === mostRows) return broken({ row: line.row, column: '', message: tooMany });
      else lines.push(line);
    }
  } catch (error) {
    if (error instanceof CsvError) return broken({ row: error.row, column: '', message: error.message });
    throw error;
  }
  return head ? { head, lines, errors: [] } : broken({ row: 1, column: '', message: 'The file is empty.' });
}

/** Control characters, which binary files have and text has not. Looked for only in a file that is not Unicode: binary files hardly ever are. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const BINARY = /[\u0001-\u0008\u000e-\u001a\u0081\u008d\u008f\u0090\u009d]/;

/**
 * The encoding of an uploaded file: UTF-8; UTF-16, as Excel writes “Unicode Text”; or Windows-1252, as it writes plain “CSV”. Throws 415 for a binary
 * file.
 */
async function encodingOf(file: File): Promise<'utf-8' | 'utf-16le' | 'windows-1252'> {
  const [firstByte = 0, secondByte = 0] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  // A ZIP file, such as an XLSX.
  if (firstByte === 0x50 && secondByte === 0x4b)
    throw new Problem(415, 'This is a workbook. Save it as “CSV UTF-8”, then choose that file.');
  const unicode = firstByte === 0xff && secondByte === 0xfe ? 'utf-16le' : 'utf-8';
  const [unicodeDecoder, windowsDecoder] = [new TextDecoder(unicode, { fatal: true }), new TextDecoder('windows-1252')];
  let isUnicode = true;
  for await (const bytes of file.stream()) {
    await setImmediate();
    isUnicode &&= isDecoded(() => unicodeDecoder.decode(bytes, { stream: true }));
    if (!isUnicode && (unicode === 'utf-16le' || BINARY.test(windowsDecoder.decode(bytes)))) throw notText();
  }
  // An incomplete UTF-8 character at the end means Windows-1252.
  isUnicode &&= isDecoded(() => unicodeDecoder.decode());
  if (!isUnicode && unicode === 'utf-16le') throw notText();
  return isUnicode ? unicode : 'windows-1252';
}

const notText = () => new Problem(415, 'The file is not text. Save it as “CSV UTF-8”.');

function isDecoded(decode: () => string): boolean {
  try {
    decode();
    return true;
  } catch {
    return false;
  }
}

/** Decodes an uploaded text file in parts. Throws 415 for binary data. */
export async function* textsOf(file: File): AsyncGenerator<string> {
  // The byte order mark stays in the text: `readCsv` drops it.
  const decoder = new TextDecoder(await encodingOf(file), { ignoreBOM: true });
  // PostgreSQL stores no zero character.
  for await (const bytes of file.stream()) yield decoder.decode(bytes, { stream: true }).replaceAll('\0', '');
  yield decoder.decode();
}

/** Decodes an uploaded text file. Throws 415 for binary data. */
export const textOf = (file: File): Promise<string> => wholeText(textsOf(file));
