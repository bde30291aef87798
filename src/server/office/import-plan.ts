import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { storable } from '#contract/base/storable.ts';
import { EditedProductForm, ProductFields } from '#contract/catalogue.schema.ts';
import type { ImportReport } from '#contract/catalogue.ts';
import type { Exported } from '#server/office/csv/exported.ts';
import { PRODUCT_COLUMNS, type ProductCells, type ProductColumn } from '#server/office/csv/product-csv.ts';
import type { SheetRow } from './import-sheet.ts';
import { type Merged, mergeRow } from './merge.ts';

const ImportedProduct = ProductFields.extend({
  measurements: EditedProductForm.shape.measurements.transform((measurements) => measurements ?? []),
});
/** What stands in the shop without a fit, or without pictures, may stay so. */
const KnownProduct = ImportedProduct.extend({ fit: z.string().trim().max(60) });
const NO_CELLS = Object.fromEntries(PRODUCT_COLUMNS.map((column) => [column, ''])) as ProductCells;
/** Changes of these columns are told with both values. */
const SHORT: readonly ProductColumn[] = ['name', 'fit', 'category', 'subCategory', 'brand', 'price', 'newArrivals', 'isRecommend'];
/** So many rows are planned before requests get their turn. */
const AT_ONCE = 50;

/** One row to write: a new product without an id, else the columns that differ from what there is. */
export interface PlannedProduct {
  sheet: SheetRow;
  id: string | undefined;
  form: z.output<typeof ImportedProduct>;
  images: string[];
  differing: ProductColumn[];
  /** The change in words. */
  change: string;
  /** What the check promised: the same later means that the same is written. Stock that is counted as a difference may move meanwhile. */
  promise: string;
}
export type Flaw = ImportReport['errors'][number];
export interface ImportPlan {
  products: PlannedProduct[];
  unchanged: number;
  errors: Flaw[];
}

/** What of the shop a plan depends on. */
export interface Known {
  /** The products that the rows name, by id. */
  products: Map<string, ProductCells>;
  /** What a row held when it was exported, with the stock of its latest import, by the row's number. */
  exported: Map<number, Exported>;
  /** Numbers of the rows without an id that are products already, by an earlier import. */
  imported: Set<number>;
}

/** Names exactly these changes. */
export const fingerprintOf = ({ products }: ImportPlan): string =>
  createHash('sha256')
    .update(JSON.stringify(products.map(({ promise }) => promise)))
    .digest('base64url');

/** What the rows of a file would change. */
export async function planImport(rows: readonly SheetRow[], known: Known): Promise<ImportPlan> {
  const plan: ImportPlan = { products: [], unchanged: 0, errors: [] };
  const seen = new Set<string>();
  for (const [index, sheet] of rows.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
    const wrong = wrongId(sheet, known, seen);
    if (wrong) plan.errors.push({ row: sheet.row, column: '_id', message: wrong });
    else planRow(sheet, known, plan);
    if (sheet.cells._id) seen.add(sheet.cells._id);
  }
  return plan;
}

function wrongId({ cells: { _id } }: SheetRow, { products }: Known, seen: Set<string>): string | undefined {
  if (!_id) return undefined;
  if (!products.has(_id)) return 'No product has this id. Leave the cell empty for a new product.';
  return seen.has(_id) ? 'Another row is about the same product.' : undefined;
}

function planRow(sheet: SheetRow, known: Known, plan: ImportPlan): void {
  const { row, cells } = sheet;
  const id = cells._id || undefined;
  const before = id === undefined ? undefined : known.products.get(id);
  const exported = before && known.exported.get(row);
  const merged = before && exported && mergeRow(cells, exported, before);
  const after = merged?.cells ?? { ...(before ?? NO_CELLS), ...cells };
  const differing = PRODUCT_COLUMNS.filter((column) => column !== '_id' && after[column] !== before?.[column]);
  if (merged?.conflicts.length) return void plan.errors.push(...merged.conflicts.map((conflict) => ({ row, ...conflict })));
  if (before ? differing.length === 0 : known.imported.has(row)) {
    plan.unchanged += 1;
    return;
  }
  const { form, flaws } = readRow(row, after, before);
  plan.errors.push(...flaws);
  if (!form) return;
  const promise = JSON.stringify([row, id, differing.map((column) => promiseOf(column, after, before, merged))]);
  plan.products.push({ sheet, id, form, images: imagesOf(after), differing, change: wordsOf(differing, after, before, merged), promise });
}

function promiseOf(column: ProductColumn, after: ProductCells, before: ProductCells | undefined, merged: Merged | undefined): unknown {
  if (merged && column === 'countInStock') return [column, merged.stockMove];
  if (merged && column === 'sizes' && merged.sizeMoves.size > 0) return [column, [...merged.sizeMoves]];
  return [column, before?.[column], after[column]];
}

const signed = (move: number) => (move < 0 ? `−${-move}` : `+${move}`);

function wordsOf(differing: ProductColumn[], after: ProductCells, before: ProductCells | undefined, merged: Merged | undefined): string {
  if (!before) return 'new';
  const words = (column: ProductColumn) => {
    if (column === 'countInStock') return stockWords(after, before, merged);
    if (column === 'sizes' && merged && merged.sizeMoves.size > 0)
      return `sizes (${[...merged.sizeMoves].map(([size, move]) => `${size} ${signed(move)}`).join(', ')})`;
    return SHORT.includes(column) ? `${column} from “${before[column]}” to “${after[column]}”` : column;
  };
  return differing.map(words).join(', ');
}

/** A file that does not say what there was at its export sets the stock, whatever was sold since. */
function stockWords(after: ProductCells, before: ProductCells, merged: Merged | undefined): string {
  const change = `from ${before.countInStock} to ${after.countInStock}`;
  return merged ? `countInStock ${signed(merged.stockMove)}, ${change}` : `countInStock set ${change}`;
}

const imagesOf = ({ images }: ProductCells) => images.split(/\s+/).filter(Boolean);

function readRow(
  row: number,
  cells: ProductCells,
  before: ProductCells | undefined,
): { form: PlannedProduct['form'] | undefined; flaws: Flaw[] } {
  const flaws: Flaw[] = [];
  const fields: Record<string, unknown> = { ...cells };
  // An empty cell is no answer, although it is a word.
  for (const column of ['newArrivals', 'isRecommend'] as const) if (cells[column] === '') fields[column] = undefined;
  const read = (before ? KnownProduct : ImportedProduct).safeParse(storable(fields));
  for (const { path, message } of read.error?.issues ?? []) flaws.push({ row, column: String(path[0] ?? ''), message });
  const own = before ? imagesOf(before) : [];
  if (imagesOf(cells).some((image) => !own.includes(image)))
    flaws.push({ row, column: 'images', message: 'Only pictures that the product already has; new ones are added on its page.' });
  const sizes = read.data?.sizes.map(({ size }) => size) ?? [];
  if (new Set(sizes).size < sizes.length) flaws.push({ row, column: 'sizes', message: 'Two sizes have the same name.' });
  return { form: flaws.length === 0 ? read.data : undefined, flaws };
}
