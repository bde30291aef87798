import { sql } from 'kysely';
import { type Carrier, carrierName, carrierOf, trackingUrl } from '#contract/delivery/carriers.ts';
import type { ParcelWish, TransportWish } from '#contract/delivery/dispatch.ts';
import { DAY_MS, shopDay } from '#contract/market/shop-time.ts';
import { type Order, PAYMENT_METHOD } from '#contract/orders/orders.ts';
import { Problem } from '#contract/platform/problem.ts';
import { recordChange } from '#server/context/audit.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { deliveryJobs } from '#server/delivery/dispatch.jobs.ts';
import { type LineOfPieces, mergePieces, piecesText, readPieces, shareOf } from '#server/orders/lines/parcels.service.ts';
import { readOrder } from '#server/orders/read.service.ts';
import { readAsked } from '#server/orders/rules/asked.ts';
import { invoiceOnce } from '#server/orders/tax-point.service.ts';
import { change, changeByStaff, type LockedOrder, lockListed, recordEvent } from '#server/orders/transitions.service.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';

type Needs = Pick<Services, 'db' | 'config'>;

/** A parcel's transport, with the name and link of its carrier in the settings. */
export interface ListedTransport extends TransportWish {
  carrierLink: string | null;
}

export function withListedCarrier<W extends TransportWish>(carriers: readonly Carrier[], wish: W): W & ListedTransport {
  const { name, link } = carrierOf(carriers, wish.carrier);
  return { ...wish, carrier: name, carrierLink: link };
}

const YEAR_MS = 365 * DAY_MS;

/** A parcel's transport for the history: `DPD, 155 012 345, expected on 2026-11-24`. */
const transportText = ({ carrier, trackingNumber, expectedOn }: TransportWish): string =>
  [carrier, trackingNumber, expectedOn && `expected on ${expectedOn}`].filter(Boolean).join(', ');

/** Throws 400 for a day that has passed or is more than a year away. */
export function checkDay(expectedOn: string | null): void {
  if (!expectedOn) return;
  const dayAfter = (ms: number) => shopDay(new Date(Date.now() + ms).toISOString());
  const isPast = expectedOn < dayAfter(0);
  const message = isPast ? 'The expected day has passed.' : 'The expected day is more than a year away.';
  if (isPast || expectedOn > dayAfter(YEAR_MS)) throw new Problem(400, message, { expectedOn: message });
}

/** Pieces of an order that leave together. */
type Contents = Pick<LineOfPieces, 'position' | 'qty' | 'name' | 'size' | 'color' | 'colourName' | 'unsent'>[];

interface Leaving {
  contents: Contents;
  /** Its share of what is due in cash on delivery. */
  amountDue: number;
}

/** The pieces and the share of a parcel: the pieces requested, or all that have not left. Throws 409. */
async function leavingOf(tx: Tx, order: LockedOrder, lines: ParcelWish['lines']): Promise<Leaving & { isLastParcel: boolean }> {
  const all = await readPieces(tx, order.id);
  const open = all.filter(({ unsent }) => unsent > 0);
  const contents = lines
    ? mergePieces(lines).map(({ line, qty }) => {
        const item = open.find(({ position }) => position === line);
        if (!item) throw new Problem(409, 'This item has already been sent.');
        if (qty > item.unsent) throw new Problem(409, `Only ${item.unsent} of ${item.name} can still be sent.`);
        return { ...item, qty };
      })
    : open.map((item) => ({ ...item, qty: item.unsent }));
  const isForDriver = !order.paidAt && order.paymentMethod === PAYMENT_METHOD.cash;
  const due = isForDriver ? await readAsked(tx, order) : 0;
  const amountDue = await shareOf(tx, { orderId: order.id, due, lines: all }, contents);
  const sum = (counts: number[]) => counts.reduce((before, count) => before + count, 0);
  return { contents, amountDue, isLastParcel: sum(contents.map(({ qty }) => qty)) === sum(open.map(({ unsent }) => unsent)) };
}

/** When the mail leaves: at once, or after the undo window of a batch. */
export interface Telling {
  /** ISO. */
  runAt?: string;
  batchId?: string | null;
}

/** Stores a parcel with its pieces, and queues its mail. */
async function insertParcel(
  tx: Tx,
  who: Admin,
  orderId: string,
  wish: ListedTransport,
  parcel: Leaving,
  { runAt, batchId = null }: Telling,
): Promise<void> {
  const id = newId();
  const { carrier, carrierLink, trackingNumber, trackingLink, expectedOn } = wish;
  const isTold = await wasTold(tx, orderId, wish, parcel);
  const toldAt = isTold ? sql<string>`now()` : null;
  const values = {
    id,
    orderId,
    actor: who.name,
    carrier,
    carrierLink,
    trackingNumber,
    trackingLink,
    expectedOn,
    toldAt,
    batchId,
    amountDue: parcel.amountDue,
  };
  await tx.insertInto('parcels').values(values).execute();
  await tx
    .insertInto('parcelItems')
    .values(parcel.contents.map(({ position, qty }) => ({ parcelId: id, position, qty })))
    .execute();
  if (!isTold) await enqueue(tx, deliveryJobs.tellOfParcel, { parcelId: id }, { key: `parcel ${id}`, ...(runAt && { runAt }) });
}

