import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Bulk, BulkBody, BulkEdit, BulkReport } from '#contract/catalogue/bulk.ts';
import { reducedPrice } from '#contract/catalogue/sale.ts';
import { pounds } from '#contract/market/money.ts';
import { MAX_PRICE } from '#contract/platform/limits.ts';
import { Problem } from '#contract/platform/problem.ts';
import { deriveAttributes } from '#server/catalogue/attributes/derive.service.ts';
import { recordChanges } from '#server/context/audit.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { checkUndo, isUndoable, markUndone, UNDO_MS } from '#server/context/undo.ts';
import { isOneOf } from '#server/platform/database/arrays.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { rowsOf } from '#server/platform/database/rows-of.ts';
import { isId, newId } from '#server/platform/ids.ts';
import { conditionOfList } from './office-list.service.ts';
import { changesBetween, type HistoryValues } from './product-changes.ts';
import { queueGoingLive, stateColumns } from './product-state.service.ts';
import { changeSelected, countSelected, eachBatch, type Selected } from './selection.service.ts';

/** The most changes that a check reports in words. */
const MOST_EXAMPLES = 20;

type Needs = Pick<Services, 'db' | 'config'>;

/** The values that a change writes, and an undo writes back. */
type Values = Partial<Pick<Selected, 'category' | 'isNewArrival' | 'isRecommend' | 'state' | 'price' | 'sizes'>>;
interface Edited {
  product: Selected;
  before: Values;
  after: Values;
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
/** In the order of the product's keys, so that `isSame` can compare the texts. */
const valuesOf = (product: Selected, names: readonly string[]): Values =>
  Object.fromEntries(Object.entries(product).filter(([name]) => names.includes(name)));

/** The values of a product after a change. Throws 400 for a price beyond the limit. */
function valuesAfter(edit: BulkEdit, { name, price, sizes }: Selected): Values {
  switch (edit.kind) {
    case 'price': {
      const changedPrice = (before: number) => {
        const rounded = reducedPrice(before, -edit.percent, edit.rounding);
        // Rounding down must not turn a rise into a fall.
        const after = edit.percent > 0 ? Math.max(before, rounded) : rounded;
        if (after > MAX_PRICE) throw new Problem(400, `${name} would cost more than ${pounds(MAX_PRICE)}.`);
        return after;
      };
      return {
        price: changedPrice(price),
        // 0 stands for the product's price.
        ...(sizes.length > 0 && {
          sizes: sizes.map(({ size, price: sizePrice }) => ({ size, price: sizePrice === 0 ? 0 : changedPrice(sizePrice) })),
        }),
      };
    }
    case 'category':
      return { category: edit.category };
    case 'state':
      return { state: edit.state };
    case 'delete':
      return { state: 'deleted' };
    default:
      return { [edit.kind]: edit.isOn };
  }
}

/** The products that a change really changes. */
function editedBy(edit: BulkEdit, products: readonly Selected[]): Edited[] {
  return products.flatMap((product) => {
    const after = valuesAfter(edit, product);
    const before = valuesOf(product, Object.keys(after));
    return isSame(before, valuesOf({ ...product, ...after }, Object.keys(after))) ? [] : { product, before, after };
  });
}

/** A change in words for a history: `price from £10.00 to £11.00`. */
function changeText({ product, before, after }: Edited): string {
  const asSizes = (values: Values) => (values.sizes ?? []).map((size) => ({ ...size, quantity: 0, measurements: [] }));
  const earlier = { ...product, ...before, sizes: asSizes(before) } as unknown as HistoryValues;
  return changesBetween(earlier, { ...after, sizes: after.sizes && asSizes(after) } as Partial<HistoryValues>).join(', ');
}

/** The title of a change, for the list of changes that can be undone. */
function titleOf(edit: BulkEdit): string {
  switch (edit.kind) {
    case 'price':
      return `Prices ${Math.abs(edit.percent)} % ${edit.percent > 0 ? 'up' : 'down'}`;
    case 'category':
      return `Category “${edit.category}”`;
    case 'state':
      return edit.state === 'live' ? 'Shown in the shop' : 'Hidden';
    case 'delete':
      return 'Deleted';
    default:
      return `${edit.kind === 'isNewArrival' ? 'New arrival' : 'Recommended'}: ${edit.isOn ? 'yes' : 'no'}`;
  }
}

/** The condition of the selection, without deleted products. */
function whereOf(needs: Needs, { filters, products }: BulkBody): RawBuilder<SqlBool> {
  const where = products.length > 0 ? isOneOf(products.filter(isId)) : conditionOfList(needs, filters);
  return sql<SqlBool>`${where} and state <> 'deleted'`;
}

const EMPTY = 'No product is chosen. Choose some in the list, or change its filters.';

/** Reports the effect of a change of a selection. Throws 400 for an empty or too large selection. */
export async function checkBulkEdit(needs: Needs, _: Admin, body: BulkBody): Promise<BulkReport> {
  const { db } = needs;
  const where = whereOf(needs, body);
  const report: BulkReport = { total: await countSelected(db, where, EMPTY), changed: 0, examples: [] };
  for await (const products of eachBatch(db, where)) {
    const edited = editedBy(body.edit, products);
    report.changed += edited.length;
    const examples = edited.slice(0, MOST_EXAMPLES - report.examples.length);
    report.examples.push(...examples.map((one) => ({ _id: one.product.id, name: one.product.name, change: changeText(one) })));
  }
  return report;
}

/**
 * Changes a selection, in short transactions, and keeps the earlier values for an undo. Throws 400 for an empty or too large selection, and 409 if the
 * number of changes differs from the one that the check has reported.
 */
export async function editMany(needs: Needs, who: Admin, body: BulkBody): Promise<BulkReport> {
  const { db } = needs;
  const report = await checkBulkEdit(needs, who, body);
  if (report.changed !== body.expected)
    throw new Problem(
      409,
      `There ${report.changed === 1 ? 'is now 1 product' : `are now ${report.changed} products`} to change, not ${body.expected}. Please check again.`,
    );
  const bulk = { id: newId(), actor: who.name, change: titleOf(body.edit), undoUntil: new Date(Date.now() + UNDO_MS).toISOString() };
  await transactionOf(db, who, (tx) => tx.insertInto('bulkEdits').values(bulk).execute());
  const changed = await changeSelected(db, who, whereOf(needs, body), async (tx, products) => {
    const edited = editedBy(body.edit, products);
    await writeEdited(tx, who, edited, 'Changed in a selection');
    const rows = edited.map(({ product, before, after }) => ({ bulkEditId: bulk.id, productId: product.id, before, after }));
    await sql`insert into bulk_edit_products select * from ${rowsOf('bulkEditProducts', rows)}`.execute(tx);
    return edited.length;
  });
  return { ...report, changed };
}

/** Writes the values of locked products, and their histories. The caller keeps what depends on prices up to date. */
async function writeEdited(tx: Tx, who: Admin, edited: readonly Edited[], why: string): Promise<void> {
  const [first] = edited;
  if (!first) return;
  // A change writes the same columns of each product.
  const { price, sizes: _, ...columns } = first.after;
  const rows = edited.map(({ product, after: { state, sizes: __, ...after } }) => ({
    id: product.id,
    ...after,
    ...(state !== undefined && stateColumns({ state, liveFrom: product.liveFrom })),
  }));
  const sizes = edited.flatMap(({ product, after }) => (after.sizes ?? []).map((size) => ({ productId: product.id, ...size })));
  if (sizes.length > 0)
    await sql`
      update product_sizes s set price = case when s.regular_price is null then n.price else s.price end,
        regular_price = case when s.regular_price is not null then n.price end
      from ${rowsOf('productSizes', sizes)} as n where s.product_id = n.product_id and s.size = n.size`.execute(tx);
  const names = [...Object.keys(columns), ...(columns.state === undefined ? [] : ['deletedAt', 'successorId'])];
  const set = names.map((name) => sql`${sql.ref(name)} = n.${sql.ref(name)},`);
  // During a sale `price` is the sale price.
  const setPrice = sql`price = case when p.regular_price is null then n.price else p.price end,
    regular_price = case when p.regular_price is not null then n.price end,`;
  await sql`
    update products p set ${sql.join(set, sql` `)} ${price === undefined ? sql`` : setPrice} version = p.version + 1, updated_at = now()
    from ${rowsOf('products', rows)} as n where p.id = n.id`.execute(tx);
  if (columns.state !== undefined) {
    for (const { product, after } of edited) await queueGoingLive(tx, product.id, { state: after.state, liveFrom: product.liveFrom });
    await deriveAttributes(
      tx,
      edited.map(({ product }) => product.id),
    );
  }
  await recordChanges(
    tx,
    who,
    'product',
    edited.map((one) => ({ id: one.product.id, change: `${why}: ${changeText(one)}` })),
  );
}

/** The changes that can still be undone, newest first. */
export async function listBulkEdits(db: Db, _: Admin): Promise<Bulk[]> {
  const { rows } = await sql<Bulk>`
    select id as _id, actor, change, undo_until, made.products
    from bulk_edits cross join lateral (select count(*)::int as products from bulk_edit_products where bulk_edit_id = bulk_edits.id) as made
    where ${isUndoable} and made.products > 0
    order by created_at desc limit 20`.execute(db);
  return rows;
}

/**
 * Restores the earlier values of the products of a change, except for products that were edited since. Throws 404, and 409 if it is too late or already
 * undone.
 */
export async function undoBulkEdit(db: Db, who: Admin, id: string): Promise<{ undone: number; left: number }> {
  await checkUndo(db, 'bulk_edits', id, {
    unknown: 'Change not found',
    tooLate: 'A change can be undone for ten minutes. The history of each product keeps its old values.',
  });
  let left = 0;
  const where = sql<SqlBool>`id in (select product_id from bulk_edit_products where bulk_edit_id = ${id}::uuid)`;
  const undone = await changeSelected(db, who, where, async (tx, products) => {
    const entries = await tx
      .deleteFrom('bulkEditProducts')
      .where('bulkEditId', '=', id)
      .where(sql<SqlBool>`product_id = any(${products.map((product) => product.id)}::uuid[])`)
      .returning(['productId', 'before', 'after'])
      .execute();
    const byProduct = new Map(entries.map(({ productId, ...values }) => [productId, values]));
    const edited = products.flatMap((product): Edited[] => {
      const values = byProduct.get(product.id);
      if (!values) return [];
      // An undo is a change in the other direction.
      const [before, after] = [values.after as Values, values.before as Values];
      const names = Object.keys(after);
      return isSame(valuesOf(product, names), valuesOf({ ...product, ...before }, names)) ? [{ product, before, after }] : [];
    });
    left += entries.length - edited.length;
    await writeEdited(tx, who, edited, 'Undone');
    return edited.length;
  });
  await transactionOf(db, who, (tx) => markUndone(tx, 'bulk_edits', id));
  return { undone, left };
}

/** Deletes changes that can no longer be undone (a daily job). */
export async function removeOldBulkEdits(db: Db): Promise<void> {
  await sql`delete from bulk_edits where undo_until < now() - interval '1 day'`.execute(db);
}
