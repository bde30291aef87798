import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { MAX_PICTURES, type Size } from '#contract/catalogue/catalogue.ts';
import { columnsOf, PRODUCT_FIELDS, PRODUCT_STATES } from '#contract/catalogue/product-fields.ts';
import { EditedProductForm, ProductFields } from '#contract/catalogue/product-form.schema.ts';
import { storable } from '#contract/platform/storable.ts';
import { isWebAddress, splitPictures } from '#server/catalogue/fetched-pictures.ts';
import { changesBetween } from '#server/catalogue/product-changes.ts';
import { flawOfState } from '#server/catalogue/product-state.service.ts';
import { flawOfSet, ownStock, type PartProduct } from '#server/catalogue/set-parts.service.ts';
import type { Flaw } from '#server/platform/csv.ts';
import { type Exported, sizesOf } from './exported.ts';
import type { SheetRow } from './import-sheet.ts';
import { type Merged, mergeRow } from './merge.ts';
import { cellsOf, kindOf, PRODUCT_COLUMNS, type ProductCells, type ProductColumn, type ProductRow } from './product-csv.ts';
import { cellsInWords, columnOfSize, fromWords, SIZE_HEADING } from './product-words.ts';
import { planSizes, type SizePlan } from './size-rows.ts';

/** A row as the product form, without pictures. */
const NewRow = ProductFields.extend({
  measurements: EditedProductForm.shape.measurements.transform((measurements) => measurements ?? []),
});
/** An existing product without a fit may stay without one. */
const ExistingRow = NewRow.extend({ fit: z.string().trim().max(60) });

const EMPTY_CELLS = Object.fromEntries(PRODUCT_COLUMNS.map((column) => [column, ''])) as ProductCells;
/** Whether the report shows a column's values before and after. */
const isShort = (column: ProductColumn) => ['line', 'money', 'count', 'choice', 'flag', 'moment'].includes(kindOf(column) ?? '');
/** Rows planned before yielding to other requests. */
const ROWS_AT_ONCE = 5;

/** A planned write. */
export interface PlannedProduct {
  sheet: SheetRow;
  /** Undefined for a new product. */
  id: string | undefined;
  form: z.output<typeof NewRow>;
  images: string[];
  /** URLs of pictures to fetch. */
  toFetch: string[];
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
  /** Products with errors. */
  leftOut: number;
  errors: Flaw[];
}

/** What a plan depends on, besides the file. */
export interface PlanContext {
  /** The products that the rows name, by id. */
  products: Map<string, ProductRow>;
  /** A row's values at its export, with the stock of its latest import, by row number. */
  exported: Map<number, Exported>;
  /** Numbers of rows without an id that an earlier import has created. */
  imported: Set<number>;
  /** The products that sets name as their parts, by id. */
  parts: ReadonlyMap<string, PartProduct>;
}

/** Products and sizes of earlier rows: each may occur once in a file. */
export type Seen = Set<string>;

