import { createHash } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import { storable } from '#contract/platform/storable.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { isId } from '#server/platform/ids.ts';
import { type Exported, exportKey, readExported, sizesOf } from './exported.ts';
import type { Known, PlannedProduct } from './import-plan.ts';
import type { SheetRow } from './import-sheet.ts';
import { cellsOf, selectProducts } from './product-csv.ts';

/** How long an import is remembered. Importing an older file again would move its stock again. */
const REMEMBERED_DAYS = 365;

/** Hashes of rows without an id; equal rows are numbered in their order. */
export function hashNewRows(rows: readonly SheetRow[]): Map<number, Buffer> {
  const times = new Map<string, number>();
  const hashes = new Map<number, Buffer>();
  for (const { row, cells } of rows) {
    if (cells._id) continue;
    const content = JSON.stringify(Object.entries(cells).sort());
    const time = times.get(content) ?? 0;
    times.set(content, time + 1);
    hashes.set(row, createHash('sha256').update(`${time} ${content}`).digest());
  }
  return hashes;
}

/** The valid ids that rows name. */
export const idsOf = (rows: readonly SheetRow[]): string[] => rows.map(({ cells }) => cells._id ?? '').filter(isId);

/** Reads what a plan for these rows depends on. */
export async function readKnown(db: Db, rows: readonly SheetRow[], hashes: Map<number, Buffer>): Promise<Known> {
  const products = await selectProducts(db, sql<SqlBool>`id = any(${idsOf(rows)}::uuid[])`).execute();
  return {
    products: new Map(products.map((product) => [product.id, { row: product, cells: cellsOf(product) }])),
    exported: await readBases(db, rows),
    imported: await readImported(db, rows, hashes),
  };
}

async function readBases(db: Db, rows: readonly SheetRow[]): Promise<Known['exported']> {
  const keys = new Map(rows.filter(({ exported }) => exported !== '').map(({ row, exported }) => [row, exportKey(exported)]));
  if (keys.size === 0) return new Map();
  const stored = await db
    .selectFrom('importedStock')
    .select(['productId', 'exported', 'stock', 'sizes'])
    .where(sql<SqlBool>`exported = any(${[...keys.values()]}::bytea[])`)
    .execute();
  const latest = new Map(stored.map((entry) => [`${entry.productId} ${entry.exported.toString('hex')}`, entry]));
  const bases = new Map<number, Exported>();
  for (const { row, cells, exported } of rows) {
    const base = readExported(exported);
    if (!base) continue;
    const last = latest.get(`${cells._id} ${keys.get(row)?.toString('hex')}`);
    bases.set(row, last ? { ...base, stock: last.stock, sizes: new Map(Object.entries(last.sizes as Record<string, number>)) } : base);
  }
  return bases;
}

async function readImported(db: Db, rows: readonly SheetRow[], hashes: Map<number, Buffer>): Promise<Set<number>> {
  const wanted = rows.flatMap(({ row }) => hashes.get(row) ?? []);
  if (wanted.length === 0) return new Set();
  const found = await db
    .selectFrom('importedProducts')
    .innerJoin('products', 'products.id', 'importedProducts.productId')
    .select('rowHash')
    .where(sql<SqlBool>`row_hash = any(${wanted}::bytea[])`)
    .where('products.state', '<>', 'deleted')
    .execute();
  const known = new Set(found.map(({ rowHash }) => rowHash.toString('hex')));
  return new Set(rows.filter(({ row }) => known.has(hashes.get(row)?.toString('hex') ?? '')).map(({ row }) => row));
}

/** Remembers the stock that an exported row has set, so that importing it again does not move stock again. */
export async function rememberStock(tx: Tx, { sheet: { cells, exported }, id }: PlannedProduct, base: Exported | undefined): Promise<void> {
  if (!id || !base) return;
  const sizes = cells.sizes === undefined ? undefined : sizesOf(cells.sizes);
  const stock = {
    stock: cells.countInStock === undefined ? base.stock : Number(cells.countInStock),
    sizes: JSON.stringify(storable(Object.fromEntries(sizes?.map(({ size, quantity }) => [size, quantity]) ?? base.sizes))),
  };
  await tx
    .insertInto('importedStock')
    .values({ productId: id, exported: exportKey(exported), ...stock })
    .onConflict((conflict) => conflict.columns(['productId', 'exported']).doUpdateSet({ ...stock, at: new Date().toISOString() }))
    .execute();
}

/** Remembers the product that a new row has become, replacing one that was deleted since. */
export async function rememberProduct(tx: Tx, rowHash: Buffer, productId: string): Promise<void> {
  await tx
    .insertInto('importedProducts')
    .values({ rowHash, productId })
    .onConflict((conflict) => conflict.column('rowHash').doUpdateSet({ productId, at: new Date().toISOString() }))
    .execute();
}

export async function forgetOldImports(db: Db): Promise<void> {
  for (const table of ['importedStock', 'importedProducts'] as const)
    await db.deleteFrom(table).where(sql<SqlBool>`at < now() - make_interval(days => ${REMEMBERED_DAYS})`).execute();
}
