import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { ImportForm, ImportReport } from '#contract/catalogue/catalogue.ts';
import { columnsOf } from '#contract/catalogue/product-fields.ts';
import { readSetParts } from '#contract/catalogue/set-parts.ts';
import { Problem } from '#contract/platform/problem.ts';
import { deriveAttributes } from '#server/catalogue/attributes/derive.service.ts';
import { queuePictures } from '#server/catalogue/fetched-pictures.ts';
import { isTouchedBy, LOCK_ORDER } from '#server/catalogue/lock-order.ts';
import { changesBetween } from '#server/catalogue/product-changes.ts';
import { insertProducts, overwriteProducts } from '#server/catalogue/write-products.service.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import { setStockCause } from '#server/context/stock-cause.ts';
import { productsChanged } from '#server/platform/cache/catalogue-changes.ts';
import type { Flaw } from '#server/platform/csv.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { lockName } from '#server/platform/database/name-lock.ts';
import { newId } from '#server/platform/ids.ts';
import { forgetOldImports, idsOf, NewRowHashes, readPlanContext, rememberProducts, rememberStock } from './import-context.ts';
import { type ImportPlan, imagesOf, type PlanContext, type PlannedProduct, planImport, type Seen } from './import-plan.ts';
import { BrokenSheet, readSheet, type SheetRow } from './import-sheet.ts';

/** The most changes and errors listed; the counts are of all. */
const MOST_LISTED = 200;
/** Products locked at a time, so that orders of them do not wait for the whole file. */
const WRITE_BATCH = 50;

/** Products checked at a time, which limits memory and time on the thread. */
const PLAN_BATCH = 25;

/** The result of an import: counts of all rows, and the first changes and errors. */
type Outcome = Omit<ImportReport, 'isDone' | 'fingerprint'>;

function addPlan(outcome: Outcome, { products, unchanged, leftOut, errors }: ImportPlan): void {
  const added = products.filter(({ id }) => id === undefined).length;
  outcome.added += added;
  outcome.changed += products.length - added;
  outcome.unchanged += unchanged;
  outcome.leftOut += leftOut;
  const placesLeft = MOST_LISTED - outcome.changes.length;
  outcome.changes.push(...products.slice(0, placesLeft).map(({ sheet, form, change }) => ({ row: sheet.row, name: form.name, change })));
  if (errors.length > 0) addErrors(outcome, errors);
}

function addErrors(outcome: Outcome, errors: readonly Flaw[]): void {
  const all = [...outcome.errors, ...errors.slice(0, MOST_LISTED)];
  outcome.errors = all.sort((one, other) => one.row - other.row).slice(0, MOST_LISTED);
}

const newOutcome = (): Outcome => ({ added: 0, changed: 0, unchanged: 0, leftOut: 0, isBroken: false, changes: [], errors: [] });
const digestOf = (effect: string) => createHash('sha256').update(effect).digest('base64url');

/** Rows of a file in batches, each with the hashes of its new products. No batch has a product twice. */
async function* batchesOf(file: File, most: number, isWanted: (row: SheetRow) => boolean = () => true) {
  const hashes = new NewRowHashes();
  let rows: SheetRow[] = [];
  let rowHashes = new Map<number, Buffer>();
  const ids = new Set<string>();
  const completed = () => {
    const batch = { rows, hashes: rowHashes };
    rows = [];
    rowHashes = new Map();
    ids.clear();
    return batch;
  };
  for await (const row of readSheet(file)) {
    // Of every row, since equal ones are numbered.
    const hashed = hashes.of([row]);
    if (!isWanted(row)) continue;
    const { _id } = row.cells;
    if (rows.length === most || (_id && ids.has(_id))) yield completed();
    rows.push(row);
    for (const [rowNumber, hash] of hashed) rowHashes.set(rowNumber, hash);
    if (_id) ids.add(_id);
  }
  if (rows.length > 0) yield completed();
}

/** Plans all rows of a file. `effects` has a digest of each planned write, by row number. */
async function planAll(db: Db, file: File) {
  const outcome = newOutcome();
  const effects = new Map<number, string>();
  const allEffects = createHash('sha256');
  const seen: Seen = new Set();
  try {
    for await (const { rows, hashes } of batchesOf(file, PLAN_BATCH)) {
      const plan = await planImport(rows, await readPlanContext(db, rows, hashes), seen);
      for (const { sheet, effect } of plan.products) {
        const digest = digestOf(effect);
        effects.set(sheet.row, digest);
        allEffects.update(`${sheet.row} ${digest}\n`);
      }
      addPlan(outcome, plan);
    }
  } catch (error) {
    if (!(error instanceof BrokenSheet)) throw error;
    outcome.isBroken = true;
    outcome.errors = [...error.flaws, ...outcome.errors].slice(0, MOST_LISTED);
  }
  return { outcome, effects, fingerprint: allEffects.digest('base64url') };
}

