import { sql } from 'kysely';
import { colourNameOf } from '#contract/catalogue/colour.ts';
import { carrierName, trackingUrl } from '#contract/delivery/carriers.ts';
import { cashOfParcels } from '#contract/delivery/cash-on-delivery.ts';
import type { Parcel } from '#contract/delivery/parcels.schema.ts';
import type { Pence } from '#contract/market/money.ts';
import { type Order, type OrderSummary, PAYMENT_METHOD, pieceNames } from '#contract/orders/orders.ts';
import type { LinePieces } from '#contract/orders/pieces.schema.ts';
import { arrayOf } from '#server/platform/database/arrays.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { skuOf } from './sku.ts';

/** A line and the state of its pieces. */
export interface LineOfPieces {
  orderId: string;
  position: number;
  productId: string;
  /** The set that it was ordered in. */
  setId: string | null;
  size: string | null;
  name: string;
  image: string;
  color: string | null;
  /** The shop's own name of the colour when it was ordered. */
  colourName: string | null;
  /** No colour was chosen of a product that has colours. */
  isColourOpen: boolean;
  sku: string;
  /** Pence, for one piece. */
  price: number;
  /** The ordered quantity, or that of the pieces in question. */
  qty: number;
  ordered: number;
  /** Discount on the whole ordered line, in pence. */
  discount: number;
  cancelledQty: number;
  /** Pieces that came back. */
  back: number;
  /** Still part of the order: neither cancelled nor back. */
  left: number;
  /** Of those, pieces that have not left the shop. */
  unsent: number;
  /** Pieces not refunded yet. */
  unrefunded: number;
  /** Refunded for the line's pieces at less than their price, in pence. */
  partialRefund: number;
}

/** The lines of an order with the state of their pieces. */
export const readPieces = (db: Db, orderId: string): Promise<LineOfPieces[]> => readPiecesOf(db, [orderId]);

/** The lines of several orders with the state of their pieces, sorted by order. */
export async function readPiecesOf(db: Db, orderIds: readonly string[]): Promise<LineOfPieces[]> {
  const { rows } = await sql<LineOfPieces>`
    select item.order_id, item.position, product_id, set_id, size, color, colour_name, is_colour_open, ${skuOf('item')} as sku, name, image, price, item.qty, item.qty as ordered, discount, cancelled_qty, returned_qty + spoiled_qty as back, remaining.pieces as "left", item.qty - refunded_qty as unrefunded, partial_refund,
      greatest(0, least(remaining.pieces, item.qty - cancelled_qty - dispatched.pieces)) as unsent
    from order_items item,
      lateral (select item.qty - cancelled_qty - returned_qty - spoiled_qty as pieces) remaining,
      lateral (select coalesce(sum(piece.qty), 0)::int as pieces from parcels join parcel_items piece on piece.parcel_id = parcels.id
        where parcels.order_id = item.order_id and parcels.status = 'sent' and piece.position = item.position) dispatched
    where item.order_id = any(${arrayOf(orderIds, 'uuid')}) order by item.order_id, item.position`.execute(db);
  return rows;
}

/** A parcel as it is stored. */
interface StoredParcel extends Omit<Parcel, 'amountDue'> {
  orderId: string;
  /** Null if it left before shares were stored, or if what is due is shared among the parcels again. */
  amountDue: number | null;
}
type Row = Omit<StoredParcel, 'carrierName' | 'trackingUrl'> & { carrierLink: string | null };

/** The parcels of an order, oldest first, without those whose dispatch was taken back. */
export const listParcels = (db: Db, orderId: string): Promise<StoredParcel[]> => listParcelsOf(db, [orderId]);

