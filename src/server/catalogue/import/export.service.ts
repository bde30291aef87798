import { type SqlBool, sql } from 'kysely';
import type { Size } from '#contract/catalogue/catalogue.ts';
import type { Admin } from '#server/context/context.ts';
import { BYTE_ORDER_MARK, csvRow } from '#server/platform/csv.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { inBatches } from '#server/platform/in-batches.ts';
import { exportedCell, exportedCellInWords } from './exported.ts';
import { cellsOf, EXPORTED, FILE_COLUMNS, PRODUCT_COLUMNS, type ProductColumn, type ProductRow, selectProducts } from './product-csv.ts';
import { cellsInWords, HEADINGS, SIZE_COLUMNS, SIZE_HEADING, sizeCellsInWords, WORD_COLUMNS } from './product-words.ts';

/** Products per batch; a batch takes a few milliseconds. */
const BATCH = 50;

/** Columns in words, with the size right after the name. */
const HEAD = WORD_COLUMNS.flatMap((column) => [HEADINGS.get(column) ?? '', ...(column === 'name' ? [SIZE_HEADING] : [])]);
const line = (cells: (column: ProductColumn) => string, size: string, exported: string) =>
  csvRow([...WORD_COLUMNS.flatMap((column) => [cells(column), ...(column === 'name' ? [size] : [])]), exported]);

/** A row for the product, and one for each size. */
function rowsInWords(product: ProductRow, at: string): string {
  const cells = cellsInWords(product);
  const sizes = product.sizes.map((size) => {
    const sizeCells = sizeCellsInWords(size as Size);
    const cellOf = (column: ProductColumn) => {
      if (column === '_id' || column === 'name') return cells[column];
      return SIZE_COLUMNS.includes(column) ? (sizeCells[column] ?? '') : '';
    };
    return line(cellOf, size.size, exportedCellInWords(sizeCells, at, size.size));
  });
  return [line((column) => cells[column], '', exportedCellInWords(cells, at)), ...sizes].join('');
}

function rowInFields(product: ProductRow, at: string): string {
  const cells = cellsOf(product);
  return csvRow([...PRODUCT_COLUMNS.map((column) => cells[column]), exportedCell(cells, at)]);
}

/**
 * All products as lines of CSV, in the order of their creation. Importing the file unchanged changes nothing (`_exported`). Either in words, for people,
 * with a row for each size, or with the columns of the form and lists as JSON.
 */
export async function* exportProducts(db: Db, _: Admin, columns: 'words' | 'fields'): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvRow(columns === 'words' ? [...HEAD, EXPORTED] : FILE_COLUMNS);
  const at = new Date().toISOString();
  const write = columns === 'words' ? rowsInWords : rowInFields;
  const batches = inBatches(
    (last: { id: string } | undefined, limit) =>
      selectProducts(db, last ? sql<SqlBool>`id > ${last.id}::uuid` : sql.lit(true))
        .limit(limit)
        .execute(),
    BATCH,
  );
  for await (const rows of batches) yield rows.map((row) => write(row, at)).join('');
}
