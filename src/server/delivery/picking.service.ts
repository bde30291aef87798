import { type Expression, type SqlBool, sql } from 'kysely';
import { colourNameOf } from '#contract/catalogue/colour.ts';
import { cashUpTo } from '#contract/delivery/cash-on-delivery.ts';
import type { PickingList, Slips } from '#contract/delivery/dispatch.ts';
import { alikeAsOne } from '#contract/orders/alike.ts';
import { STEPS } from '#contract/orders/steps.ts';
import type { Admin } from '#server/context/context.ts';
import { type LineOfPieces, readPiecesOf } from '#server/orders/lines/parcels.service.ts';
import { readTagsOf } from '#server/orders/office/tags.ts';
import { selectOrders, summaryOf } from '#server/orders/read.service.ts';
import { referenceIn } from '#server/orders/rules/reference.ts';
import { inState, refundedWhole, sendable } from '#server/orders/rules/states.ts';
import { isOneOf } from '#server/platform/database/arrays.ts';
import type { Db } from '#server/platform/database/connect.ts';

/** The most orders on one print. */
const MOST = 200;

/** Orders with pieces still on the shelves. What could not be delivered was picked before. */
const onShelf = sql<SqlBool>`(${inState('placed', 'packing', 'partly_dispatched')} and ${sendable} and not ${refundedWhole})`;
/** Orders with pieces that may leave. */
const dispatchable = sql<SqlBool>`(${inState(...STEPS.dispatch.from)} and ${sendable})`;

/**
 * The ids of the oldest orders of a list that suit, the number of `others`, which do not, and of `more`, for which one print has no room. `chosen` narrows
 * the list to these references, separated by commas.
 */
async function choose(
  db: Db,
  filter: Expression<SqlBool>,
  chosen: string | undefined,
  suits: Expression<SqlBool>,
): Promise<{ ids: string[]; others: number; more: number }> {
  const references = (chosen ?? '').split(',').flatMap((text) => referenceIn(text) ?? []);
  const where = chosen === undefined ? filter : sql<SqlBool>`(${filter} and reference = any(${references}::text[]))`;
  const { rows } = await sql<{ ids: string[]; suiting: number; all: number }>`
    select array(select id from orders where ${where} and ${suits} order by created_at, id limit ${sql.lit(MOST)}) as ids,
      count(*) filter (where ${suits})::int as suiting, count(*)::int as all from orders where ${where}`.execute(db);
  const { ids, suiting, all } = rows[0] ?? { ids: [], suiting: 0, all: 0 };
  return { ids, others: all - suiting, more: suiting - ids.length };
}

const compare = new Intl.Collator('en-GB', { numeric: true }).compare;
const kindOf = ({ name, size, color, isColourOpen }: LineOfPieces) => [name, size ?? '', color ?? '', isColourOpen ? 'open' : ''];

const pieceOf = ({ name, size, color, colourName, isColourOpen, sku, unsent }: LineOfPieces) => ({
  name,
  size,
  colourName: colourNameOf(color, colourName),
  isColourOpen,
  sku,
  qty: unsent,
});

type PickedOrder = PickingList['pieces'][number]['orders'][number];
const referenceOf = ({ reference }: PickedOrder) => [reference];
const addUp = (one: PickedOrder, other: PickedOrder): PickedOrder => ({ ...one, qty: one.qty + other.qty });

/** What to pick for the orders of a list, by product, size and colour, with their orders. Parts of sets are listed beside the same product bought alone. */
export async function readPickingList(db: Db, _: Admin, filter: Expression<SqlBool>, chosen?: string): Promise<PickingList> {
  const { ids, ...counts } = await choose(db, filter, chosen, onShelf);
  const references = await referencesOf(db, ids);
  const tags = await readTagsOf(db, 'order_id', ids);
  const lines = (await readPiecesOf(db, ids)).filter(({ unsent }) => unsent > 0);
  // The shortest name of a product: as a part of a set it begins with the name of the set.
  const ownNames = new Map(
    lines.toSorted((one, other) => other.name.length - one.name.length).map(({ productId, name }) => [productId, name]),
  );
  const byKind = new Map<string, { ownName: string; piece: PickingList['pieces'][number] }>();
  for (const line of lines) {
    const key = JSON.stringify([line.productId, ...kindOf(line)]);
    const counted = byKind.get(key)?.piece ?? { ...pieceOf(line), qty: 0, image: line.image, orders: [] };
    const orders = [
      ...counted.orders,
      { reference: references.get(line.orderId) ?? '', qty: line.unsent, tags: tags.get(line.orderId) ?? [] },
    ];
    const piece = { ...counted, qty: counted.qty + line.unsent, orders: alikeAsOne(orders, referenceOf, addUp) };
    byKind.set(key, { ownName: ownNames.get(line.productId) ?? '', piece });
  }
  const sorted = [...byKind.values()]
    .map(({ ownName, piece }) => ({ piece, key: [ownName, piece.size ?? '', piece.colourName ?? '', piece.name].join('\n') }))
    .sort((one, other) => compare(one.key, other.key));
  return { ...counts, orders: ids.length, pieces: sorted.map(({ piece }) => piece) };
}

async function referencesOf(db: Db, ids: string[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom('orders').select(['id', 'reference']).where(isOneOf(ids)).execute();
  return new Map(rows.map(({ id, reference }) => [id, reference]));
}

/** The packing slips of the orders of a list, the oldest first, each with what is left to be sent. */
export async function readSlips(db: Db, _: Admin, filter: Expression<SqlBool>, chosen?: string): Promise<Slips> {
  const { ids, ...counts } = await choose(db, filter, chosen, dispatchable);
  const pieces = await readPiecesOf(db, ids);
  const rows = await selectOrders(db).where(isOneOf(ids)).orderBy('createdAt').orderBy('id').execute();
  const slips = rows.map((row) => {
    const order = summaryOf(row);
    const lines = pieces.filter(({ orderId }) => orderId === row._id);
    const sent = lines.map(({ position, left, unsent }) => ({ line: position, qty: left - unsent }));
    const amountDue = order.amountDue - cashUpTo(order.amountDue, order.orderItems, sent);
    return { ...order, amountDue, lines: lines.filter(({ unsent }) => unsent > 0).map(pieceOf) };
  });
  return { ...counts, slips };
}