/** The parcels of several orders, oldest first, without those whose dispatch was taken back. */
export async function listParcelsOf(db: Db, orderIds: readonly string[]): Promise<StoredParcel[]> {
  const { rows } = await sql<Row>`
    select id as _id, order_id, sent_at, status, carrier, carrier_link, tracking_number, tracking_link, expected_on, amount_due,
      (select coalesce(json_agg(json_build_object('line', position, 'qty', qty) order by position), '[]') from parcel_items where parcel_id = id) as pieces
    from parcels where order_id = any(${arrayOf(orderIds, 'uuid')}) and status <> 'taken_back' order by sent_at, id`.execute(db);
  return rows.map(({ carrierLink, ...row }) => ({
    ...row,
    carrierName: carrierName(row.carrier),
    trackingUrl: trackingUrl({ ...row, carrierLink }),
  }));
}

/** A line of an order with the pieces that came back. */
export const withBack = (item: OrderSummary['orderItems'][number]) => ({ ...item, back: item.returnedQty + item.spoiledQty });

type CollectedOrder = Pick<OrderSummary, 'amountDue' | 'paymentMethod' | 'orderItems'>;

/**
 * The parcels of an order with the cash that each one's driver collects, and the cash that is due besides. Parcels that failed, or of a paid order, collect
 * nothing. Drivers collect for cash on delivery alone: any other payment reaches the shop by itself.
 */
export function withCashDue(
  { amountDue, paymentMethod, orderItems }: CollectedOrder,
  stored: readonly StoredParcel[],
): Pick<Order, 'parcels' | 'uncollected'> {
  const due = paymentMethod === PAYMENT_METHOD.cash ? amountDue : 0;
  const collecting = stored.filter(({ status }) => status === 'sent' && due > 0);
  const sums = cashOfParcels(due, orderItems.map(withBack), collecting);
  const shares = new Map(collecting.map(({ _id }, index) => [_id, sums[index]]));
  return {
    parcels: stored.map(({ orderId: _, ...parcel }) => ({ ...parcel, amountDue: shares.get(parcel._id) ?? 0 })),
    uncollected: due - sums.reduce((all, sum) => all + sum, 0),
  };
}

/** What the drivers of an order's parcels collect in all, also for pieces that came back since. */
export const collectedOf = (due: Pence, lines: Parameters<typeof cashOfParcels>[1], stored: readonly StoredParcel[]): Pence =>
  cashOfParcels(
    due,
    lines,
    stored.filter(({ status }) => status === 'sent'),
  ).reduce((all, sum) => all + sum, 0);

/** The share of a parcel that leaves now. `lines` are all of its order, of which `due` is to be paid. */
export async function shareOf(
  db: Db,
  { orderId, due, lines }: { orderId: string; due: number; lines: readonly LineOfPieces[] },
  load: readonly Pick<LineOfPieces, 'position' | 'qty'>[],
): Promise<number> {
  const before = (await listParcels(db, orderId)).filter(({ status }) => status === 'sent');
  const pieces = load.map(({ position, qty }) => ({ line: position, qty }));
  return cashOfParcels(due, lines, [...before, { pieces, amountDue: null }]).at(-1) ?? 0;
}

/** Shares what is due now among the parcels of a delivered order again: less is due than when they left. */
export const shareAgain = (tx: Tx, orderId: string) =>
  tx.updateTable('parcels').set({ amountDue: null }).where('orderId', '=', orderId).where('status', '=', 'sent').execute();

/** Merges the pieces of each line into one entry: of a line that is named twice, all pieces count. */
export function mergePieces(lines: readonly LinePieces[]): LinePieces[] {
  const byLine = new Map<number, number>();
  for (const { line, qty } of lines) byLine.set(line, (byLine.get(line) ?? 0) + qty);
  return [...byLine].map(([line, qty]) => ({ line, qty }));
}

/** Pieces in words: `2 × Oslo Sofa (Two-seat, Oatmeal), 1 × Lamp`. */
export const piecesText = (pieces: readonly Pick<LineOfPieces, 'qty' | 'name' | 'size' | 'color' | 'colourName'>[]): string =>
  pieceNames(pieces.map((piece) => ({ ...piece, colourName: colourNameOf(piece.color, piece.colourName) })));
