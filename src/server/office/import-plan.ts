import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Measurement, NewProductForm } from '#contract/catalogue.schema.ts';
import type { ImportReport } from '#contract/catalogue.ts';
import { storable } from '#server/storable.ts';
import { CsvError, parseCsv } from './csv.ts';
import { PRODUCT_COLUMNS, type ProductCells, type ProductColumn } from './product-csv.ts';

/** At most so many rows a file. */
export const MAX_ROWS = 5_000;

const ImportedProduct = NewProductForm.extend({ measurements: z.array(Measurement).max(30).default([]) });
/** What stands in the shop without a fit, or without pictures, may stay so. */
const KnownProduct = ImportedProduct.extend({ fit: z.string().trim().max(60) });
const JSON_COLUMNS: readonly ProductColumn[] = ['sizes', 'colors', 'measurements'];
const NO_CELLS = Object.fromEntries(PRODUCT_COLUMNS.map((column) => [column, ''])) as ProductCells;

/** One row to write: a new product without an id, else the columns that differ from what there is. */
export interface PlannedProduct {
  row: number;
  id: string | undefined;
  form: z.output<typeof ImportedProduct>;
  images: string[];
  differing: ProductColumn[];
}
type Flaw = ImportReport['errors'][number];
export interface ImportPlan {
  products: PlannedProduct[];
  unchanged: number;
  errors: Flaw[];
  fingerprint: string;
}
interface SheetRow {
  row: number;
  cells: Partial<ProductCells>;
}

/** The rows of a file by column, or what is wrong with its shape. */
export function readSheet(csv: string): { rows: SheetRow[]; errors: Flaw[] } {
  try {
    const [head = [], ...lines] = parseCsv(csv);
    const unknown = head.filter((column) => !(PRODUCT_COLUMNS as readonly string[]).includes(column));
    const errors: Flaw[] = unknown.map((column) => ({
      row: 1,
      column,
      message: `There is no column of this name. The columns: ${PRODUCT_COLUMNS.join(', ')}.`,
    }));
    if (head.length === 0) errors.push({ row: 1, column: '', message: 'The file is empty.' });
    if (new Set(head).size < head.length) errors.push({ row: 1, column: '', message: 'Two columns have the same name.' });
    if (lines.length > MAX_ROWS) errors.push({ row: MAX_ROWS + 2, column: '', message: `A file may have at most ${MAX_ROWS} products.` });
    if (errors.length > 0) return { rows: [], errors };
    return {
      rows: lines.map((line, index) => ({ row: index + 2, cells: Object.fromEntries(head.map((column, at) => [column, line[at] ?? ''])) })),
      errors: lines.flatMap((line, index) => misshapen(line, head, index + 2)),
    };
  } catch (error) {
    if (error instanceof CsvError) return { rows: [], errors: [{ row: error.row, column: '', message: error.message }] };
    throw error;
  }
}

function misshapen(line: string[], head: string[], row: number): Flaw[] {
  if (line.length === head.length) return [];
  return [{ row, column: '', message: `The row has ${line.length} cells, the head has ${head.length}.` }];
}

/** What the rows of a file would change, given the products that they name as they are now. */
export function planImport(sheet: ReturnType<typeof readSheet>, current: Map<string, ProductCells>): ImportPlan {
  const errors = [...sheet.errors];
  const products: PlannedProduct[] = [];
  const seen = new Set<string>();
  let unchanged = 0;
  for (const { row, cells } of sheet.rows) {
    const id = cells._id || undefined;
    const before = id === undefined ? undefined : current.get(id);
    if (id !== undefined && !before)
      errors.push({ row, column: '_id', message: 'No product has this id. Leave the cell empty for a new product.' });
    if (id !== undefined && seen.has(id)) errors.push({ row, column: '_id', message: 'Another row is about the same product.' });
    if (id !== undefined && (!before || seen.has(id))) continue;
    if (id !== undefined) seen.add(id);
    const after = { ...(before ?? NO_CELLS), ...cells };
    const differing = PRODUCT_COLUMNS.filter((column) => column !== '_id' && after[column] !== before?.[column]);
    if (before && differing.length === 0) {
      unchanged += 1;
      continue;
    }
    const { form, flaws } = readRow(row, after, before);
    errors.push(...flaws);
    if (form) products.push({ row, id, form, images: imagesOf(after), differing });
  }
  errors.sort((one, other) => one.row - other.row);
  const said = products.map((product) => [product, product.differing.map((column) => current.get(product.id ?? '')?.[column])]);
  return { products, unchanged, errors, fingerprint: createHash('sha256').update(JSON.stringify(said)).digest('base64url') };
}

const imagesOf = ({ images }: ProductCells) => images.split(/\s+/).filter(Boolean);

function readRow(
  row: number,
  cells: ProductCells,
  before: ProductCells | undefined,
): { form: PlannedProduct['form'] | undefined; flaws: Flaw[] } {
  const flaws: Flaw[] = [];
  const fields: Record<string, unknown> = { ...cells };
  for (const column of JSON_COLUMNS) {
    try {
      fields[column] = JSON.parse(cells[column] || '[]');
    } catch {
      flaws.push({ row, column, message: 'Not valid JSON.' });
      fields[column] = [];
    }
  }
  // An empty cell is no number, although it counts as 0, and no answer, although it is a word.
  for (const column of ['price', 'countInStock'] as const) if (cells[column].trim() === '') fields[column] = undefined;
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
