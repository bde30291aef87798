import { type SqlBool, sql } from 'kysely';
import type { ImportReport } from '#contract/catalogue.ts';
import { Problem } from '#contract/problem.ts';
import { insertProduct, overwriteProduct } from '#server/catalogue/product-edits.service.ts';
import type { Admin } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { isId } from '#server/ids.ts';
import { type ImportPlan, type PlannedProduct, planImport, readSheet } from './import-plan.ts';
import { cellsOf, type ProductCells, type ProductColumn, selectProducts } from './product-csv.ts';

/** So many changes and errors are told one by one; the counts are of all. */
const MOST_TOLD = 200;
/** Changes of these columns are told with both values. */
const SHORT: readonly ProductColumn[] = [
  'name',
  'fit',
  'category',
  'subCategory',
  'brand',
  'price',
  'countInStock',
  'newArrivals',
  'isRecommend',
];

/**
 * Checks a CSV of products (the columns of the export; left-out columns stay as they are, a row without an id is a new product).
 * With the fingerprint of a check, carries out exactly what that check reported, all or nothing.
 * Throws 400 when the file has errors, 409 when the catalogue has changed since the check.
 */
export async function importProducts(db: Db, who: Admin, csv: string, fingerprint: string | undefined): Promise<ImportReport> {
  const sheet = readSheet(csv);
  const ids = sheet.rows.map(({ cells }) => cells._id ?? '').filter(isId);
  const find = (tx: Db) => selectProducts(tx, sql<SqlBool>`id = any(${ids}::uuid[])`);
  const currentOf = (rows: Awaited<ReturnType<ReturnType<typeof find>['execute']>>) => new Map(rows.map((row) => [row.id, cellsOf(row)]));
  if (!fingerprint) {
    const current = currentOf(await find(db).execute());
    return reportOf(planImport(sheet, current), current, false);
  }
  return db.transaction().execute(async (tx) => {
    // Orders change stock under the same locks, taken in the same order; what is read after them stays as it is.
    await sql`select id from products where id = any(${ids}::uuid[]) order by id for update`.execute(tx);
    const current = currentOf(await find(tx).execute());
    const plan = planImport(sheet, current);
    if (plan.errors.length > 0) throw new Problem(400, 'The file has errors; nothing was imported.');
    if (plan.fingerprint !== fingerprint) throw new Problem(409, 'The catalogue has changed since the check. Please check the file again.');
    for (const product of plan.products) await write(tx, who, product);
    return reportOf(plan, current, true);
  });
}

async function write(tx: Tx, who: Admin, { id, form, images, differing }: PlannedProduct): Promise<void> {
  if (id) return overwriteProduct(tx, who, id, { ...form, images }, `Changed by import: ${differing.join(', ')}`);
  const { measurements, ...product } = form;
  await insertProduct(tx, who, product, images, 'Created by import');
}

function reportOf(
  { products, unchanged, errors, fingerprint }: ImportPlan,
  current: Map<string, ProductCells>,
  isDone: boolean,
): ImportReport {
  const added = products.filter(({ id }) => id === undefined).length;
  return {
    isDone,
    added,
    changed: products.length - added,
    unchanged,
    changes: products
      .slice(0, MOST_TOLD)
      .map((product) => ({ row: product.row, name: product.form.name, change: wordsOf(product, current) })),
    errors: errors.slice(0, MOST_TOLD),
    fingerprint,
  };
}

function wordsOf({ id, form, differing }: PlannedProduct, current: Map<string, ProductCells>): string {
  const before = id === undefined ? undefined : current.get(id);
  if (!before) return 'new';
  const after = form as unknown as Record<string, unknown>;
  return differing
    .map((column) => (SHORT.includes(column) ? `${column} from “${before[column]}” to “${String(after[column])}”` : column))
    .join(', ');
}