/**
 * Checks a CSV of products, in words or with the columns of the form. Missing columns stay unchanged; a row without an id is a new product. With the
 * fingerprint of a check, imports what it reported, in short transactions; products with errors, and those that were changed meanwhile, are left out and
 * reported. An interrupted import can be resumed by checking the same file again: nothing is done twice. Throws 400 for a file that cannot be read to its
 * end, 409 if the catalogue has changed since the check, 415 if it is not text.
 */
export async function importProducts(db: Db, who: Admin, { file, fingerprint: fingerprintOfCheck }: ImportForm): Promise<ImportReport> {
  const { outcome, effects, fingerprint } = await planAll(db, file);
  if (!fingerprintOfCheck) return { ...outcome, isDone: false, fingerprint };
  if (outcome.isBroken) throw new Problem(400, 'The file cannot be read to the end; nothing was imported.');
  if (fingerprint !== fingerprintOfCheck) throw new Problem(409, 'The catalogue has changed since the check. Please check the file again.');
  await forgetOldImports(db);
  const { unchanged, leftOut, errors } = outcome;
  const done = { ...newOutcome(), unchanged, leftOut, errors };
  for await (const { rows, hashes } of batchesOf(file, WRITE_BATCH, ({ row }) => effects.has(row)))
    addPlan(done, await writeBatch(db, who, rows, effects, hashes));
  return { ...done, isDone: true, fingerprint };
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
): Promise<ImportPlan> {
  return transactionOf(db, who, async (tx) => {
    await lockName(tx, 'import of products');
    await setStockCause(tx, { reason: 'imported', actor: who.name });
    const parts = rows.flatMap(({ cells }) => readSetParts(cells.setParts ?? '') ?? []).map(({ _id }) => _id);
    await sql`select id from products where ${isTouchedBy([...idsOf(rows), ...parts])} order by ${LOCK_ORDER} for update`.execute(tx);
    const context = await readPlanContext(tx, rows, hashes);
    const planned = new Map((await planImport(rows, context)).products.map((product) => [product.sheet.row, product]));
    const batch: ImportPlan = { products: [], unchanged: 0, leftOut: 0, errors: [] };
    for (const { row } of rows) {
      const product = planned.get(row);
      if (!product || digestOf(product.effect) !== effects.get(row)) {
        batch.leftOut += 1;
        batch.errors.push({ row, column: '', message: 'The product was changed during the import; this row was left out.' });
        continue;
      }
      batch.products.push(product);
    }
    const ids = await write(tx, who, batch.products, context, hashes);
    await deriveAttributes(tx, ids);
    if (ids.length > 0) await productsChanged(tx, ids);
    return batch;
  });
}

/** Writes planned products and returns their ids. */
async function write(
  tx: Tx,
  who: Admin,
  products: readonly PlannedProduct[],
  context: PlanContext,
  hashes: Map<number, Buffer>,
): Promise<string[]> {
  const targets = products.map((product) => {
    const before = context.products.get(product.id ?? '');
    return { ...product, before, id: before?.id ?? newId() };
  });
  await overwriteProducts(
    tx,
    who,
    targets.flatMap(({ before, form, images, change }) => {
      if (!before) return [];
      const { sizes, colors, measurements } = form;
      const changes = changesBetween(before, { ...columnsOf(form), sizes, colors, measurements, images });
      return { before, form: { ...form, images }, change: `Changed by import: ${changes.join(', ') || change}` };
    }),
  );
  await rememberStock(tx, products, context.exported);
  const created = targets.flatMap(({ before, id, form: { measurements, ...form }, images, sheet }) =>
    before ? [] : { id, form, images, measurements, rowHash: hashes.get(sheet.row) },
  );
  await insertProducts(tx, who, created, 'Created by import');
  await rememberProducts(
    tx,
    created.flatMap(({ id, rowHash }) => (rowHash ? { rowHash, productId: id } : [])),
  );
  for (const { id, sheet, toFetch } of targets) await queuePictures(tx, id, imagesOf(sheet.cells), toFetch);
  return targets.map(({ id }) => id);
}
