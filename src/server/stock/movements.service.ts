import { sql } from 'kysely';
import { Problem } from '#contract/platform/problem.ts';
import { STOCK_REASONS, type StockReason } from '#contract/stock/reasons.ts';
import type { Movement, Movements } from '#contract/stock/stock.ts';
import type { Admin } from '#server/context/context.ts';
import type { Db } from '#server/platform/database/connect.ts';

/** Rows read at a time: a movement has one for the product and one for each of its sizes that moved. */
const ROWS_READ = 100;
/** The largest `bigint`. */
const LARGEST_ID = '9223372036854775807';

interface Row {
  id: string;
  at: string;
  /** `at` to the microsecond: the rows of one transaction share it. */
  moment: string;
  size: string | null;
  change: number;
  left: number;
  reason: StockReason;
  actor: string;
  note: string;
  orderId: string | null;
  reference: string | null;
  isHeld: boolean | null;
}

/** The movements of a product's stock, the latest first, from before the row `before`. Throws 404 for an unknown product. */
export async function listMovements(db: Db, _: Admin, id: string, before: string | undefined): Promise<Movements> {
  const isKnown = await db.selectFrom('products').select('id').where('id', '=', id).executeTakeFirst();
  if (!isKnown) throw new Problem(404, 'Product not found');
  const beforeId = /^\d{1,18}$/.test(before ?? '') ? before : null;
  const { rows } = await sql<Row>`
    select m.id::text as id, m.at, m.at::text as moment, m.size, m.change, m.balance as left, m.reason, m.actor, m.note, m.order_id, o.reference, o.order_state = 'awaiting_payment' as is_held
    from stock_movements m left join orders o on o.id = m.order_id
    where m.product_id = ${id} and m.id < coalesce(${beforeId}::bigint, ${LARGEST_ID}::bigint) order by m.id desc limit ${ROWS_READ + 1}`.execute(
    db,
  );
  const movements = grouped(rows.slice(0, ROWS_READ));
  const isMore = rows.length > ROWS_READ;
  // The last movement may be incomplete; the next page has all of it.
  if (isMore && movements.length > 1) movements.pop();
  return { movements, next: isMore ? (movements.at(-1)?.id ?? null) : null };
}

/** Groups adjacent rows of one transaction and one reason into a movement, whose id is that of its earliest row. */
function grouped(rows: readonly Row[]): Movement[] {
  const movements: (Movement & { key: string })[] = [];
  for (const { id, at, moment, size, change, left, actor, note, orderId, reference, ...row } of rows) {
    const key = JSON.stringify([moment, row.reason, actor, note, orderId]);
    let movement = movements.at(-1);
    if (movement?.key !== key) {
      const order = orderId && reference ? { _id: orderId, reference } : null;
      movement = { key, id, at, reason: reasonText(row), actor, note, order, count: null, sizes: [] };
      movements.push(movement);
    }
    movement.id = id;
    if (size === null) movement.count = { change, left };
    else movement.sizes.unshift({ size, change, left });
  }
  return movements.map(({ key: _, ...movement }) => movement);
}

const reasonText = ({ reason, isHeld }: Pick<Row, 'reason' | 'isHeld'>): string =>
  reason === 'order' && isHeld ? 'Held for a card payment' : STOCK_REASONS[reason];