/** Plans the writes for rows of a file. */
export async function planImport(rows: readonly SheetRow[], context: PlanContext, seen: Seen = new Set()): Promise<ImportPlan> {
  const plan: ImportPlan = { products: [], unchanged: 0, leftOut: 0, errors: [] };
  for (const [index, sheet] of rows.entries()) {
    if (index % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await setImmediate();
    const flaws = [...sheet.flaws, ...flawsOfIds(sheet, context, seen)];
    if (flaws.length === 0) planRow(sheet, context, plan);
    else leaveOut(plan, flaws);
  }
  return plan;
}

function leaveOut(plan: ImportPlan, flaws: readonly Flaw[]): void {
  plan.leftOut += 1;
  plan.errors.push(...flaws);
}

const headingOf = ({ headings }: SheetRow, column: string) => headings.get(column) ?? column;

/** Reports unknown ids and duplicates of earlier rows. */
function flawsOfIds(sheet: SheetRow, { products }: PlanContext, seen: Seen): Flaw[] {
  const { row, cells, sizes } = sheet;
  const { _id } = cells;
  const flaws: Flaw[] = [];
  const refuseRepeat = (key: string, flaw: Flaw) => {
    if (seen.has(key)) flaws.push(flaw);
    seen.add(key);
  };
  const column = headingOf(sheet, '_id');
  if (_id && !products.has(_id)) return [{ row, column, message: 'No product has this id. Leave the cell empty for a new product.' }];
  // A row of a size repeats its product's id.
  if (_id && !(sheet.isWords && sizes[0]?.row === row)) refuseRepeat(_id, { row, column, message: 'Another row has the same product.' });
  for (const { size, row: sizeRow } of sizes)
    refuseRepeat(`${_id || row} ${size}`, {
      row: sizeRow,
      column: headingOf(sheet, SIZE_HEADING),
      message: `Another row has the size “${size}” of this product.`,
    });
  return flaws;
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

/** Fills in the fields that a file of an earlier version does not have in its sizes, so that they stay unchanged. */
function withMissingSizeFields(after: ProductCells, before: ProductCells | undefined): ProductCells {
  const sizes = before && after.sizes !== before.sizes ? sizesOf(after.sizes) : undefined;
  if (!before || !sizes) return after;
  const earlier = new Map((sizesOf(before.sizes) ?? []).map((size) => [size.size, size]));
  return { ...after, sizes: JSON.stringify(sizes.map((size) => ({ ...earlier.get(size.size), ...size }))) };
}

/** The changes of a row, in the cells of its file format. */
function changeOf({ row, cells, isWords }: SheetRow, product: ProductRow | undefined, { exported }: PlanContext): RowChange {
  const before = product && (isWords ? cellsInWords(product) : cellsOf(product));
  const base = before && exported.get(row);
  const merged = before && base && mergeRow(cells, base, before);
  const combined = merged?.cells ?? { ...(before ?? EMPTY_CELLS), ...cells };
  const after = isWords ? combined : withMissingSizeFields(combined, before);
  const changedColumns = PRODUCT_COLUMNS.filter((column) => column !== '_id' && after[column] !== before?.[column]);
  return { before, after, merged, changedColumns };
}

/** Adds a row to the plan as a write, as unchanged, or with its errors. */
function planRow(sheet: SheetRow, context: PlanContext, plan: ImportPlan): void {
  const { row, isWords, headings } = sheet;
  const id = sheet.cells._id || undefined;
  const product = context.products.get(id ?? '');
  const change = changeOf(withStoredPictures(sheet, product), product, context);
  const { before, merged, changedColumns } = change;
  const sizes = planSizes(sheet, product, context.exported);
  const conflicts = (merged?.conflicts ?? []).map(({ column, message }) => ({ row, column: headings.get(column) ?? column, message }));
  if (conflicts.length + sizes.flaws.length > 0) {
    leaveOut(plan, [...conflicts, ...sizes.flaws]);
    return;
  }
  const isUnchanged = before ? changedColumns.length === 0 && sizes.changes.length === 0 : context.imported.has(row);
  if (isUnchanged) {
    plan.unchanged += 1;
    return;
  }
  const { cells, flaws: cellFlaws } = isWords ? formCellsOf(sheet, change, product, sizes) : { cells: change.after, flaws: [] };
  if (cellFlaws.length > 0) {
    leaveOut(plan, cellFlaws);
    return;
  }
  const { form, flaws } = validateRow(sheet, cells, product, context);
  if (!form) {
    leaveOut(plan, flaws);
    return;
  }
  if (product?.setParts && !form.setParts) form.countInStock = ownStock(form.countInStock, product.countInStock);
  const effect = JSON.stringify([row, id, changedColumns.map((column) => effectOn(column, change)), sizes.changes]);
  const { stored: images, toFetch } = picturesOf(cells, product);
  const changeText = isWords ? changeTextOf(product, form, images) : changeTextOfCells(change);
  const fetching = toFetch.length === 1 ? '1 picture to fetch' : `${toFetch.length} pictures to fetch`;
  const remarks = [changeText, product && toFetch.length > 0 && fetching, sheet.note].filter(Boolean);
  plan.products.push({ sheet, id, form, images, toFetch, change: remarks.join(', '), effect });
}

/** Converts words to the form's cells; unchanged ones come from the product and need no parsing. */
function formCellsOf(
  sheet: SheetRow,
  { after, changedColumns }: RowChange,
  product: ProductRow | undefined,
  { sizes, changes }: SizePlan,
): { cells: ProductCells; flaws: Flaw[] } {
  const flaws: Flaw[] = [];
  const cells = product ? cellsOf(product) : { ...EMPTY_CELLS };
  for (const column of changedColumns) {
    const read = fromWords(column, after[column]);
    if ('cell' in read) cells[column] = read.cell;
    else flaws.push({ row: sheet.row, column: headingOf(sheet, column), message: read.wrong });
  }
  if (changes.length > 0) cells.sizes = JSON.stringify(sizes);
  return { cells, flaws };
}

function effectOn(column: ProductColumn, { before, after, merged }: RowChange): unknown {
  if (merged && column === 'countInStock') return [column, merged.stockMove];
  if (merged && column === 'sizes' && merged.sizeMoves.size > 0) return [column, [...merged.sizeMoves]];
  return [column, before?.[column], after[column]];
}

const signed = (move: number) => (move < 0 ? `−${-move}` : `+${move}`);

const changeTextOf = (
  product: ProductRow | undefined,
  { sizes, colors, measurements, ...form }: PlannedProduct['form'],
  images: string[],
) => (product ? changesBetween(product, { ...columnsOf(form), sizes, colors, measurements, images }).join(', ') : 'new');

/** A change in the form's cells. Without `_exported` the stock is overwritten, including sales since. */
function changeTextOfCells({ before, after, merged, changedColumns }: RowChange): string {
  if (!before) return 'new';
  const textOf = (column: ProductColumn) => {
    const values = `from “${before[column]}” to “${after[column]}”`;
    if (column === 'countInStock') {
      const stock = `from ${before.countInStock} to ${after.countInStock}`;
      return merged ? `countInStock ${signed(merged.stockMove)}, ${stock}` : `countInStock set ${stock}`;
    }
    if (column === 'sizes' && merged && merged.sizeMoves.size > 0)
      return `sizes (${[...merged.sizeMoves].map(([size, move]) => `${size} ${signed(move)}`).join(', ')})`;
    return isShort(column) ? `${column} ${values}` : column;
  };
  return changedColumns.map(textOf).join(', ');
}

export const imagesOf = ({ images = '' }: Partial<ProductCells>) => images.split(/\s+/).filter(Boolean);
const picturesOf = (cells: ProductCells, product: ProductRow | undefined) =>
  splitPictures(imagesOf(cells), product?.images ?? [], product?.pictureSources ?? {});

/** Replaces URLs that were fetched before by their stored pictures, so that the same file fetches nothing twice. */
function withStoredPictures(sheet: SheetRow, product: ProductRow | undefined): SheetRow {
  if (!product || sheet.cells.images === undefined) return sheet;
  const { stored, toFetch } = splitPictures(imagesOf(sheet.cells), product.images, product.pictureSources);
  const isMixed = imagesOf(sheet.cells).some(isWebAddress);
  return isMixed ? { ...sheet, cells: { ...sheet.cells, images: [...stored, ...toFetch].join(' ') } } : sheet;
}

/** Maps a form field's error to the file's row and heading. */
function placeOf(sheet: SheetRow, [name = '', index, field]: PropertyKey[], sizes: readonly Size[]): { row: number; column: string } {
  if (!sheet.isWords || name !== 'sizes' || typeof index !== 'number') return { row: sheet.row, column: headingOf(sheet, String(name)) };
  const column = field === 'measurements' ? 'measurements' : field === 'size' ? SIZE_HEADING : columnOfSize(String(field));
  const row = sheet.sizes.find(({ size }) => size === sizes[index]?.size)?.row ?? sheet.row;
  return { row, column: headingOf(sheet, column ?? SIZE_HEADING) };
}

/** Validates a row by the rules of the product form. */
function validateRow(
  sheet: SheetRow,
  cells: ProductCells,
  product: ProductRow | undefined,
  { parts }: PlanContext,
): { form: PlannedProduct['form'] | undefined; flaws: Flaw[] } {
  const at = (column: string) => ({ row: sheet.row, column: headingOf(sheet, column) });
  // An empty cell of a flag is missing, not false.
  const flags = PRODUCT_FIELDS.filter(({ kind }) => kind === 'flag').map(({ name }) => [name, cells[name] || undefined]);
  const fields = storable({ ...cells, ...Object.fromEntries(flags) });
  const { data, error } = (product ? ExistingRow : NewRow).safeParse(fields);
  const sizesInRow = error ? (unvalidatedSizes(cells) ?? []) : [];
  const flaws: Flaw[] = (error?.issues ?? []).map(({ path, message }) => ({ ...placeOf(sheet, path, sizesInRow), message }));
  const imagesBefore = product?.images ?? [];
  const images = imagesOf(cells);
  if (images.some((image) => !(imagesBefore.includes(image) || isWebAddress(image))))
    flaws.push({
      ...at('images'),
      message: 'Write picture addresses that begin with https://, separated by spaces, or those that the product already has.',
    });
  if (images.length > MAX_PICTURES) flaws.push({ ...at('images'), message: `A product can have at most ${MAX_PICTURES} pictures.` });
  if (product && cells.state === '') flaws.push({ ...at('state'), message: `Write the state: ${PRODUCT_STATES.join(', ')}.` });
  const stateFlaw = data && flawOfState(data);
  if (stateFlaw) flaws.push({ ...at('liveFrom'), message: stateFlaw });
  // Parts that stay the same are not checked again, only that the set has no sizes and colours of its own.
  const hasOtherParts = data && data.setParts !== product?.setParts;
  const setFlaw = data && flawOfSet({ id: product?.id, ...data }, hasOtherParts ? parts : new Map());
  if (setFlaw && (hasOtherParts || data.sizes.length + data.colors.length > 0)) flaws.push({ ...at('setParts'), message: setFlaw });
  const sizes = data?.sizes.map(({ size }) => size) ?? [];
  if (new Set(sizes).size < sizes.length) flaws.push({ ...at('sizes'), message: 'Two sizes have the same name.' });
  return { form: flaws.length === 0 ? data : undefined, flaws };
}

function unvalidatedSizes({ sizes }: ProductCells): Size[] | undefined {
  try {
    return JSON.parse(sizes || '[]') as Size[];
  } catch {
    return undefined;
  }
}
