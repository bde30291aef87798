import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { PRODUCT_FIELDS } from '#contract/catalogue/product-fields.ts';
import { EditedProductForm, ProductFields } from '#contract/catalogue/product-form.schema.ts';
import { storable } from '#contract/platform/storable.ts';
import { flawOfLife } from '#server/catalogue/product-life.service.ts';
import type { Flaw } from '#server/platform/csv.ts';
import { type Exported, sizesOf } from './exported.ts';
import type { SheetRow } from './import-sheet.ts';
import { type Merged, mergeRow } from './merge.ts';
import { kindOf, PRODUCT_COLUMNS, type ProductCells, type ProductColumn, type ProductRow } from './product-csv.ts';

/** A row as the product form, without pictures. */
const NewRow = ProductFields.extend({
  measurements: EditedProductForm.shape.measurements.transform((measurements) => measurements ?? []),
});
/** An existing product without a fit may stay without one. */
const KnownRow = NewRow.extend({ fit: z.string().trim().max(60) });

const EMPTY_CELLS = Object.fromEntries(PRODUCT_COLUMNS.map((column) => [column, ''])) as ProductCells;
/** Whether the report shows a column's values before and after. */
const isShort = (column: ProductColumn) => ['line', 'money', 'count', 'choice', 'flag', 'moment'].includes(kindOf(column) ?? '');
/** Rows planned before yielding to other requests. */
const ROWS_AT_ONCE = 50;

/** A planned write. */
export interface PlannedProduct {
  sheet: SheetRow;
  /** Undefined for a new product. */
  id: string | undefined;
  form: z.output<typeof NewRow>;
  images: string[];
  /** The change in words, for the report. */
  change: string;
  /**
   * The write in comparable form: an import is planned at its check and again when it is carried out, and a row with another effect is left out. Stock is a
   * difference, so that orders in between do not matter.
   */
  effect: string;
}

export interface ImportPlan {
  products: PlannedProduct[];
  unchanged: number;
  errors: Flaw[];
}

/** What a plan depends on besides the file. */
export interface Known {
  /** The products that the rows name, by id. */
  products: Map<string, { row: ProductRow; cells: ProductCells }>;
  /** A row's values at its export, with the stock of its latest import, by row number. */
  exported: Map<number, Exported>;
  /** Numbers of rows without an id that an earlier import has created. */
  imported: Set<number>;
}

