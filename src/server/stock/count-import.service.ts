import { createHash } from 'node:crypto';
import { isProblem, Problem } from '#contract/platform/problem.ts';
import { COUNT_REASONS, type CountReason } from '#contract/stock/reasons.ts';
import { CountLine as CountLineSchema } from '#contract/stock/stock.schema.ts';
import type { CountForm, CountLine, CountReport, SHEET_COLUMNS } from '#contract/stock/stock.ts';
import type { Admin } from '#server/context/context.ts';
import { type Flaw, readTable, textOf, withoutCommas } from '#server/platform/csv.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { isId } from '#server/platform/ids.ts';
import { differencesOf, enterCount, keyOf } from './count.service.ts';

const MAX_ROWS = 20_000;
/** The most differences and errors listed; the counts are of all. */
const MOST_LISTED = 200;
/** Lines entered at a time, so that orders of their products do not wait for the whole file. */
const BATCH = 50;

type Column = (typeof SHEET_COLUMNS)[number];
const NEEDED: readonly Column[] = ['Product ID', 'Size', 'Should be there', 'Counted', 'Sheet'];

/** A counted row of the file. */
interface Row extends CountLine {
  row: number;
  name: string;
  sheet: string;
}

const REASONS = new Map(
  Object.entries(COUNT_REASONS).flatMap(([reason, words]) => [reason, words.toLowerCase()].map((text) => [text, reason as CountReason])),
);

function wrongHead(head: string[]): Flaw[] {
  const missing = NEEDED.filter((column) => !head.includes(column));
  return missing.map((column) => ({
    row: 1,
    column,
    message: 'The file has no column with this name. Download the count sheet and fill in its column “Counted”.',
  }));
}

/** A row in which something was counted; undefined for one that was left empty. Throws the flaw of a row that cannot be read. */
function readRow(row: number, cell: (column: Column) => string): Row | undefined {
  const typed = cell('Counted');
  if (typed === '') return undefined;
  const refuse = (column: Column, message: string): never => {
    throw Object.assign(new Error(message), { flaw: { row, column, message } satisfies Flaw });
  };
  const wholeNumber = (column: Column) => {
    const text = withoutCommas(cell(column));
    return /^\d{1,9}$/.test(text) ? Number(text) : refuse(column, 'Write a whole number from 0, such as 12.');
  };
  const words = cell('Reason').toLowerCase();
  const reason = words === '' ? 'counted' : REASONS.get(words);
  if (!reason) return refuse('Reason', `Write one of: ${Object.values(COUNT_REASONS).join(', ')}.`);
  if (!isId(cell('Sheet'))) return refuse('Sheet', 'Leave this column as downloaded: it says which sheet this is.');
  const line = CountLineSchema.safeParse({
    productId: cell('Product ID'),
    size: cell('Size') || null,
    expected: wholeNumber('Should be there'),
    counted: wholeNumber('Counted'),
    reason,
  });
  if (!line.success) return refuse('Counted', line.error.issues[0]?.message ?? 'Write a whole number from 0, such as 12.');
  return { ...line.data, row, name: cell('Product'), sheet: cell('Sheet') };
}

async function readRows(file: File): Promise<{ rows: Row[]; errors: Flaw[] }> {
  const { head, lines, errors } = await readTable(await textOf(file), {
    mostRows: MAX_ROWS,
    tooMany: `A sheet may have at most ${MAX_ROWS.toLocaleString('en-GB')} rows.`,
    wrongHead,
  });
  const rows: Row[] = [];
  const rowOf = new Map<string, number>();
  for (const { row, cells } of lines)
    try {
      const read = readRow(row, (column) => (cells[head.indexOf(column)] ?? '').trim());
      if (!read) continue;
      const first = rowOf.get(keyOf(read));
      if (first)
        errors.push({ row, column: 'Product ID', message: `This was counted in row ${first} already. Please keep one of the two rows.` });
      else rowOf.set(keyOf(read), row);
      rows.push(read);
    } catch (error) {
      if (!(error instanceof Error && 'flaw' in error)) throw error;
      errors.push(error.flaw as Flaw);
    }
  const [first] = rows;
  const other = rows.find(({ sheet }) => sheet !== first?.sheet);
  if (other)
    errors.push({ row: other.row, column: 'Sheet', message: 'This row is from another sheet. Please import each sheet by itself.' });
  if (rows.length === 0 && errors.length === 0)
    errors.push({ row: 2, column: 'Counted', message: 'Nothing was counted: the column is empty.' });
  return { rows, errors };
}

/**
 * Checks a filled count sheet, and with the fingerprint of a check enters it, in short transactions; a row that cannot be entered is left out and reported.
 * The same file again changes nothing (`enterCount`). Throws 400 if the file has errors, 409 if the file or what was entered of its sheet has changed since the check, 415 if it
 * is not text.
 */
export async function importCount(db: Db, who: Admin, { file, fingerprint: fingerprintOfCheck }: CountForm): Promise<CountReport> {
  const { rows, errors } = await readRows(file);
  const sheet = rows[0]?.sheet ?? '';
  const lines = rows.length > 0 && errors.length === 0 ? await differencesOf(db, sheet, rows) : [];
  const differences = lines.filter(({ change }) => change !== 0);
  const fingerprint = createHash('sha256').update(JSON.stringify(lines)).digest('base64url');
  const report = {
    same: lines.length - differences.length,
    changed: differences.length,
    differences: differences
      .slice(0, MOST_LISTED)
      .map(({ size, reason, ...line }) => ({ ...line, size: size ?? '', reason: COUNT_REASONS[reason] })),
    errors: errors.slice(0, MOST_LISTED),
    errorCount: errors.length,
    fingerprint,
  };
  if (!fingerprintOfCheck) return { ...report, isDone: false };
  if (errors.length > 0) throw new Problem(400, 'The file has errors; nothing was entered.');
  if (fingerprint !== fingerprintOfCheck)
    throw new Problem(409, 'The file, or what was entered of its sheet, has changed since the check. Please check the file again.');
  const done = { same: 0, changed: 0, errors: [] as Flaw[] };
  for (let at = 0; at < rows.length; at += BATCH) await enterRows(db, who, sheet, rows.slice(at, at + BATCH), done);
  return { ...report, ...done, errors: done.errors.slice(0, MOST_LISTED), errorCount: done.errors.length, isDone: true };
}

/** Enters rows together; if one is refused, each by itself. */
async function enterRows(
  db: Db,
  who: Admin,
  sheet: string,
  rows: readonly Row[],
  done: { same: number; changed: number; errors: Flaw[] },
): Promise<void> {
  try {
    const { same, changed } = await enterCount(db, who, { sheet, lines: [...rows] });
    done.same += same;
    done.changed += changed;
  } catch (error) {
    if (!isProblem(error) || error.status !== 409) throw error;
    const [first] = rows;
    if (rows.length === 1 && first) done.errors.push({ row: first.row, column: '', message: error.message });
    else for (const row of rows) await enterRows(db, who, sheet, [row], done);
  }
}
