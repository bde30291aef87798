import type { Size } from '#contract/catalogue/catalogue.ts';
import { cut } from '#contract/platform/text.ts';
import { type Exported, hashOfCell, sizesOf } from './exported.ts';
import { PRODUCT_COLUMNS, type ProductCells, type ProductColumn } from './product-csv.ts';

export interface Merged {
  cells: ProductCells;
  /** By how much the file changes the product's stock. */
  stockMove: number;
  /** By how much the file changes the stock of sizes, by name, without zeros. */
  sizeMoves: Map<string, number>;
  conflicts: { column: ProductColumn; message: string }[];
  /** The columns that the file changed since the export. */
  touched: Set<ProductColumn>;
}

const bothChanged = (now: string) =>
  `Since the export this was changed in the shop too, where it is now “${cut(now, 200)}”. Put that into the file, or export again.`;
const tooFew = (left: number, move: number) =>
  `Pieces were sold since the export: ${left} left, so ${-move} cannot be taken off. Put the right number into the file, or export again.`;

/**
 * A three-way merge of a row: its values at the export, in the file, and in the shop now. A value changed on one side only is taken from that side. Stock
 * merges as a difference, so that pieces sold since the export stay sold.
 */
export function mergeRow(file: Partial<ProductCells>, exported: Exported, now: ProductCells): Merged {
  const merged: Merged = { cells: { ...now }, stockMove: 0, sizeMoves: new Map(), conflicts: [], touched: new Set() };
  for (const column of PRODUCT_COLUMNS) {
    const cell = file[column];
    if (cell === undefined || column === '_id') continue;
    if (column === 'countInStock') mergeStock(merged, cell, exported, now);
    else if (column === 'sizes') mergeSizes(merged, cell, exported, now);
    else merged.cells[column] = mergeCell(merged, column, cell, exported, now);
  }
  return merged;
}

function mergeCell({ conflicts, touched }: Merged, column: ProductColumn, cell: string, { hashes }: Exported, now: ProductCells): string {
  const before = hashes.get(column);
  const [inFile, inShop] = [hashOfCell(column, cell), hashOfCell(column, now[column] ?? '')];
  if (inFile !== before) touched.add(column);
  if (inFile === before || inFile === inShop) return now[column];
  if (inShop !== before) conflicts.push({ column, message: bothChanged(now[column] ?? '') });
  return cell;
}

function mergeStock(merged: Merged, cell: string, { stock }: Exported, now: ProductCells): void {
  // Left to the form's validation, which reports it.
  if (!/^\d+$/.test(cell)) {
    merged.cells.countInStock = cell;
    return;
  }
  const left = Number(now.countInStock ?? 0);
  merged.stockMove = Number(cell) - stock;
  if (merged.stockMove !== 0) merged.touched.add('countInStock');
  if (left + merged.stockMove < 0) merged.conflicts.push({ column: 'countInStock', message: tooFew(left, merged.stockMove) });
  merged.cells.countInStock = String(Math.max(0, left + merged.stockMove));
}

function mergeSizes(merged: Merged, cell: string, exported: Exported, now: ProductCells): void {
  const [inFile, inShop] = [sizesOf(cell), sizesOf(now.sizes) ?? []];
  if (!inFile) {
    merged.cells.sizes = cell;
    return;
  }
  // The list of sizes merges as a whole, the quantities size by size.
  const isFromFile = mergeCell(merged, 'sizes', cell, exported, now) !== now.sizes;
  const shape = isFromFile ? inFile : inShop;
  const isMissing = (name: string) => !shape.some(({ size }) => size === name);
  // A size whose quantity the file changes and that the shop has removed.
  const missing = inFile.find(({ size, quantity }) => quantity !== exported.sizes.get(size) && isMissing(size));
  if (missing)
    merged.conflicts.push({ column: 'sizes', message: `The size “${missing.size}” was taken out of the shop since the export.` });
  const sizes = shape.map((size) => ({ ...size, quantity: mergeQuantity(merged, size, inFile, inShop, exported) }));
  if (isFromFile || merged.sizeMoves.size > 0) merged.cells.sizes = JSON.stringify(sizes);
}

function mergeQuantity(merged: Merged, { size }: Size, inFile: Size[], inShop: Size[], exported: Exported): number {
  const quantityIn = (sizes: Size[]) => sizes.find((entry) => entry.size === size)?.quantity;
  const [typed, left, before] = [quantityIn(inFile), quantityIn(inShop), exported.sizes.get(size)];
  if (typed === undefined || left === undefined) return typed ?? left ?? 0;
  if (before === undefined) {
    if (typed !== left) merged.conflicts.push({ column: 'sizes', message: `The size “${size}” was added in the file and in the shop.` });
    return left;
  }
  const move = typed - before;
  if (move !== 0) merged.sizeMoves.set(size, move);
  if (left + move < 0) merged.conflicts.push({ column: 'sizes', message: `${size}: ${tooFew(left, move)}` });
  return Math.max(0, left + move);
}
