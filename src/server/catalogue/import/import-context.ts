import { createHash } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import { storable } from '#contract/platform/storable.ts';
import { readPartProducts } from '#server/catalogue/set-parts.service.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { rowsOf } from '#server/platform/database/rows-of.ts';
import { isId } from '#server/platform/ids.ts';
import { type Exported, exportKey, readExported, sizesOf } from './exported.ts';
import type { PlanContext, PlannedProduct } from './import-plan.ts';
import type { SheetRow } from './import-sheet.ts';
import { selectProducts } from './product-csv.ts';

/** How long an import is remembered. Importing an older file again would move its stock again. */
const REMEMBERED_DAYS = 365;

/** Hashes of rows without an id; equal rows are numbered in their order. */
export class NewRowHashes {
  readonly #repeats = new Map<string, number>();

  /** The hashes by row number. Call it with the rows in their order. */
  of(rows: readonly SheetRow[]): Map<number, Buffer> {
    const hashes = new Map<number, Buffer>();
    for (const { row, cells, sizes } of rows) {
      if (cells._id) continue;
      const ofSizes = sizes.length > 0 ? sizes.map(({ size, cells: sizeCells }) => [size, Object.entries(sizeCells).sort()]) : [];
      const content = JSON.stringify([...Object.entries(cells).sort(), ...ofSizes]);
      const digest = createHash('sha256').update(content).digest('base64');
      const repeats = this.#repeats.get(digest) ?? 0;
      this.#repeats.set(digest, repeats + 1);
      hashes.set(row, createHash('sha256').update(`${repeats} ${content}`).digest());
    }
    return hashes;
  }
}

/** The valid ids that rows name. */
export const idsOf = (rows: readonly SheetRow[]): string[] => rows.map(({ cells }) => cells._id ?? '').filter(isId);

/** Reads what a plan for these rows depends on. */
export async function readPlanContext(db: Db, rows: readonly SheetRow[], hashes: Map<number, Buffer>): Promise<PlanContext> {
  const products = await selectProducts(db, sql<SqlBool>`id = any(${idsOf(rows)}::uuid[])`).execute();
  return {
    products: new Map(products.map((product) => [product.id, product])),
    exported: await readExportedRows(db, rows),
    imported: await readImported(db, rows, hashes),
    parts: await readPartProducts(
      db,
      rows.flatMap(({ cells }) => cells.setParts ?? []),
    ),
  };
}

/** The values of rows at their export, with the stock of the latest import of the same export. */
async function readExportedRows(db: Db, rows: readonly SheetRow[]): Promise<PlanContext['exported']> {
  const allRows = rows.flatMap(({ cells, sizes, ...sheet }) =>
    [sheet, ...sizes].map((one) => ({ row: one.row, exported: one.exported, id: cells._id })),
  );
  const keys = new Map(allRows.filter(({ exported }) => exported !== '').map(({ row, exported }) => [row, exportKey(exported)]));
  if (keys.size === 0) return new Map();
  const stored = await db
    .selectFrom('importedStock')
    .select(['productId', 'exported', 'stock', 'sizes'])
    // The primary key begins with the product.
    .where(sql<SqlBool>`product_id = any(${idsOf(rows)}::uuid[]) and exported = any(${[...keys.values()]}::bytea[])`)
    .execute();
  const latestImports = new Map(stored.map((entry) => [`${entry.productId} ${entry.exported.toString('hex')}`, entry]));
  const bases = new Map<number, Exported>();
  for (const { row, id, exported } of allRows) {
    const base = readExported(exported);
    if (!base) continue;
    const latest = latestImports.get(`${id} ${keys.get(row)?.toString('hex')}`);
    bases.set(
      row,
      latest ? { ...base, stock: latest.stock, sizes: new Map(Object.entries(latest.sizes as Record<string, number>)) } : base,
    );
  }
  return bases;
}

/** The numbers of rows without an id whose product an earlier import has created. */
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
  const importedHashes = new Set(found.map(({ rowHash }) => rowHash.toString('hex')));
  return new Set(rows.filter(({ row }) => importedHashes.has(hashes.get(row)?.toString('hex') ?? '')).map(({ row }) => row));
}

/** Records the stock changes of exported rows, so that importing the file again does not repeat them. */
export async function rememberStock(tx: Tx, products: readonly PlannedProduct[], bases: PlanContext['exported']): Promise<void> {
  // A Map, since two rows of a product may have the same export, and one statement cannot write a row twice.
  const stocks = new Map<string, object>();
  for (const { sheet, id } of products) {
    const sizes = sheet.cells.sizes === undefined ? undefined : sizesOf(sheet.cells.sizes);
    const quantities = sizes && new Map(sizes.map(({ size, quantity }) => [size, quantity]));
    for (const row of [sheet, ...sheet.sizes]) {
      const base = bases.get(row.row);
      if (!(id && base)) continue;
      const quantitiesInRow = row === sheet ? quantities : undefined;
      const key = exportKey(row.exported).toString('hex');
      stocks.set(`${id} ${key}`, {
        productId: id,
        exported: `\\x${key}`,
        stock: row.cells.countInStock === undefined ? base.stock : Number(row.cells.countInStock),
        sizes: storable(Object.fromEntries(quantitiesInRow ?? base.sizes)),
      });
    }
  }
  if (stocks.size === 0) return;
  await sql`
    insert into imported_stock (product_id, exported, stock, sizes)
    select product_id, exported, stock, sizes from ${rowsOf('importedStock', [...stocks.values()])}
    on conflict (product_id, exported) do update set stock = excluded.stock, sizes = excluded.sizes, at = now()`.execute(tx);
}

/** Remembers the products that rows without an id have created, in place of ones that were deleted since. */
export async function rememberProducts(tx: Tx, created: readonly { rowHash: Buffer; productId: string }[]): Promise<void> {
  if (created.length === 0) return;
  await tx
    .insertInto('importedProducts')
    .values([...created])
    .onConflict((conflict) =>
      conflict.column('rowHash').doUpdateSet((eb) => ({ productId: eb.ref('excluded.productId'), at: new Date().toISOString() })),
    )
    .execute();
}

export async function forgetOldImports(db: Db): Promise<void> {
  for (const table of ['importedStock', 'importedProducts'] as const)
    await db.deleteFrom(table).where(sql<SqlBool>`at < now() - make_interval(days => ${REMEMBERED_DAYS})`).execute();
}
