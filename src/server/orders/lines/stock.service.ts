import { sql } from 'kysely';
import type { Colour } from '#contract/catalogue/catalogue.ts';
import { readSetParts } from '#contract/catalogue/set-parts.ts';
import type { Shown } from '#contract/catalogue/shown-picture.ts';
import type { VatClass } from '#contract/invoices/vat.ts';
import { isTouchedBy, LOCK_ORDER } from '#server/catalogue/lock-order.ts';
import type { Services } from '#server/context/services.ts';
import { type StockCause, setCauseSql } from '#server/context/stock-cause.ts';
import { recordMovedStock } from '#server/platform/cache/catalogue-changes.ts';
import { arrayOf } from '#server/platform/database/arrays.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { productPath, tellStaff } from '#server/staff-notices/notices.service.ts';

/** Pieces of a product, and of one of its sizes where the line names one. */
export interface Pieces {
  productId: string;
  size: string | null;
  qty: number;
}

const partIds = (setParts: string): string[] => (readSetParts(setParts) ?? []).map(({ _id }) => _id);

/** A product whose price and stock are locked until commit. */
export interface LockedProduct {
  id: string;
  name: string;
  category: string;
  brand: string;
  images: string[];
  /** The size and colour on each picture, by its URL. */
  shown: Record<string, Shown>;
  price: number;
  countInStock: number;
  /** The most pieces that count as low; null for the shop's number. */
  lowStock?: number | null;
  vatClass: VatClass;
  leadWeeks: number | null;
  readyFrom: string | null;
  colors: Colour[];
  sku?: string;
  /** What it is made of, if it is a set; the parts are locked with it. */
  setParts?: string;
  sizes: { size: string; quantity: number; price: number; sku?: string }[];
}

/**
 * Locks products, the parts of those that are sets, and the sets whose stock follows, parts before sets and each in key order, so that orders with crossed
 * lines cannot deadlock. Every change of stock, also of a size's, takes this lock first. Returns the products and the parts, without deleted ones. Begins
 * again once (`isAgain`) if parts of a set were changed during the wait. It then has the set already when it locks the new parts: PostgreSQL ends a deadlock
 * with an order of one of those, which is sent again.
 */
export async function lockProducts(tx: Tx, ids: string[], isAgain = false): Promise<Map<string, LockedProduct>> {
  // `touched` also has the sets whose stock follows, which are only locked, and deleted products.
  const { rows: touched } = await sql<LockedProduct & { isLive: boolean }>`
    select id, name, category, brand, images, shown, price, count_in_stock, low_stock, vat_class, lead_weeks, ready_from, sku, '[]'::json as sizes, colors, set_parts,
      deleted_at is null as is_live
    from products where ${isTouchedBy(ids)} order by ${LOCK_ORDER} for update`.execute(tx);
  const asked = touched.filter(({ id }) => ids.includes(id));
  const wanted = new Set([...ids, ...asked.flatMap(({ setParts = '' }) => partIds(setParts))]);
  const rows = touched.filter(({ id, isLive }) => isLive && wanted.has(id));
  const locked = new Map(rows.map(({ isLive: _, ...row }) => [row.id, row as LockedProduct]));
  // A second statement, whose snapshot comes after the wait for the lock: that of the first could hold old sizes, or old parts of sets.
  const { rows: sizes } = await sql<LockedProduct['sizes'][number] & { productId: string | null; isChanged: boolean }>`
    select product_id, size, quantity, price, sku, is_changed
    from (select not with_sets(${arrayOf(ids, 'uuid')}) <@ ${arrayOf([...ids, ...touched.map(({ id }) => id)], 'uuid')} as is_changed) now
      left join product_sizes on product_id = any(${arrayOf([...locked.keys()], 'uuid')}) order by product_id, position`.execute(tx);
  if (sizes[0]?.isChanged && !isAgain) return lockProducts(tx, ids, true);
  for (const { productId, isChanged: _, ...size } of sizes) locked.get(productId ?? '')?.sizes.push(size);
  return locked;
}

/** Whether the size of a row of `pieces` still exists, or its product has no sizes. Other pieces would come back as stock that nobody can buy. */
const hasPlace = sql`(exists (select from product_sizes same where same.product_id = pieces.product_id and same.size = pieces.size)
  or not exists (select from product_sizes every where every.product_id = pieces.product_id))`;

/**
 * Takes pieces from products and sizes, or with a sign of 1 returns those that have a place. A constraint refuses stock below 0. Triggers write the ledger with
 * the cause, and keep the stock of sets. `pieces` reads `cause`, so that it is set before any row moves: PostgreSQL runs no `select` in `with` that nothing
 * reads. `crossed`: the product or a size of it sold out (0 are left), or came back into stock (only the pieces that came are there).
 */
