import { type SqlBool, sql } from 'kysely';
import type { Measurement, Product, ProductFields, Size } from '#contract/catalogue/catalogue.ts';
import { columnsOf } from '#contract/catalogue/product-fields.ts';
import type { Shown } from '#contract/catalogue/shown-picture.ts';
import { Problem } from '#contract/platform/problem.ts';
import { recordChange, recordChanges } from '#server/context/audit.ts';
import type { Admin } from '#server/context/context.ts';
import { arrayOf } from '#server/platform/database/arrays.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { rowsOf } from '#server/platform/database/rows-of.ts';
import type { ProductRow } from './import/product-csv.ts';
import { queueGoingLive, stateColumns } from './product-state.service.ts';

/** Writes locked products and their sizes. The database updates what it derives from prices and stock once at the end, instead of after each row. */
export async function inBatch(tx: Tx, ids: readonly string[], write: () => Promise<void>): Promise<void> {
  await sql`select set_config('shop.batch', 'on', true)`.execute(tx);
  await write();
  await sql`select finish_batch(${arrayOf(ids, 'uuid')})`.execute(tx);
}

/**
 * The usual price behind a typed one. The specified form shows the sale price, which changes nothing if it is sent back unchanged; also after the sale's
 * end, if that was so lately that the form may have been filled before it.
 */
export function usualPriceOf(
  typed: number,
  stored: { price: number; regularPrice: number | null; salePrice: number | null } | undefined,
  hasSaleJustEnded: boolean,
): number {
  if (stored?.regularPrice != null && typed === stored.price) return stored.regularPrice;
  return stored && hasSaleJustEnded && typed === stored.salePrice ? stored.price : typed;
}

/** The sizes that a product has from now on. */
export interface NewSizes {
  productId: string;
  /** A size without `model` keeps its model. */
  sizes: readonly (Size & { model?: string | null | undefined })[];
}

const COLUMNS_OF_SIZE = ['quantity', 'price', 'regularPrice', 'measurements', 'sku', 'barcode', 'weight', 'costPrice', 'model'] as const;

/**
 * Writes the sizes of products. A size of the same name keeps its sale price; unchanged sizes are not written. The caller refreshes the prices. `isEcho`:
 * the form may send sale prices back (`usualPriceOf`).
 */
export async function writeSizes(tx: Tx, lists: readonly NewSizes[], { isEcho = false, hasSaleJustEnded = false } = {}): Promise<void> {
  for (const { sizes } of lists)
    if (new Set(sizes.map(({ size }) => size)).size < sizes.length)
      throw new Problem(400, 'Two sizes have the same name.', { sizes: 'Two sizes have the same name.' });
  const ids = lists.map(({ productId }) => productId);
  const existing = await tx
    .selectFrom('productSizes')
    .select(['productId', 'position', 'size', 'salePrice', ...COLUMNS_OF_SIZE])
    .where(sql<SqlBool>`product_id = any(${arrayOf(ids, 'uuid')})`)
    .execute();
  const keyOf = ({ productId, size }: { productId: string; size: string }) => `${productId} ${size}`;
  const before = new Map(existing.map((size) => [keyOf(size), size]));
  const rows = lists.flatMap(({ productId, sizes }) =>
    sizes.map(({ size, quantity, price, measurements, sku, barcode, weight, costPrice, model }, position) => {
      const kept = before.get(keyOf({ productId, size }));
      const usualPrice = isEcho ? usualPriceOf(price, kept, hasSaleJustEnded) : price;
      const isOnSale = kept?.regularPrice != null;
      return {
        productId,
        position,
        size,
        quantity,
        // During a sale `price` is the sale price.
        price: isOnSale ? kept.price : usualPrice,
        regularPrice: isOnSale ? usualPrice : null,
        measurements,
        sku: sku ?? kept?.sku ?? '',
        barcode: barcode ?? kept?.barcode ?? '',
        weight: weight === undefined ? (kept?.weight ?? null) : weight,
        costPrice: costPrice === undefined ? (kept?.costPrice ?? null) : costPrice,
        model: model === undefined ? (kept?.model ?? null) : model || null,
      };
    }),
  );
  const wanted = new Set(rows.map(keyOf));
  const removed = existing.filter((size) => !wanted.has(keyOf(size))).map(({ productId, size }) => ({ productId, size }));
  if (removed.length > 0)
    await sql`
      delete from product_sizes s using ${rowsOf('productSizes', removed)} as removed
      where s.product_id = removed.product_id and s.size = removed.size`.execute(tx);
  const isMoved = (row: (typeof rows)[number]) => {
    const kept = before.get(keyOf(row));
    return kept !== undefined && kept.position !== row.position;
  };
  const reordered = new Set(rows.filter(isMoved).map(({ productId }) => productId));
  // Positions move aside first, so that sizes can swap them. The rows stay, so that the stock ledger has only real movements.
  if (reordered.size > 0)
    await tx
      .updateTable('productSizes')
      .set({ position: sql`-1 - position` })
      .where(sql<SqlBool>`product_id = any(${arrayOf([...reordered], 'uuid')})`)
      .execute();
  const changed = rows.filter((row) => {
    const kept = before.get(keyOf(row));
    if (!kept || reordered.has(row.productId)) return true;
    return COLUMNS_OF_SIZE.some((column) => JSON.stringify(kept[column]) !== JSON.stringify(row[column]));
  });
  if (changed.length === 0) return;
  const columns = (['position', ...COLUMNS_OF_SIZE] as const).map((column) => sql.ref(column));
  await sql`
    insert into product_sizes (product_id, size, ${sql.join(columns)})
    select product_id, size, ${sql.join(columns)} from ${rowsOf('productSizes', changed)}
    on conflict (product_id, size) do update set (${sql.join(columns)}) = (${sql.join(columns.map((column) => sql`excluded.${column}`))})`.execute(
    tx,
  );
}

