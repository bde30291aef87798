import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { carrierName } from '#contract/delivery/carriers.ts';
import type { CourierRow } from '#contract/delivery/dispatch.ts';
import type { OrderStatus } from '#contract/orders/states.ts';
import type { ListedTransport } from '#server/delivery/dispatch.service.ts';
import { listed, ready, refundedWhole, refusalOf } from '#server/orders/rules/states.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { isId } from '#server/platform/ids.ts';
import type { CourierLine } from './courier-sheet.ts';

/** A row of the file with what it will do. */
export interface PlannedRow extends CourierRow {
  /** The order's id; empty if the row has no effect. */
  id: string;
  /** The id of the parcel that gets the tracking number; empty unless the effect is `track`. */
  parcelId: string;
  transport: ListedTransport;
}

/** An order that the file names. */
interface NamedOrder {
  id: string;
  reference: string;
  status: OrderStatus;
  awaitsApproval: boolean;
  isDisputed: boolean;
  isRefunded: boolean;
  isReady: boolean;
  /** The parcels that are on their way. */
  parcels: (ListedTransport & { id: string })[];
}

/** The orders that the file names, by id and by reference. */
async function findOrders(db: Db, lines: readonly CourierLine[]): Promise<Map<string, NamedOrder>> {
  const names = lines.map(({ name }) => name);
  const [ids, references] = [names.filter(isId), names.filter((name) => !isId(name))];
  const { rows } = await sql<NamedOrder>`
    select id, reference, order_state as status, awaits_approval, disputed_price > 0 as is_disputed, ${refundedWhole} as is_refunded, ${ready} as is_ready,
      (select coalesce(json_agg(json_build_object('id', parcel.id, 'carrier', carrier, 'carrierLink', carrier_link, 'trackingNumber', tracking_number,
        'trackingLink', tracking_link, 'expectedOn', expected_on)), '[]')
        from parcels parcel where order_id = orders.id and parcel.status = 'sent') as parcels
    from orders where ${listed} and (reference = any(${references}::text[]) or id = any(${ids}::uuid[]))`.execute(db);
  return new Map(rows.flatMap((order) => [[order.id, order] as const, [order.reference, order] as const]));
}

/** What each row of a courier's file will do, or why it does nothing. */
export async function planCourier(db: Db, lines: readonly CourierLine[]): Promise<PlannedRow[]> {
  const orders = await findOrders(db, lines);
  /** The first row of each order. */
  const firstRows = new Map<string, number>();
  return lines.map((line) => {
    const { row, carrier, trackingNumber } = line;
    // By its id in lower case, or by its reference in capitals.
    const order = line.flaw ? undefined : (orders.get(line.name.toLowerCase()) ?? orders.get(line.name));
    const transport = { carrier: carrier.name, carrierLink: carrier.link, trackingNumber, trackingLink: '', expectedOn: null };
    const base = { row, reference: order?.reference ?? line.written, id: '', parcelId: '', transport, effect: 'none' } as const;
    if (!order) return { ...base, text: line.flaw || 'There is no order with this reference.' };
    const firstRow = firstRows.get(order.id);
    if (firstRow !== undefined)
      return { ...base, text: `Row ${firstRow} already has this order. Dispatch further parcels on the order’s page.` };
    firstRows.set(order.id, row);
    return { ...base, ...effectOn(order, line) };
  });
}

/** What a row does to its order: dispatches it, adds a tracking number, or nothing, with the reason. */
function effectOn(order: NamedOrder, { carrier, trackingNumber }: CourierLine): Pick<PlannedRow, 'text'> & Partial<PlannedRow> {
  const { status } = order;
  if (order.isReady) return { effect: 'dispatch', id: order.id, text: ['Dispatch', carrier.name].filter(Boolean).join(' with ') };
  if (order.awaitsApproval) return { text: 'It has to be approved first: it is a large first order from a new account.' };
  if (order.isDisputed && status !== 'dispatched') return { text: 'Its payment is disputed at the bank.' };
  if (order.isRefunded && status !== 'dispatched') return { text: 'All of it was refunded. Cancel it, or dispatch it on its page.' };
  // Nothing else keeps a placed order from being ready.
  if (status === 'placed' || status === 'packing') return { text: 'It is still waiting for payment.' };
  if (status === 'partly_dispatched') return { text: 'Part of it has already left. Dispatch the rest on the order’s page.' };
  const [parcel, other] = order.parcels;
  if (status !== 'dispatched' || !parcel || other) return { text: refusalOf('dispatch', order) };
  if (parcel.trackingNumber === trackingNumber) return { text: 'It has already been dispatched with this number.' };
  if (parcel.trackingNumber) return { text: `It was dispatched with the number ${parcel.trackingNumber}. Change it on the order’s page.` };
  const { name, link } = carrier.name ? carrier : { name: carrierName(parcel.carrier), link: parcel.carrierLink };
  const transport = { ...parcel, carrier: name, carrierLink: link, trackingNumber };
  return { effect: 'track', id: order.id, parcelId: parcel.id, transport, text: 'Add the tracking number; the customer is told at once' };
}

/** A hash of the plan: the request that carries it out must be for the same one. */
export const fingerprintOf = (rows: readonly PlannedRow[]): string => createHash('sha256').update(JSON.stringify(rows)).digest('base64url');
