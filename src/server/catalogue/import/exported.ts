import { createHash, hash } from 'node:crypto';
import { z } from 'zod';
import type { Size } from '#contract/catalogue/catalogue.ts';
import * as schema from '#contract/catalogue/product-form.schema.ts';
import { PRODUCT_COLUMNS, type ProductCells, type ProductColumn } from './product-csv.ts';
import { SIZE_COLUMNS, WORD_COLUMNS } from './product-words.ts';

/** A row's values at its export, stored in the file: the base of the three-way merge at import. */
export interface Exported {
  /** The row's size; undefined for a product's row. */
  size?: string | undefined;
  stock: number;
  /** Quantities by size name, for files with all sizes in one cell. */
  sizes: Map<string, number>;
  /** A short hash of each cell except the stock; that of `sizes` ignores quantities. */
  hashes: ReadonlyMap<string, string>;
}

const Cell = z.object({
  at: z.string(),
  /** The row's size, which makes each row's cell unique. */
  size: z.string().optional(),
  stock: z.int(),
  sizes: z.array(z.tuple([z.string(), z.int()])).optional(),
  /** The hashes of cells by column. */
  marks: z.record(z.string(), z.string()),
});

const hashOf = (text: string): string => hash('sha256', text, 'base64url').slice(0, 12);

/** The sizes of a cell; undefined if invalid. */
export function sizesOf(cell: string): Size[] | undefined {
  try {
    return z.array(schema.Size).safeParse(JSON.parse(cell || '[]')).data;
  } catch {
    return undefined;
  }
}

/** The sizes without their quantities. Fields that a size leaves out, as in files of earlier versions, count as empty. */
const shapeOf = (sizes: Size[]) =>
  JSON.stringify(
    sizes.map(({ quantity: _, sku = '', barcode = '', weight = null, costPrice = null, ...shape }) => ({
      ...shape,
      sku,
      barcode,
      weight,
      costPrice,
    })),
  );

/** A hash that is equal for cells that differ only in stock. */
export function hashOfCell(column: ProductColumn, cell: string): string {
  const sizes = column === 'sizes' ? sizesOf(cell) : undefined;
  return hashOf(sizes ? shapeOf(sizes) : cell);
}

const hashesByColumn = (columns: readonly ProductColumn[], cells: Partial<ProductCells>) =>
  Object.fromEntries(
    columns
      .filter((column) => column !== '_id' && column !== 'countInStock')
      .map((column) => [column, hashOfCell(column, cells[column] ?? '')]),
  );
const cellOf = (cell: z.input<typeof Cell>) => JSON.stringify(cell);

/** The cell `_exported` of a product's row with the columns of the form; `at` is the time of the export. */
export const exportedCell = (cells: ProductCells, at: string): string =>
  cellOf({
    at,
    stock: Number(cells.countInStock),
    sizes: (sizesOf(cells.sizes) ?? []).map(({ size, quantity }) => [size, quantity]),
    marks: hashesByColumn(PRODUCT_COLUMNS, cells),
  });

/** The cell `_exported` of a row in words, for a product or one of its sizes. */
export const exportedCellInWords = (cells: Partial<ProductCells>, at: string, size?: string): string =>
  cellOf({
    at,
    ...(size !== undefined && { size }),
    stock: Number(cells.countInStock),
    marks: hashesByColumn(size === undefined ? WORD_COLUMNS : SIZE_COLUMNS, cells),
  });

/** Parses the cell `_exported`; undefined if it was altered. */
export function readExported(cell: string): Exported | undefined {
  try {
    const read = Cell.safeParse(JSON.parse(cell));
    if (!read.data) return undefined;
    const { size, stock, sizes = [], marks } = read.data;
    return { size, stock, sizes: new Map(sizes), hashes: new Map(Object.entries(marks)) };
  } catch {
    return undefined;
  }
}

/** Identifies a row of an export. */
export const exportKey = (cell: string): Buffer => createHash('sha256').update(cell).digest();