/** Whether the customer has had a mail about the same parcel and sum before its dispatch was taken back, so that a second one would repeat it. */
async function wasTold(tx: Tx, orderId: string, { trackingNumber }: TransportWish, { contents, amountDue }: Leaving): Promise<boolean> {
  const { rows } = await sql<{ pieces: string }>`
    select (select string_agg(position || ':' || qty, ' ' order by position) from parcel_items where parcel_id = id) as pieces
    from parcels where order_id = ${orderId} and status = 'taken_back' and told_at is not null and tracking_number = ${trackingNumber}
      and coalesce(amount_due, ${amountDue}) = ${amountDue}`.execute(tx);
  const wanted = [...contents].sort((one, other) => one.position - other.position).map(({ position, qty }) => `${position}:${qty}`);
  return rows.some(({ pieces }) => pieces === wanted.join(' '));
}

/** Dispatches pieces of a locked order as one parcel, or all that has not left. The customer gets a mail for each parcel. Throws 409. */
export async function sendParcelOf(
  tx: Tx,
  { config }: Pick<Needs, 'config'>,
  who: Admin,
  order: LockedOrder,
  wish: ListedTransport & Pick<ParcelWish, 'lines'>,
  telling: Telling = {},
): Promise<void> {
  const { isLastParcel, ...parcel } = await leavingOf(tx, order, wish.lines);
  const pieces = piecesText(parcel.contents);
  const event = {
    kind: isLastParcel ? 'dispatched' : 'dispatched in part',
    actor: who.name,
    detail: [isLastParcel && order.status !== 'partly_dispatched' ? '' : pieces, transportText(wish)].filter(Boolean).join('. '),
  } as const;
  await change(tx, order, 'dispatch', { dispatchedAt: sql<string>`now()` }, event, isLastParcel ? 'dispatched' : 'partly_dispatched');
  if (parcel.contents.length > 0) await insertParcel(tx, who, order.id, wish, parcel, telling);
  await invoiceOnce(tx, config, order);
  await recordChange(tx, who, 'order', order.id, isLastParcel ? 'Marked as dispatched' : `Dispatched ${pieces}`);
}

/** Dispatches pieces of an order, or all that has not left, as a parcel. Throws 404, 400 and 409. */
export async function sendParcel({ db, config }: Needs, who: Admin, id: string, wish: ParcelWish): Promise<Order> {
  checkDay(wish.expectedOn);
  const transport = withListedCarrier(config.carriers, wish);
  return changeByStaff(db, who, id, wish.revision, (tx, order) => sendParcelOf(tx, { config }, who, order, transport));
}

/** A parcel that left, with its order locked. Throws 404. */
async function lockParcel(tx: Tx, id: string) {
  const find = () => tx.selectFrom('parcels').selectAll().where('id', '=', id).where('status', '<>', 'taken_back').executeTakeFirst();
  const found = await find();
  if (!found) throw new Problem(404, 'Parcel not found');
  const order = await lockListed(tx, found.orderId);
  return { order, parcel: (await find()) ?? found };
}

/** Changes a parcel's carrier and tracking. Idempotent. A customer who has had the parcel's mail gets the new number or link. Throws 404 and 400. */
export async function changeParcel({ db, config }: Needs, who: Admin, id: string, wish: TransportWish): Promise<Order> {
  const orderId = await transactionOf(db, who, async (tx) => {
    const { order, parcel } = await lockParcel(tx, id);
    if (wish.expectedOn !== parcel.expectedOn) checkDay(wish.expectedOn);
    await updateTransport(tx, who, order, parcel, withListedCarrier(config.carriers, wish));
    return order.id;
  });
  return readOrder(db, who, orderId);
}

/** Adds the tracking number of a parcel that left without one. Returns false if it has arrived or has a number by now. */
export async function trackParcel(tx: Tx, who: Admin, id: string, wish: ListedTransport): Promise<boolean> {
  const { order, parcel } = await lockParcel(tx, id);
  if (order.status !== 'dispatched' || parcel.status !== 'sent' || parcel.trackingNumber) return false;
  return updateTransport(tx, who, order, parcel, wish);
}

type ParcelRow = Awaited<ReturnType<typeof lockParcel>>['parcel'];

/** Stores a parcel's transport, and mails the customer a new tracking link. Returns whether anything changed. */
async function updateTransport(tx: Tx, who: Admin, order: LockedOrder, parcel: ParcelRow, wish: ListedTransport): Promise<boolean> {
  const { carrier, trackingNumber, trackingLink, expectedOn } = wish;
  const isSameCarrier = carrierName(parcel.carrier) === carrier;
  const carrierLink = isSameCarrier ? parcel.carrierLink : wish.carrierLink;
  const isUnchanged =
    isSameCarrier && parcel.trackingNumber === trackingNumber && parcel.trackingLink === trackingLink && parcel.expectedOn === expectedOn;
  if (isUnchanged) return false;
  await tx
    .updateTable('parcels')
    .set({ carrier, carrierLink, trackingNumber, trackingLink, expectedOn })
    .where('id', '=', parcel.id)
    .execute();
  await recordEvent(tx, order.id, { kind: 'parcel changed', actor: who.name, detail: transportText(wish) });
  await recordChange(tx, who, 'order', order.id, 'Changed a parcel’s tracking');
  const url = trackingUrl({ ...wish, carrierLink });
  const isNewTracking = (trackingNumber && trackingNumber !== parcel.trackingNumber) || url !== trackingUrl(parcel);
  if (isNewTracking && url && parcel.toldAt && parcel.status === 'sent')
    await enqueue(tx, deliveryJobs.tellOfParcel, { parcelId: parcel.id, isAgain: true }, { key: `parcel ${parcel.id}` });
  return true;
}
