import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { ImportForm, ImportReport } from '#contract/catalogue/catalogue.ts';
import { columnsOf } from '#contract/catalogue/product-fields.ts';
import { Problem } from '#contract/platform/problem.ts';
import { deriveAttributes } from '#server/catalogue/attributes/derive.service.ts';
import { changesBetween } from '#server/catalogue/product-changes.ts';
import { insertProduct, overwriteProduct } from '#server/catalogue/product-edits.service.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import { setStockCause } from '#server/context/stock-cause.ts';
import { productsChanged } from '#server/platform/cache/catalogue-changes.ts';
import { type Flaw, textOf } from '#server/platform/csv.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { forgetOldImports, hashNewRows, idsOf, readKnown, rememberProduct, rememberStock } from './import-known.ts';
import { type ImportPlan, type Known, type PlannedProduct, planImport } from './import-plan.ts';
import { readSheet, type SheetRow } from './import-sheet.ts';

/** The most changes and errors listed; the counts are of all. */
const MOST_LISTED = 200;
/** Products locked at a time, so that orders of them do not wait for the whole file. */
const BATCH = 50;

/** Rows planned at a time, which bounds memory. */
const PLANNED = 500;

/** The result of an import: counts of all rows, and the first changes and errors. */
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

/** Plans all rows of a file. `effects` has a digest of each planned write, by row number. */
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
 * Checks a CSV of products with the columns of the export. Missing columns stay unchanged; a row without an id is a new product. With the fingerprint of a
 * check, imports what it reported, in short transactions; a row whose product was changed meanwhile is left out and reported. An interrupted import can be
 * resumed by checking the same file again: nothing is done twice. Throws 400 if the file has errors, 409 if the catalogue has changed since the check, 415
 * if it is not text.
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
 * Plans and writes a batch under the row locks that orders take too, in the same order, so that the plan stays valid. Concurrent imports take turns batch by
 * batch, so that a row in both is imported once.
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
    await setStockCause(tx, { reason: 'imported', actor: who.name });
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

/** Returns the id of the written product. */
async function write(tx: Tx, who: Admin, product: PlannedProduct, known: Known, newRow: Buffer | undefined): Promise<string> {
  const { sheet, id, form, images } = product;
  const before = id && known.products.get(id)?.row;
  if (id && before) {
    const { sizes, colors, measurements } = form;
    const changes = changesBetween(before, { ...columnsOf(form), sizes, colors, measurements, images });
    await overwriteProduct(tx, who, id, { ...form, images }, `Changed by import: ${changes.join(', ')}`);
    await rememberStock(tx, product, known.exported.get(sheet.row));
    return id;
  }
  const { measurements, ...fields } = form;
  const made = await insertProduct(tx, who, fields, { images }, 'Created by import');
  if (newRow) await rememberProduct(tx, newRow, made);
  return made;
}
