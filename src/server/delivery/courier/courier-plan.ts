import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { carrierName } from '#contract/delivery/carriers.ts';
import type { CourierRow } from '#contract/delivery/dispatch.ts';
import type { OrderStatus } from '#contract/orders/states.ts';
import type { Travel } from '#server/delivery/dispatch.service.ts';
import { listed, ready, refusalOf } from '#server/orders/rules/states.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { isId } from '#server/platform/ids.ts';
import type { CourierLine } from './courier-sheet.ts';

/** A row with its effect. */
export interface PlannedRow extends CourierRow {
  /** Of the order; empty without an effect. */
  id: string;
  /** Of the parcel that gets its number. */
  parcelId: string;
  wish: Travel;
}

interface Candidate {
  id: string;
  reference: string;
  status: OrderStatus;
  awaitsApproval: boolean;
  isReady: boolean;
  /** Those that are on their way. */
  parcels: (Travel & { id: string })[];
}

/** The orders that a file names, by reference and by id. */
async function findOrders(db: Db, lines: readonly CourierLine[]): Promise<Map<string, Candidate>> {
  const names = lines.map(({ name }) => name);
  const [ids, references] = [names.filter(isId), names.filter((name) => !isId(name))];
  const { rows } = await sql<Candidate>`
    select id, reference, order_state as status, awaits_approval, ${ready} as is_ready,
      (select coalesce(json_agg(json_build_object('id', parcel.id, 'carrier', carrier, 'carrierLink', carrier_link, 'trackingNumber', tracking_number,
        'trackingLink', tracking_link, 'expectedOn', expected_on)), '[]')
        from parcels parcel where order_id = orders.id and parcel.status = 'sent') as parcels
    from orders where ${listed} and (reference = any(${references}::text[]) or id = any(${ids}::uuid[]))`.execute(db);
  return new Map(rows.flatMap((order) => [[order.id, order] as const, [order.reference, order] as const]));
}

/** The effect of each row of a courier's file, or why it has none. */
export async function planCourier(db: Db, lines: readonly CourierLine[]): Promise<PlannedRow[]> {
  const orders = await findOrders(db, lines);
  const rowOf = new Map<string, number>();
  return lines.map((line) => {
    const { row, carrier, trackingNumber } = line;
    const order = line.flaw ? undefined : (orders.get(line.name.toLowerCase()) ?? orders.get(line.name));
    const wish = { carrier: carrier.name, carrierLink: carrier.link, trackingNumber, trackingLink: '', expectedOn: null };
    const base = { row, reference: order?.reference ?? line.written, id: '', parcelId: '', wish, effect: 'none' } as const;
    if (!order) return { ...base, text: line.flaw || 'There is no order with this reference.' };
    const first = rowOf.get(order.id);
    if (first !== undefined) return { ...base, text: `Row ${first} already has this order. Dispatch further parcels on the order’s page.` };
    rowOf.set(order.id, row);
    return { ...base, ...decide(order, line) };
  });
}

/** The effect of an order's row. */
function decide(order: Candidate, { carrier, trackingNumber }: CourierLine): Pick<PlannedRow, 'text'> & Partial<PlannedRow> {
  const { status } = order;
  if (order.isReady) return { effect: 'dispatch', id: order.id, text: ['Dispatch', carrier.name].filter(Boolean).join(' with ') };
  if (order.awaitsApproval) return { text: 'It has to be approved first: it is a large first order from a new account.' };
  if (status === 'placed' || status === 'packing') return { text: 'It is still waiting for payment.' };
  if (status === 'partly_dispatched') return { text: 'Part of it has already left. Dispatch the rest on the order’s page.' };
  const [parcel, other] = order.parcels;
  if (status !== 'dispatched' || !parcel || other) return { text: refusalOf('dispatch', order) };
  if (parcel.trackingNumber === trackingNumber) return { text: 'It has already been dispatched with this number.' };
  if (parcel.trackingNumber) return { text: `It was dispatched with the number ${parcel.trackingNumber}. Change it on the order’s page.` };
  const { name, link } = carrier.name ? carrier : { name: carrierName(parcel.carrier), link: parcel.carrierLink };
  const wish = { ...parcel, carrier: name, carrierLink: link, trackingNumber };
  return { effect: 'track', id: order.id, parcelId: parcel.id, wish, text: 'Add the tracking number; the customer is told at once' };
}

/** Hash of the planned rows, which a later request must match. */
export const fingerprintOf = (rows: readonly PlannedRow[]): string => createHash('sha256').update(JSON.stringify(rows)).digest('base64url');
