import { type Expression, type SqlBool, sql } from 'kysely';
import type { Batch } from '#contract/delivery/dispatch.schema.ts';
import type { TransportWish } from '#contract/delivery/dispatch.ts';
import { Problem } from '#contract/platform/problem.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { checkUndo, isUndoable, markUndone, UNDO_MS } from '#server/context/undo.ts';
import { markDelivery } from '#server/orders/fulfil.service.ts';
import { ready } from '#server/orders/rules/states.ts';
import { lockListed, lockOrders } from '#server/orders/transitions.service.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { newId } from '#server/platform/ids.ts';
import { checkDay, type ListedTransport, sendParcelOf, withListedCarrier } from './dispatch.service.ts';
import { takeBackDispatch } from './stages.service.ts';

type Needs = Pick<Services, 'db'>;

/** The most orders in one batch. */
const MOST = 1_000;
/** Orders locked at a time, so that somebody who opens one does not wait for all. */
const CHUNK = 50;

/** How many orders of a condition one batch would dispatch, how many would be left for later batches, and how many are not ready. */
export async function countReady(db: Db, _: Admin, where: Expression<SqlBool>): Promise<{ orders: number; later: number; others: number }> {
  const { rows } = await sql<{ all: number; others: number }>`
    select count(*) filter (where ${ready})::int as all, count(*) filter (where not ${ready})::int as others from orders where ${where}`.execute(
    db,
  );
  const { all, others } = rows[0] ?? { all: 0, others: 0 };
  return { orders: Math.min(all, MOST), later: Math.max(0, all - MOST), others };
}

/**
 * Dispatches the orders of a condition that are ready, the oldest 1,000 at most. Their mails leave after the undo window. Throws 409 if their number
 * is no longer the expected one.
 */
export async function dispatchAll(
  { db, config }: Pick<Services, 'db' | 'config'>,
  who: Admin,
  where: Expression<SqlBool>,
  { expected, carrier, expectedOn }: Pick<TransportWish, 'carrier' | 'expectedOn'> & { expected: number },
): Promise<Batch> {
  checkDay(expectedOn);
  const { rows } = await sql<{ id: string }>`
    select id from orders where ${where} and ${ready} order by created_at, id limit ${MOST}`.execute(db);
  if (rows.length !== expected)
    throw new Problem(
      409,
      `There are now ${rows.length === 1 ? '1 order' : `${rows.length} orders`}, not ${expected}. Please check again.`,
    );
  const transport = withListedCarrier(config.carriers, { carrier, expectedOn, trackingNumber: '', trackingLink: '' });
  const { batch } = await sendAll(
    { db, config },
    who,
    rows.map(({ id }) => ({ id, transport })),
  );
  if (!batch) throw new Problem(409, 'None of these orders can be dispatched any more.');
  return batch;
}

/**
 * Dispatches orders as one batch, in short transactions, each with its own transport. Returns the batch and the ids of the orders that left; no batch
 * if none was ready any more.
 */
export async function sendAll(
  { db, config }: Pick<Services, 'db' | 'config'>,
  who: Admin,
  loads: readonly { id: string; transport: ListedTransport }[],
): Promise<{ batch: Batch | undefined; sent: ReadonlySet<string> }> {
  const batch = { id: newId(), actor: who.name, undoUntil: new Date(Date.now() + UNDO_MS).toISOString() };
  if (loads.length > 0) await transactionOf(db, who, (tx) => tx.insertInto('dispatchBatches').values(batch).execute());
  const dispatched = await inChunks(
    db,
    who,
    loads.map(({ id: orderId, transport }) => ({ orderId, transport })),
    (tx, { orderId, transport }) => sendReady(tx, { config }, who, orderId, transport, batch),
  );
  const sent = new Set(dispatched.map(({ orderId }) => orderId));
  const [made] = sent.size > 0 ? await listOpen(db, batch.id) : [];
  return { batch: made, sent };
}

/** Dispatches an order if it is still ready. Returns whether it left. */
async function sendReady(
  tx: Tx,
  services: Pick<Services, 'config'>,
  who: Admin,
  id: string,
  transport: ListedTransport,
  batch: { id: string; undoUntil: string },
): Promise<boolean> {
  const order = await lockListed(tx, id);
  if (!(await tx.selectFrom('orders').select('id').where('id', '=', id).where(ready).executeTakeFirst())) return false;
  await sendParcelOf(tx, services, who, order, transport, { runAt: batch.undoUntil, batchId: batch.id });
  return true;
}

