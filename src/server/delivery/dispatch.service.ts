import { sql } from 'kysely';
import { carrierName, trackingUrl } from '#contract/delivery/carriers.ts';
import type { ParcelWish, TransportWish } from '#contract/delivery/dispatch.ts';
import { shopDay } from '#contract/market/shop-time.ts';
import type { Order } from '#contract/orders/orders.ts';
import { Problem } from '#contract/platform/problem.ts';
import { recordChange } from '#server/context/audit.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { mergePieces, piecesText, readPieces } from '#server/orders/lines/parcels.service.ts';
import { readOrder } from '#server/orders/read.service.ts';
import { change, type LockedOrder, lockListed, recordEvent } from '#server/orders/transitions.service.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { isId, newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';

type Needs = Pick<Services, 'db'>;

const YEAR_MS = 365 * 86_400_000;

/** How a parcel travels, in words, for the history: `DPD, 155 012 345, expected on 2026-11-24`. */
const travelText = ({ carrier, trackingNumber, expectedOn }: TransportWish): string =>
  [carrierName(carrier), trackingNumber, expectedOn && `expected on ${expectedOn}`].filter(Boolean).join(', ');

/** Throws 400 for a day that has passed, or that is further away than anything travels. */
export function checkDay(expectedOn: string | null): void {
  if (!expectedOn) return;
  const [first, last] = [Date.now(), Date.now() + YEAR_MS].map((at) => shopDay(new Date(at).toISOString()));
  const wrong = expectedOn < (first ?? '') ? 'The expected day has passed.' : 'The expected day is more than a year away.';
  if (expectedOn < (first ?? '') || expectedOn > (last ?? '')) throw new Problem(400, wrong, { expectedOn: wrong });
}

/** Pieces of an order that leave together. */
type Load = { position: number; qty: number; name: string; size: string | null; unsent: number }[];

/** What is put into a parcel: the pieces that are asked for, or all that have not left. Throws 400 and 409. */
async function loadOf(tx: Tx, order: LockedOrder, lines: ParcelWish['lines']): Promise<{ load: Load; isRest: boolean }> {
  const open = (await readPieces(tx, order.id)).filter(({ unsent }) => unsent > 0);
  const load = lines
    ? mergePieces(lines).map(({ line, qty }) => {
        const item = open.find(({ position }) => position === line);
        if (!item) throw new Problem(409, 'This item has been sent already.');
        if (qty > item.unsent) throw new Problem(409, `Only ${item.unsent} of ${item.name} can still be sent.`);
        return { ...item, qty };
      })
    : open.map((item) => ({ ...item, qty: item.unsent }));
  const sum = (pieces: { qty: number }[]) => pieces.reduce((all, { qty }) => all + qty, 0);
  return { load, isRest: sum(load) === sum(open.map(({ unsent: qty }) => ({ qty }))) };
}

/** When the customer is told: at once, or after a time in which it can be undone. */
export interface Telling {
  /** ISO. */
  runAt?: string;
  batchId?: string | null;
}

/** Stores a parcel with its pieces, and has the customer told of it. */
async function insertParcel(
  tx: Tx,
  who: Admin,
  orderId: string,
  wish: TransportWish,
  load: Load,
  { runAt, batchId = null }: Telling,
): Promise<void> {
  const id = newId();
  const { carrier, trackingNumber, trackingLink, expectedOn } = wish;
  const isKnown = await wasTold(tx, orderId, wish, load);
  const toldAt = isKnown ? sql<string>`now()` : null;
  const values = { id, orderId, actor: who.name, carrier, trackingNumber, trackingLink, expectedOn, toldAt, batchId };
  await tx.insertInto('parcels').values(values).execute();
  await tx
    .insertInto('parcelItems')
    .values(load.map(({ position, qty }) => ({ parcelId: id, position, qty })))
    .execute();
  if (!isKnown) await enqueue(tx, 'tellOfParcel', { parcelId: id }, { key: `parcel ${id}`, ...(runAt && { runAt }) });
}

/** Whether the customer was told of just this parcel before its dispatch was taken back: they are not told twice. */
async function wasTold(tx: Tx, orderId: string, { trackingNumber }: TransportWish, load: Load): Promise<boolean> {
  const { rows } = await sql<{ pieces: string }>`
    select (select string_agg(position || ':' || qty, ' ' order by position) from parcel_items where parcel_id = id) as pieces
    from parcels where order_id = ${orderId} and status = 'taken_back' and told_at is not null and tracking_number = ${trackingNumber}`.execute(
    tx,
  );
  const wanted = [...load].sort((one, other) => one.position - other.position).map(({ position, qty }) => `${position}:${qty}`);
  return rows.some(({ pieces }) => pieces === wanted.join(' '));
}