async function moveStock(tx: Tx, pieces: Pieces[], sign: 1 | -1, cause: StockCause): Promise<void> {
  const ids = pieces.map(({ productId }) => productId);
  const sizes = pieces.map(({ size }) => size);
  const quantities = pieces.map(({ qty }) => qty * sign);
  await sql`
    with cause as materialized (select ${setCauseSql(cause)}),
    pieces as (select m.* from cause, unnest(${arrayOf(ids, 'uuid')}, ${arrayOf(sizes, 'text')}, ${arrayOf(quantities, 'int')}) as m (product_id, size, qty)),
    per_size as (select product_id, size, sum(qty)::int as qty from pieces where size is not null group by product_id, size),
    per_product as (select product_id, sum(qty)::int as qty from pieces where ${sign === -1 || hasPlace} group by product_id),
    sizes_moved as (update product_sizes s set quantity = s.quantity + m.qty from per_size m where s.product_id = m.product_id and s.size = m.size
      returning s.product_id, s.quantity = 0 or s.quantity = m.qty as crossed),
    moved as (update products p set count_in_stock = p.count_in_stock + m.qty from per_product m where p.id = m.product_id
      returning p.id, p.count_in_stock = 0 or p.count_in_stock = m.qty or p.id in (select product_id from sizes_moved where crossed) as crossed)
    ${recordMovedStock}`.execute(tx);
}

/** Takes an order's pieces from products that are locked and have enough of them. Tells the staff about those that are low now. */
export async function takeStock(
  tx: Tx,
  services: Pick<Services, 'config'>,
  orderId: string,
  products: ReadonlyMap<string, LockedProduct>,
  pieces: Pieces[],
): Promise<void> {
  await moveStock(tx, pieces, -1, { reason: 'order', order: orderId });
  for (const { id, name, countInStock: before, lowStock } of products.values()) {
    const level = lowStock ?? services.config.staff.lowStock;
    const now = pieces.reduce((left, { productId, qty }) => (productId === id ? left - qty : left), before);
    const isNewlyLow = now <= level && before > level;
    // `products` may have others, of which nothing was taken.
    if (now < before && (isNewlyLow || now === 0))
      await tellStaff(tx, services, {
        event: 'stock',
        text: now === 0 ? `${name} is sold out` : `Only ${now} of ${name} left`,
        path: productPath(id),
      });
  }
}

/** Changes the stock of locked products. `qty` may be negative, but no stock falls below 0. Pieces without a place (`hasPlace`) change nothing. */
export async function correctStock(tx: Tx, pieces: Pieces[], cause: StockCause): Promise<void> {
  await moveStock(tx, pieces, 1, cause);
}

/**
 * Locks the products of pieces, in the order of all locks. PostgreSQL locks a line's product as well when a transaction updates the line twice, so steps that do
 * lock all products first.
 */
export async function lockForPieces(tx: Tx, pieces: Pick<Pieces, 'productId'>[]): Promise<void> {
  const ids = pieces.map(({ productId }) => productId);
  await sql`select id from products where ${isTouchedBy(ids)} order by ${LOCK_ORDER} for update`.execute(tx);
}

/** Returns pieces of an order to stock, also of deleted products. Pieces without a place in it (`hasPlace`) are noted in the order's history for staff. */
export async function giveStockBack(tx: Tx, orderId: string, pieces: Pieces[], cause: Omit<StockCause, 'order'>): Promise<void> {
  await lockForPieces(tx, pieces);
  await moveStock(tx, pieces, 1, { ...cause, order: orderId });
  await noteStrays(tx, orderId, pieces);
}

/** Takes pieces off an order, and restocks them unless they are missing or cannot be sold. */
export async function cancelPieces(
  tx: Tx,
  orderId: string,
  lines: (Pieces & { position: number })[],
  { actor, isRestocked }: { actor: string; isRestocked: boolean },
): Promise<void> {
  for (const { position, qty } of lines)
    await tx
      .updateTable('orderItems')
      .set((eb) => ({ cancelledQty: eb('cancelledQty', '+', qty) }))
      .where('orderId', '=', orderId)
      .where('position', '=', position)
      .execute();
  await (isRestocked ? giveStockBack(tx, orderId, lines, { reason: 'cancelled', actor }) : lockForPieces(tx, lines));
}

/** Pieces of what has become a set are strays too: a trigger keeps its stock at that of its parts. */
async function noteStrays(tx: Tx, orderId: string, pieces: Pieces[]): Promise<void> {
  const [ids, sizes, quantities] = [pieces.map(({ productId }) => productId), pieces.map(({ size }) => size), pieces.map(({ qty }) => qty)];
  await sql`
    insert into order_events (order_id, kind, actor, detail)
    select ${orderId}::uuid, 'not back in stock', 'The shop', string_agg(pieces.qty || ' × ' || products.name || coalesce(' (' || pieces.size || ')', ''), ', ')
      || case when products.set_parts = '' then '. The product no longer has this size: add the pieces to another one'
        else '. The product is a set now, and has the stock of its parts' end
    from unnest(${arrayOf(ids, 'uuid')}, ${arrayOf(sizes, 'text')}, ${arrayOf(quantities, 'int')}) as pieces (product_id, size, qty)
    join products on products.id = pieces.product_id
    where products.set_parts <> '' or not ${hasPlace} group by products.set_parts = ''`.execute(tx);
}
