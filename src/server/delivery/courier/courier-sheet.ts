import { CARRIER_LENGTH, type Carrier, carrierIn, carrierOf } from '#contract/delivery/carriers.ts';
import { Transport } from '#contract/delivery/parcels.schema.ts';
import { cut } from '#contract/platform/text.ts';
import { referenceIn } from '#server/orders/rules/reference.ts';
import { type Flaw, isRounded, readTable } from '#server/platform/csv.ts';
import { isId } from '#server/platform/ids.ts';

/** The most rows in a file. */
const MOST_ROWS = 1_000;

/** Couriers' names of the columns that we read, the plainest first. Other columns are ignored. */
const NAMES = {
  reference: `order reference, order ref, order number, order no, order id, orderid, order, customer reference, customer ref, your reference,
    shipper reference, sender reference, shipment reference, shipment ref, reference, reference 1, reference number, ref`,
  carrier: 'carrier, carrier name, courier, courier name, carrier service, service',
  trackingNumber: `tracking number, tracking no, tracking id, tracking reference, tracking ref, tracking code, tracking, consignment number,
    consignment no, consignment, parcel number, parcel no, shipment number, shipment no, shipment id, barcode`,
};
type Column = keyof typeof NAMES;

const MISSING = {
  reference: 'No column has the order’s reference. Call it “Order reference”.',
  trackingNumber: 'No column has the tracking number. Call it “Tracking number”.',
};

/** `Order_Reference ` → `order reference`. */
const plainName = (cell: string) =>
  cell
    .toLowerCase()
    .replace(/[^a-z\d]+/g, ' ')
    .trim();

/** The index of a column in the header row; -1 if missing. */
function columnIndex(head: readonly string[], column: Column): number {
  const names = head.map(plainName);
  const indexes = NAMES[column].split(/,\s+/).map((name) => names.indexOf(name));
  return indexes.find((index) => index >= 0) ?? -1;
}

const wrongHead = (head: string[]): Flaw[] =>
  (['reference', 'trackingNumber'] as const)
    .filter((column) => columnIndex(head, column) < 0)
    .map((column) => ({ row: 1, column: '', message: MISSING[column] }));

/** A row: an order and its parcel's transport. */
export interface CourierLine {
  row: number;
  /** The order's reference as written in the file. */
  written: string;
  /** The order's reference or id, read from that. */
  name: string;
  /** A listed carrier, or the name in the file. */
  carrier: Carrier;
  trackingNumber: string;
  /** Why the row cannot be used; empty if it can. */
  flaw: string;
}

/** Reads a courier's CSV with any delimiter and order of columns. `carrier` is for rows without one. */
export async function readCourierSheet(
  text: string,
  carrier: string,
  carriers: readonly Carrier[],
): Promise<{ lines: CourierLine[]; errors: Flaw[] }> {
  const tooMany = `A file may have at most ${MOST_ROWS.toLocaleString('en-GB')} orders.`;
  const table = await readTable(text, { mostRows: MOST_ROWS, tooMany, wrongHead });
  const columns = {
    reference: columnIndex(table.head, 'reference'),
    carrier: columnIndex(table.head, 'carrier'),
    tracking: columnIndex(table.head, 'trackingNumber'),
  };
  const lines = table.lines.map(({ row, cells }) => {
    const cell = (index: number) => (cells[index] ?? '').trim();
    const [written, trackingNumber, carrierText] = [cell(columns.reference), cell(columns.tracking), cell(columns.carrier)];
    // Undefined for a text that cannot be a carrier's name.
    const unlisted = Transport.shape.carrier.safeParse(cut(carrierText, CARRIER_LENGTH)).data;
    const name = isId(written) ? written : referenceIn(written);
    const flaw = flawOf({ written, name, trackingNumber });
    return {
      row,
      written: written.slice(0, 60),
      name: name ?? '',
      carrier: carrierIn(carriers, carrierText) ?? carrierOf(carriers, unlisted || carrier),
      trackingNumber,
      flaw,
    };
  });
  return { lines, errors: table.errors };
}

function flawOf({ written, name, trackingNumber }: { written: string; name: string | undefined; trackingNumber: string }): string {
  if (!written) return 'The order’s reference is missing.';
  if (!name) return 'This is not an order reference, such as K7MX-4QPD.';
  if (!trackingNumber) return 'The tracking number is missing.';
  if (isRounded(trackingNumber))
    return `A spreadsheet has rounded this tracking number (${trackingNumber}). Use the courier’s own file, or keep the column as text.`;
  const parsed = Transport.shape.trackingNumber.safeParse(trackingNumber);
  return parsed.error?.issues[0]?.message ?? '';
}
