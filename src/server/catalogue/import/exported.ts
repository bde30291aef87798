import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Size } from '#contract/catalogue/catalogue.ts';
import * as schema from '#contract/catalogue/product-form.schema.ts';
import { PRODUCT_COLUMNS, type ProductCells, type ProductColumn } from './product-csv.ts';

/** A row's values at its export, stored in the file: the base of the three-way merge at import. */
export interface Exported {
  stock: number;
  /** Quantities by size name. */
  sizes: Map<string, number>;
  /** A short hash of each cell except the stock; that of `sizes` ignores quantities. */
  hashes: ReadonlyMap<string, string>;
}

const Cell = z.object({
  at: z.string(),
  stock: z.int(),
  sizes: z.array(z.tuple([z.string(), z.int()])),
  marks: z.record(z.string(), z.string()),
});

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 12);

/** The sizes of a cell; undefined if invalid. */
export function sizesOf(cell: string): Size[] | undefined {
  try {
    return z.array(schema.Size).safeParse(JSON.parse(cell || '[]')).data;
  } catch {
    return undefined;
  }
}

/** The sizes without their quantities. What a size leaves out is nothing of its own, as files of earlier versions leave it out. */
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

/** The cell `_exported` of a product's row; `at` is the time of the export. */
export function exportedCell(cells: ProductCells, at: string): string {
  const hashed = PRODUCT_COLUMNS.filter((column) => column !== '_id' && column !== 'countInStock');
  return JSON.stringify({
    at,
    stock: Number(cells.countInStock),
    sizes: (sizesOf(cells.sizes) ?? []).map(({ size, quantity }) => [size, quantity]),
    marks: Object.fromEntries(hashed.map((column) => [column, hashOfCell(column, cells[column])])),
  } satisfies z.input<typeof Cell>);
}

/** Parses the cell `_exported`; undefined if it was altered. */
export function readExported(cell: string): Exported | undefined {
  try {
    const read = Cell.safeParse(JSON.parse(cell));
    return read.data && { stock: read.data.stock, sizes: new Map(read.data.sizes), hashes: new Map(Object.entries(read.data.marks)) };
  } catch {
    return undefined;
  }
}

/** Identifies a row of an export. */
export const exportKey = (cell: string): Buffer => createHash('sha256').update(cell).digest();
