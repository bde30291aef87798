import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { ImportForm, ImportReport } from '#contract/catalogue/catalogue.ts';
import { Problem } from '#contract/platform/problem.ts';
import { deriveAttributes } from '#server/catalogue/attributes/derive.service.ts';
import { insertProduct, overwriteProduct } from '#server/catalogue/product-edits.service.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import { productsChanged } from '#server/platform/cache/catalogue-changes.ts';
import { textOf } from '#server/platform/csv.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { forgetOldImports, hashNewRows, idsOf, readKnown, rememberProduct, rememberStock } from './import-known.ts';
import { type Flaw, type ImportPlan, type Known, type PlannedProduct, planImport } from './import-plan.ts';
import { readSheet, type SheetRow } from './import-sheet.ts';

/** So many changes and errors are listed one by one; the counts are of all. */
const MOST_LISTED = 200;
/** So many products are locked at a time, so that nobody who buys one of them waits for the whole file (decision 16). */
const BATCH = 50;

/** So many rows are planned at a time: what the shop holds of them, and what they would write, is never in memory for a whole file. */
const PLANNED = 500;

/** What an import comes to: counts of all rows, and the first of what is listed. */
interface Outcome {
  added: number;
  changed: number;
  unchanged: number;
  changes: ImportReport['changes'];
  errors: Flaw[];
}

function addPlan(outcome: Outcome, { products, unchanged, errors }: ImportPlan): void {
  const added = products.filter(({ id }) => id === undefined).length;
  outcome.added += added;
  outcome.changed += products.length - added;
  outcome.unchanged += unchanged;
  const room = MOST_LISTED - outcome.changes.length;
  outcome.changes.push(...products.slice(0, room).map(({ sheet, form, change }) => ({ row: sheet.row, name: form.name, change })));
  outcome.errors.push(...errors.slice(0, MOST_LISTED));
  outcome.errors = outcome.errors.sort((one, other) => one.row - other.row).slice(0, MOST_LISTED);
}

const newOutcome = (errors: Flaw[] = []): Outcome => ({ added: 0, changed: 0, unchanged: 0, changes: [], errors });
const digestOf = (effect: string) => createHash('sha256').update(effect).digest('base64url');

/** Plans all rows of a file. `effects` has a digest of what each row that is to be written would do, by its number. */
async function planAll(db: Db, rows: readonly SheetRow[], hashes: Map<number, Buffer>, errors: Flaw[]) {
  const outcome = newOutcome(errors);
  const effects = new Map<number, string>();
  const seenIds = new Set<string>();
  for (let at = 0; at < rows.length; at += PLANNED) {
    const some = rows.slice(at, at + PLANNED);
    const plan = await planImport(some, await readKnown(db, some, hashes), seenIds);
    for (const { sheet, effect } of plan.products) effects.set(sheet.row, digestOf(effect));
    addPlan(outcome, plan);
  }
  return { outcome, effects, fingerprint: digestOf(JSON.stringify([...effects])) };
}

/**
 * Checks a CSV of products (the columns of the export; left-out columns stay as they are, a row without an id is a new product).
 * With the fingerprint of a check, carries out what that check reported, in short transactions; a row whose product was changed meanwhile is
 * left out and named in the report. To finish an import that stopped halfway, check the same file again: nothing is done twice.
 * Throws 400 when the file has errors, 409 when the catalogue has changed since the check, 415 when it is no text.
 */
export async function importProducts(db: Db, who: Admin, { file, fingerprint: checked }: ImportForm): Promise<ImportReport> {
  const { rows, errors } = await readSheet(await textOf(file));
  const hashes = hashNewRows(rows);
  const { outcome, effects, fingerprint } = await planAll(db, rows, hashes, errors);
  if (!checked) return { ...outcome, isDone: false, fingerprint };
  if (outcome.errors.length > 0) throw new Problem(400, 'The file has errors; nothing was imported.');
  if (fingerprint !== checked) throw new Problem(409, 'The catalogue has changed since the check. Please check the file again.');
  await forgetOldImports(db);
  const done = { ...newOutcome(), unchanged: outcome.unchanged };
  const planned = rows.filter(({ row }) => effects.has(row));
  for (let at = 0; at < planned.length; at += BATCH) {
    const { written, leftOut } = await writeBatch(db, who, planned.slice(at, at + BATCH), effects, hashes);
    addPlan(done, { products: written, unchanged: 0, errors: leftOut });
  }
  return { ...done, isDone: true, fingerprint };
}

interface Batch {
  written: PlannedProduct[];
  leftOut: Flaw[];
}

/**
 * Orders change stock under the same row locks, taken in the same order, so what is planned after them stays as it is. Two imports take turns
 * batch by batch, so that a row which is in both is done once.
 */
function writeBatch(
  db: Db,
  who: Admin,
  rows: readonly SheetRow[],
  effects: Map<number, string>,
  hashes: Map<number, Buffer>,
): Promise<Batch> {
  return transactionOf(db, who, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('import of products'))`.execute(tx);
    await sql`select id from products where id = any(${idsOf(rows)}::uuid[]) order by id for update`.execute(tx);
    const known = await readKnown(tx, rows, hashes);
    const now = new Map((await planImport(rows, known)).products.map((product) => [product.sheet.row, product]));
    const batch: Batch = { written: [], leftOut: [] };
    const ids: string[] = [];
    for (const { row } of rows) {
      const product = now.get(row);
      if (!product || digestOf(product.effect) !== effects.get(row)) {
        batch.leftOut.push({ row, column: '', message: 'The product was changed during the import; this row was left out.' });
        continue;
      }
      ids.push(await write(tx, who, product, known, hashes.get(row)));
      batch.written.push(product);
    }
    await deriveAttributes(tx, ids);
    if (ids.length > 0) await productsChanged(tx, ids);
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