/** Whether this batch made an order's current delivery: both have the time of one transaction. */
const deliveredInBatch = sql<SqlBool>`orders.delivered_at = batch.created_at`;

/** Batches that can still be undone, newest first. */
export const listBatches = async ({ db }: Needs, _: Admin): Promise<Batch[]> => listOpen(db);

async function listOpen(db: Db, id: string | null = null): Promise<Batch[]> {
  const { rows } = await sql<Batch>`
    select batch.id as _id, kind, created_at, batch.actor, undo_until, made.orders
    from dispatch_batches batch cross join lateral (
      select 'dispatch' as kind, count(*)::int as orders from parcels where batch_id = batch.id and status = 'sent'
      union all
      select 'delivery', count(*)::int from delivery_notices notice join orders on orders.id = order_id
      where batch_id = batch.id and ${deliveredInBatch}
    ) made
    where ${isUndoable} and made.orders > 0 and (${id}::uuid is null or batch.id = ${id}::uuid)
    order by created_at desc limit 20`.execute(db);
  return rows;
}

/**
 * Undoes a batch, except for orders that have changed since. Throws 404, and 409 if the mails have left or it is already undone.
 */
export async function undoBatch(
  services: Needs & Pick<Services, 'config'>,
  who: Admin,
  id: string,
): Promise<{ dispatched: number; delivered: number }> {
  const { db } = services;
  await checkUndo(db, 'dispatch_batches', id, {
    unknown: 'Dispatch not found',
    tooLate: 'The emails have already been sent. Please take the orders back one by one.',
  });
  const parcels = await db.selectFrom('parcels').select(['id', 'orderId']).where('batchId', '=', id).orderBy('orderId').execute();
  const deliveries = await db.selectFrom('deliveryNotices').select('orderId').where('batchId', '=', id).orderBy('orderId').execute();
  const dispatched = await inChunks(db, who, parcels, (tx, parcel) => takeBackParcel(tx, who, parcel));
  const delivered = await inChunks(db, who, deliveries, (tx, { orderId }) => takeBackDelivery(tx, services, who, orderId, id));
  await transactionOf(db, who, (tx) => markUndone(tx, 'dispatch_batches', id));
  return { dispatched: dispatched.length, delivered: delivered.length };
}

/** Does something to each of many orders, in short transactions. Returns the rows for which it did. */
async function inChunks<T extends { orderId: string }>(
  db: Db,
  who: Admin,
  rows: readonly T[],
  work: (tx: Tx, row: T) => Promise<boolean>,
): Promise<T[]> {
  const done: T[] = [];
  for (let start = 0; start < rows.length; start += CHUNK) {
    const chunk = rows.slice(start, start + CHUNK);
    const doneInChunk = await transactionOf(db, who, async (tx) => {
      const changed: T[] = [];
      await lockOrders(
        tx,
        chunk.map(({ orderId }) => orderId),
      );
      for (const row of chunk) if (await work(tx, row)) changed.push(row);
      return changed;
    });
    done.push(...doneInChunk);
  }
  return done;
}

/** Takes a delivery of a batch back, unless it was taken back and delivered again since. */
async function takeBackDelivery(
  tx: Tx,
  services: Pick<Services, 'config'>,
  who: Admin,
  orderId: string,
  batchId: string,
): Promise<boolean> {
  const order = await lockListed(tx, orderId);
  const { rows } = await sql`
    select from orders, dispatch_batches batch where orders.id = ${orderId} and batch.id = ${batchId} and ${deliveredInBatch}`.execute(tx);
  return order.status === 'delivered' && rows.length > 0 && markDelivery(tx, services, who, orderId, false);
}

/** Takes a parcel of a batch back, unless it has changed or its mail has left. */
async function takeBackParcel(tx: Tx, who: Admin, { id, orderId }: { id: string; orderId: string }): Promise<boolean> {
  const order = await lockListed(tx, orderId);
  const parcel = await tx.selectFrom('parcels').select(['status', 'toldAt']).where('id', '=', id).executeTakeFirst();
  const isOnTheWay = order.status === 'dispatched' || order.status === 'partly_dispatched';
  if (!isOnTheWay || parcel?.status !== 'sent' || parcel.toldAt !== null) return false;
  await takeBackDispatch(tx, who, order, id);
  return true;
}