/** A new product, with values beyond its form. */
export interface NewProduct {
  id: string;
  form: ProductFields;
  images: readonly string[];
  shown?: Record<string, Shown>;
  model?: Product['model'];
  measurements?: Measurement[];
}

/** Inserts products. The caller's transaction also derives their attributes and records the change of the catalogue. */
export async function insertProducts(tx: Tx, who: Admin, products: readonly NewProduct[], change: string): Promise<void> {
  if (products.length === 0) return;
  const rows = products.map(({ id, form, images, shown = {}, model, measurements = [] }) => ({
    id,
    ...columnsOf(form),
    ...stateColumns(form),
    colors: JSON.stringify(form.colors),
    measurements: JSON.stringify(measurements),
    images: [...new Set(images)],
    shown: JSON.stringify(shown),
    model,
  }));
  const ids = products.map(({ id }) => id);
  await inBatch(tx, ids, async () => {
    await tx.insertInto('products').values(rows).execute();
    await writeSizes(
      tx,
      products.map(({ id, form: { sizes } }) => ({ productId: id, sizes })),
    );
  });
  for (const { id, form } of products) await queueGoingLive(tx, id, form);
  await recordChange(tx, who, 'product', ids, change);
}

/** An existing product and its new values. */
export interface Overwritten {
  before: ProductRow;
  form: ProductFields & Pick<Product, 'measurements' | 'images'>;
  /** The entry in its history. */
  change: string;
}

/** The columns of a product that change. */
function changedColumns({ before, form: { sizes: _, ...form } }: Overwritten): Record<string, unknown> {
  const { colors, measurements, images } = form;
  const { state, deletedAt } = stateColumns(form);
  const isNewState = state !== undefined && state !== before.state;
  const after = { ...columnsOf(form), colors, measurements, images, state: isNewState ? state : undefined };
  const changed = Object.entries(after).filter(
    ([column, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(before[column as keyof ProductRow]),
  );
  return { ...Object.fromEntries(changed), ...(isNewState && { deletedAt }) };
}

/**
 * Writes the fields of locked products, in one statement with the columns that change in any of them. The caller's transaction also derives their
 * attributes and records the change of the catalogue.
 */
export async function overwriteProducts(tx: Tx, who: Admin, products: readonly Overwritten[]): Promise<void> {
  if (products.length === 0) return;
  const changes = products.map(changedColumns);
  const columns = new Set(changes.flatMap((change) => Object.keys(change)));
  const copiedColumns = [...columns].filter((column) => column !== 'price' && column !== 'deletedAt');
  const sentColumns = new Set(['id', 'price', 'countInStock', ...columns]);
  const rows = products.map(({ before }, place) =>
    Object.fromEntries(Object.entries({ ...before, ...changes[place] }).filter(([column]) => sentColumns.has(column))),
  );
  const ids = products.map(({ before }) => before.id);
  await inBatch(tx, ids, async () => {
    await writeSizes(
      tx,
      products.map(({ before, form: { sizes } }) => ({ productId: before.id, sizes })),
    );
    const set = copiedColumns.map((column) => sql`${sql.ref(column)} = n.${sql.ref(column)},`);
    // Only if a state changes: a product that was not live keeps its time.
    const deletedAt = columns.has('state') ? sql`deleted_at = case when n.state = p.state then p.deleted_at else n.deleted_at end,` : sql``;
    // During a sale `price` is the sale price. The end of the batch updates what depends on sales.
    // `stock_level` stops at 6, one more than the stock that counts as low.
    await sql`
      update products p set ${sql.join(set, sql` `)} ${deletedAt} version = p.version + 1, updated_at = now(),
        price = case when p.regular_price is null then n.price else p.price end,
        regular_price = case when p.regular_price is not null then n.price end,
        (from_price, stock_level, is_available) = (
          select coalesce(min(coalesce(nullif(s.price, 0), n.price)), n.price), least(n.count_in_stock, sum(s.quantity), 6),
            least(n.count_in_stock, sum(s.quantity), 6) > 0
          from product_sizes s where s.product_id = p.id)
      from ${rowsOf('products', rows)} as n where p.id = n.id`.execute(tx);
  });
  for (const { before, form } of products) await queueGoingLive(tx, before.id, form);
  await recordChanges(
    tx,
    who,
    'product',
    products.map(({ before: { id }, change }) => ({ id, change })),
  );
}