/**
 * Has pieces of a locked order leave as one parcel: all that is left of it where no lines are named. The customer is told by mail, also of
 * each parcel that follows. Throws 409 where they are not there to be sent.
 */
export async function sendParcelOf(tx: Tx, who: Admin, order: LockedOrder, wish: ParcelWish, telling: Telling = {}): Promise<void> {
  const { load, isRest } = await loadOf(tx, order, wish.lines);
  const event = {
    kind: isRest ? 'dispatched' : 'dispatched in part',
    actor: who.name,
    detail: [isRest && order.status !== 'partly_dispatched' ? '' : piecesText(load), travelText(wish)].filter(Boolean).join('. '),
  } as const;
  await change(tx, order, 'dispatch', { dispatchedAt: sql<string>`now()` }, event, isRest ? 'dispatched' : 'partly_dispatched');
  if (load.length > 0) await insertParcel(tx, who, order.id, wish, load, telling);
  await recordChange(tx, who, 'order', order.id, isRest ? 'Marked as dispatched' : `Dispatched ${piecesText(load)}`);
}

/** Says that pieces of an order, or all that is left of it, have left the shop. Throws 404, 400 and 409. */
export async function sendParcel({ db }: Needs, who: Admin, id: string, wish: ParcelWish): Promise<Order> {
  checkDay(wish.expectedOn);
  await transactionOf(db, who, async (tx) => sendParcelOf(tx, who, await lockListed(tx, id), wish));
  return readOrder(db, who, id);
}

/** A parcel that left, with its order locked. Throws 404. */
async function lockParcel(tx: Tx, id: string) {
  const find = () => tx.selectFrom('parcels').selectAll().where('id', '=', id).where('status', '<>', 'taken_back').executeTakeFirst();
  const found = isId(id) ? await find() : undefined;
  if (!found) throw new Problem(404, 'Parcel not found');
  const order = await lockListed(tx, found.orderId);
  return { order, parcel: (await find()) ?? found };
}

/**
 * Changes who brings a parcel and how it can be followed; saying the same twice changes nothing. A customer who was told of the parcel hears of
 * its new number or link. Throws 404 and 400.
 */
export async function changeParcel({ db }: Needs, who: Admin, id: string, wish: TransportWish): Promise<Order> {
  const orderId = await transactionOf(db, who, async (tx) => {
    const { order, parcel } = await lockParcel(tx, id);
    if (wish.expectedOn !== parcel.expectedOn) checkDay(wish.expectedOn);
    await updateTransport(tx, who, order, parcel, wish);
    return order.id;
  });
  return readOrder(db, who, orderId);
}

/**
 * Gives a parcel that left without a tracking number its number. Returns false where it is not on its way any more, or has got one meanwhile.
 */
export async function trackParcel(tx: Tx, who: Admin, id: string, wish: TransportWish): Promise<boolean> {
  const { order, parcel } = await lockParcel(tx, id);
  if (order.status !== 'dispatched' || parcel.status !== 'sent' || parcel.trackingNumber) return false;
  return updateTransport(tx, who, order, parcel, wish);
}

type ParcelRow = Awaited<ReturnType<typeof lockParcel>>['parcel'];

/** Stores how a parcel of a locked order travels, and has the customer told where they can now follow it. Returns whether that changed anything. */
async function updateTransport(tx: Tx, who: Admin, order: LockedOrder, parcel: ParcelRow, wish: TransportWish): Promise<boolean> {
  const { carrier, trackingNumber, trackingLink, expectedOn } = wish;
  const isSame =
    parcel.carrier === carrier &&
    parcel.trackingNumber === trackingNumber &&
    parcel.trackingLink === trackingLink &&
    parcel.expectedOn === expectedOn;
  if (isSame) return false;
  await tx.updateTable('parcels').set({ carrier, trackingNumber, trackingLink, expectedOn }).where('id', '=', parcel.id).execute();
  await recordEvent(tx, order.id, { kind: 'parcel changed', actor: who.name, detail: travelText(wish) });
  await recordChange(tx, who, 'order', order.id, 'Changed how a parcel can be followed');
  const isNews = (trackingNumber && trackingNumber !== parcel.trackingNumber) || trackingUrl(wish) !== trackingUrl(parcel);
  if (isNews && trackingUrl(wish) && parcel.toldAt && parcel.status === 'sent')
    await enqueue(tx, 'tellOfParcel', { parcelId: parcel.id, isAgain: true }, { key: `parcel ${parcel.id}` });
  return true;
}
