import { sql } from 'kysely';
import { Problem } from '#contract/base/problem.ts';
import type { ImportForm, ImportReport } from '#contract/catalogue.ts';
import { deriveAttributes } from '#server/attributes/derive.service.ts';
import { catalogueChanged } from '#server/cache/catalogue-changes.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { textOf } from '#server/office/csv/csv.ts';
import { insertProduct, overwriteProduct } from '#server/products/product-edits.service.ts';
import { forgetOldImports, hashNewRows, idsOf, readKnown, rememberProduct, rememberStock } from './import-known.ts';
import { type Flaw, fingerprintOf, type ImportPlan, type Known, type PlannedProduct, planImport } from './import-plan.ts';
import { readSheet } from './import-sheet.ts';

/** So many changes and errors are listed one by one; the counts are of all. */
const MOST_LISTED = 200;
/** So many products are locked at a time, so that nobody who buys one of them waits for the whole file (decision 16). */
const BATCH = 50;

/**
 * Checks a CSV of products (the columns of the export; left-out columns stay as they are, a row without an id is a new product).
 * With the fingerprint of a check, carries out what that check reported, in short transactions; a row whose product was changed meanwhile is
 * left out and named in the report. To finish an import that stopped halfway, check the same file again: nothing is done twice.
 * Throws 400 when the file has errors, 409 when the catalogue has changed since the check, 415 when it is no text.
 */
export async function importProducts(db: Db, who: Admin, { file, fingerprint }: ImportForm): Promise<ImportReport> {
  const sheet = await readSheet(await textOf(file));
  const hashes = hashNewRows(sheet.rows);
  const plan = await planImport(sheet.rows, await readKnown(db, sheet.rows, hashes));
  plan.errors.unshift(...sheet.errors);
  if (!fingerprint) return reportOf(plan, false);
  if (plan.errors.length > 0) throw new Problem(400, 'The file has errors; nothing was imported.');
  if (fingerprintOf(plan) !== fingerprint)
    throw new Problem(409, 'The catalogue has changed since the check. Please check the file again.');
  await forgetOldImports(db);
  const done: ImportPlan = { products: [], unchanged: plan.unchanged, errors: [] };
  for (let at = 0; at < plan.products.length; at += BATCH) {
    const { written, leftOut } = await writeBatch(db, who, plan.products.slice(at, at + BATCH), hashes);
    done.products.push(...written);
    done.errors.push(...leftOut);
  }
  return reportOf(done, true);
}

interface Batch {
  written: PlannedProduct[];
  leftOut: Flaw[];
}

/**
 * Orders change stock under the same row locks, taken in the same order, so what is planned after them stays as it is. Two imports take turns
 * batch by batch, so that a row which is in both is done once.
 */
function writeBatch(db: Db, who: Admin, planned: PlannedProduct[], hashes: Map<number, Buffer>): Promise<Batch> {
  const rows = planned.map(({ sheet }) => sheet);
  return transactionOf(db, who, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('import of products'))`.execute(tx);
    await sql`select id from products where id = any(${idsOf(rows)}::uuid[]) order by id for update`.execute(tx);
    const known = await readKnown(tx, rows, hashes);
    const now = new Map((await planImport(rows, known)).products.map((product) => [product.sheet.row, product]));
    const batch: Batch = { written: [], leftOut: [] };
    const ids: string[] = [];
    for (const { sheet, effect } of planned) {
      const product = now.get(sheet.row);
      if (product?.effect !== effect) {
        batch.leftOut.push({ row: sheet.row, column: '', message: 'The product was changed during the import; this row was left out.' });
        continue;
      }
      ids.push(await write(tx, who, product, known, hashes.get(sheet.row)));
      batch.written.push(product);
    }
    await deriveAttributes(tx, ids);
    if (ids.length > 0) await catalogueChanged(tx);
    return batch;
  });
}

/** Returns the id of the product that was written. */
async function write(tx: Tx, who: Admin, product: PlannedProduct, known: Known, newRow: Buffer | undefined): Promise<string> {
  const { sheet, id, form, images, changedColumns } = product;
  if (id) {
    await overwriteProduct(tx, who, id, { ...form, images }, `Changed by import: ${changedColumns.join(', ')}`);
    await rememberStock(tx, product, known.exported.get(sheet.row));
    return id;
  }
  const { measurements, ...fields } = form;
  const made = await insertProduct(tx, who, fields, { images }, 'Created by import');
  if (newRow) await rememberProduct(tx, newRow, made);
  return made;
}

function reportOf(plan: ImportPlan, isDone: boolean): ImportReport {
  const { products, unchanged, errors } = plan;
  const added = products.filter(({ id }) => id === undefined).length;
  return {
    isDone,
    added,
    changed: products.length - added,
    unchanged,
    changes: products.slice(0, MOST_LISTED).map(({ sheet, form, change }) => ({ row: sheet.row, name: form.name, change })),
    errors: errors.sort((one, other) => one.row - other.row).slice(0, MOST_LISTED),
    fingerprint: fingerprintOf(plan),
  };
}
