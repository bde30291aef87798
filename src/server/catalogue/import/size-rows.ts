import type { Size } from '#contract/catalogue/catalogue.ts';
import type { Flaw } from '#server/platform/csv.ts';
import type { Exported } from './exported.ts';
import type { SheetRow, SizeRow } from './import-sheet.ts';
import { mergeRow } from './merge.ts';
import { EXPORTED, type ProductCells, type ProductColumn, type ProductRow } from './product-csv.ts';
import { fieldOfSize, fromWords, SIZE_COLUMNS, SIZE_HEADING, sizeCellsInWords } from './product-words.ts';

/** The effect of size rows on a product's sizes. */
export interface SizePlan {
  /** All sizes afterwards, including those without a row. */
  sizes: object[];
  /** To compare the changes at the check and at the import. Stock is a difference if the row has the exported stock: sales between the two do not count. */
  changes: unknown[];
  flaws: Flaw[];
}

/** Plans a product's size rows, with a three-way merge for each. `exported` has the rows as they were at their export, by their numbers. */
export function planSizes({ sizes: rows, headings }: SheetRow, product: ProductRow | undefined, exported: Map<number, Exported>): SizePlan {
  const sizes = new Map<string, object>((product?.sizes ?? []).map((size) => [size.size, size]));
  const plan: SizePlan = { sizes: [], changes: [], flaws: [] };
  const sizesWithRow = new Set(rows.map(({ size }) => size));
  for (const row of rows) {
    const sizeNow = product?.sizes.find(({ size }) => size === row.size) as Size | undefined;
    const flawsBefore = plan.flaws.length;
    const refuse = (column: string, message: string) => plan.flaws.push({ row: row.row, column: headings.get(column) ?? column, message });
    const base = product && exported.get(row.row);
    // A row that was exported for the product (`base` has no size) or another size is a copy for a new one, if the other size still has its row. Otherwise the
    // size was renamed.
    const isCopy = base?.size !== row.size;
    if (isCopy && base?.size !== undefined && !sizeNow && !sizesWithRow.has(base.size)) refuse(SIZE_HEADING, renamedMessage(base.size));
    const { after, changed, stockMove, isGone } = changeOf(row, sizeNow, isCopy ? undefined : base, refuse);
    // A product with a flaw is not imported. A new size is added even if its cells are empty.
    if (isGone || plan.flaws.length > flawsBefore || (sizeNow && changed.length === 0)) continue;
    const values = sizeValuesOf(row, after, sizeNow ? changed : SIZE_COLUMNS, headings, plan.flaws);
    sizes.set(row.size, { ...(sizeNow ?? { size: row.size, measurements: [] }), ...values });
    const cells = changed.map((column) =>
      column === 'countInStock' && stockMove !== undefined
        ? [column, stockMove]
        : [column, sizeCellsInWords(sizeNow)[column], after[column]],
    );
    plan.changes.push([row.size, cells]);
  }
  plan.sizes = [...sizes.values()];
  return plan;
}

const renamedMessage = (was: string) =>
  `This row was “${was}” when it was exported. Rename a size on its product’s page. To add a size, empty the row’s cell “${EXPORTED}”.`;

interface SizeChange {
  after: Partial<ProductCells>;
  changed: ProductColumn[];
  /** The difference in stock; undefined without the exported stock. */
  stockMove: number | undefined;
  /** The size was removed from the shop since the export. The row is refused if it changes something. */
  isGone: boolean;
}

function changeOf(
  row: SizeRow,
  sizeNow: Size | undefined,
  base: Exported | undefined,
  refuse: (column: string, message: string) => void,
): SizeChange {
  const cellsNow = sizeCellsInWords(sizeNow);
  const merged = base && mergeRow(row.cells, base, cellsNow as ProductCells);
  if (merged && !sizeNow) {
    const isTouched = SIZE_COLUMNS.some((column) => merged.touched.has(column));
    if (isTouched)
      refuse(
        SIZE_HEADING,
        `The size “${row.size}” was taken out of the shop since the export. Delete this row, or empty its cell “${EXPORTED}” to make the size again.`,
      );
    return { after: cellsNow, changed: [], stockMove: undefined, isGone: true };
  }
  for (const { column, message } of merged?.conflicts ?? []) refuse(column, message);
  const after = merged?.cells ?? { ...cellsNow, ...row.cells };
  const changed = SIZE_COLUMNS.filter((column) => after[column] !== cellsNow[column]);
  return { after, changed, stockMove: merged?.stockMove, isGone: false };
}

/** The cells as values of a size in a form. */
function sizeValuesOf(
  { row }: SizeRow,
  cells: Partial<ProductCells>,
  columns: readonly ProductColumn[],
  headings: ReadonlyMap<string, string>,
  flaws: Flaw[],
): object {
  const values: Record<string, unknown> = {};
  for (const column of columns) {
    const read = fromWords(column, cells[column] ?? '');
    const field = fieldOfSize(column);
    if ('wrong' in read) flaws.push({ row, column: headings.get(column) ?? column, message: read.wrong });
    else if (column === 'measurements') values.measurements = JSON.parse(read.cell) as unknown;
    else if (read.cell !== '' || field === 'sku' || field === 'barcode') values[field ?? column] = read.cell;
    else if (column === 'countInStock')
      flaws.push({ row, column: headings.get(column) ?? column, message: 'Write how many there are, such as 5 or 0.' });
    // Empty numbers: the price 0 stands for the product's price, null for no value of its own.
    else values[field ?? column] = field === 'price' ? 0 : null;
  }
  return values;
}