/** Plans the writes for rows of a file; `seenIds` has the products of earlier rows. */
export async function planImport(rows: readonly SheetRow[], known: Known, seenIds = new Set<string>()): Promise<ImportPlan> {
  const plan: ImportPlan = { products: [], unchanged: 0, errors: [] };
  for (const [index, sheet] of rows.entries()) {
    if (index % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await setImmediate();
    const message = wrongId(sheet, known, seenIds);
    if (message) plan.errors.push({ row: sheet.row, column: '_id', message });
    else planRow(sheet, known, plan);
    if (sheet.cells._id) seenIds.add(sheet.cells._id);
  }
  return plan;
}

function wrongId({ cells: { _id } }: SheetRow, { products }: Known, seenIds: Set<string>): string | undefined {
  if (!_id) return undefined;
  if (!products.has(_id)) return 'No product has this id. Leave the cell empty for a new product.';
  return seenIds.has(_id) ? 'Another row has the same product.' : undefined;
}

/** A row beside the product that it names. */
interface RowChange {
  /** The product's cells now; undefined for a new product. */
  before: ProductCells | undefined;
  after: ProductCells;
  /** The merge of file and shop, if the row has an intact `_exported`. */
  merged: Merged | undefined;
  changedColumns: ProductColumn[];
}

/** Sizes in a cell with what they leave out of the sizes of the same names, so that a file of an earlier version changes nothing of it. */
function completed(after: ProductCells, before: ProductCells | undefined): ProductCells {
  const sizes = before && after.sizes !== before.sizes ? sizesOf(after.sizes) : undefined;
  if (!before || !sizes) return after;
  const had = new Map((sizesOf(before.sizes) ?? []).map((size) => [size.size, size]));
  return { ...after, sizes: JSON.stringify(sizes.map((size) => ({ ...had.get(size.size), ...size }))) };
}

function changeOf({ row, cells }: SheetRow, { products, exported }: Known): RowChange {
  const before = products.get(cells._id ?? '')?.cells;
  const base = before && exported.get(row);
  const merged = before && base && mergeRow(cells, base, before);
  const after = completed(merged?.cells ?? { ...(before ?? EMPTY_CELLS), ...cells }, before);
  const changedColumns = PRODUCT_COLUMNS.filter((column) => column !== '_id' && after[column] !== before?.[column]);
  return { before, after, merged, changedColumns };
}

/** Adds a row to the plan as a write, as unchanged, or with its errors. */
function planRow(sheet: SheetRow, known: Known, plan: ImportPlan): void {
  const { row } = sheet;
  const id = sheet.cells._id || undefined;
  const change = changeOf(sheet, known);
  const { before, after, merged, changedColumns } = change;
  if (merged && merged.conflicts.length > 0) {
    plan.errors.push(...merged.conflicts.map((conflict) => ({ row, ...conflict })));
    return;
  }
  if (before ? changedColumns.length === 0 : known.imported.has(row)) {
    plan.unchanged += 1;
    return;
  }
  const { form, flaws } = readRow(row, after, before);
  plan.errors.push(...flaws);
  if (!form) return;
  const effect = JSON.stringify([row, id, changedColumns.map((column) => effectOn(column, change))]);
  plan.products.push({ sheet, id, form, images: imagesOf(after), change: wordsOf(change), effect });
}

function effectOn(column: ProductColumn, { before, after, merged }: RowChange): unknown {
  if (merged && column === 'countInStock') return [column, merged.stockMove];
  if (merged && column === 'sizes' && merged.sizeMoves.size > 0) return [column, [...merged.sizeMoves]];
  return [column, before?.[column], after[column]];
}

const signed = (move: number) => (move < 0 ? `−${-move}` : `+${move}`);

/** A change in words. Without `_exported` the stock is set, whatever was sold since. */
function wordsOf({ before, after, merged, changedColumns }: RowChange): string {
  if (!before) return 'new';
  const words = (column: ProductColumn) => {
    const values = `from “${before[column]}” to “${after[column]}”`;
    if (column === 'countInStock') {
      const stock = `from ${before.countInStock} to ${after.countInStock}`;
      return merged ? `countInStock ${signed(merged.stockMove)}, ${stock}` : `countInStock set ${stock}`;
    }
    if (column === 'sizes' && merged && merged.sizeMoves.size > 0)
      return `sizes (${[...merged.sizeMoves].map(([size, move]) => `${size} ${signed(move)}`).join(', ')})`;
    return isShort(column) ? `${column} ${values}` : column;
  };
  return changedColumns.map(words).join(', ');
}

const imagesOf = ({ images }: ProductCells) => images.split(/\s+/).filter(Boolean);

/** Validates a row by the rules of the product form. */
function readRow(
  row: number,
  cells: ProductCells,
  before: ProductCells | undefined,
): { form: PlannedProduct['form'] | undefined; flaws: Flaw[] } {
  // An empty cell of a flag is missing, not false.
  const flags = PRODUCT_FIELDS.filter(({ kind }) => kind === 'flag').map(({ name }) => [name, cells[name] || undefined]);
  const fields = storable({ ...cells, ...Object.fromEntries(flags) });
  const { data, error } = (before ? KnownRow : NewRow).safeParse(fields);
  const flaws: Flaw[] = (error?.issues ?? []).map(({ path, message }) => ({ row, column: String(path[0] ?? ''), message }));
  const own = before ? imagesOf(before) : [];
  if (imagesOf(cells).some((image) => !own.includes(image)))
    flaws.push({ row, column: 'images', message: 'Only pictures that the product already has; new ones are added on its page.' });
  const sizes = data?.sizes.map(({ size }) => size) ?? [];
  const flawed = data && flawOfLife(data);
  if (flawed) flaws.push({ row, column: 'liveFrom', message: flawed });
  if (new Set(sizes).size < sizes.length) flaws.push({ row, column: 'sizes', message: 'Two sizes have the same name.' });
  return { form: flaws.length === 0 ? data : undefined, flaws };
}
