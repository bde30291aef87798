import { useContext } from 'react';
import { markUrl, shownUrl } from '#contract/catalogue/pictures.ts';
import type { Slip } from '#contract/delivery/dispatch.ts';
import type { Parcel } from '#contract/delivery/parcels.schema.ts';
import { pounds } from '#contract/market/money.ts';
import { shopDate } from '#contract/market/shop-time.ts';
import { alikeAsOne } from '#contract/orders/alike.ts';
import { COLOUR_NOT_CHOSEN, type Order, unsentLines } from '#contract/orders/orders.ts';
import { AddressLines, shippingText } from '#web/parts/order-parts.tsx';
import { CompanyContext } from '#web/state/store.ts';
import { PicturesContext } from '#web/ui/picture.tsx';
import { Table } from '#web/ui/table.tsx';

/** A box to tick with a pen. */
export const TickBox = () => <span className="inline-block size-4 border border-ink" aria-hidden="true" />;

type SlipPiece = Pick<Slip['lines'][number], 'name' | 'size' | 'colourName' | 'isColourOpen' | 'sku'>;

export function PieceName({ piece: { name, size, colourName, isColourOpen, sku } }: { piece: SlipPiece }) {
  const details = [size, colourName ?? (isColourOpen && COLOUR_NOT_CHOSEN), sku && `SKU ${sku}`].filter(Boolean).join(', ');
  return (
    <>
      {name}
      {details && <span className="block text-sm">{details}</span>}
    </>
  );
}

/** The URL parameter of the order's page that shows the slip of a parcel. */
export const SLIP_PARAMETER = 'slip';

/** A slip of what has not left, or of a parcel that has. */
interface ShownSlip extends Slip {
  parcelId?: string;
}

const piecesIn = ({ lines }: Pick<Slip, 'lines'>) => lines.reduce((sum, { qty }) => sum + qty, 0);

/** What the packer or driver must know first; empty if nothing. Nobody knows yet whether several pieces that have not left go in one parcel. */
export function noteOf(slip: Pick<ShownSlip, 'status' | 'awaitsApproval' | 'amountDue' | 'lines' | 'parcelId'>): string {
  if (slip.status === 'cancelled') return 'Cancelled: do not send';
  if (slip.awaitsApproval) return 'Not approved: do not send';
  if (slip.amountDue === 0) return '';
  const condition = slip.parcelId === undefined && piecesIn(slip) > 1 ? ' if everything above is in this parcel' : '';
  return `Collect ${pounds(slip.amountDue)}${condition}`;
}

/** The slip of a parcel that has left: its pieces, and its share of what is due. */
export const parcelSlipOf = (order: Order, { _id, pieces, amountDue }: Parcel): ShownSlip => ({
  ...order,
  userName: order.user.name,
  parcelId: _id,
  amountDue,
  lines: pieces.flatMap(({ line, qty }) => order.orderItems.slice(line, line + 1).map((item) => ({ ...item, qty }))),
});

/** The slips to print of an order: one of what is left to send; once all has left or is delivered, one of each parcel, and of what went without one. */
export function slipsOf(order: Order): ShownSlip[] {
  const unsent = unsentLines(order);
  const sent = order.parcels.filter(({ status }) => status === 'sent');
  const rest = { ...order, userName: order.user.name, amountDue: Math.max(0, order.uncollected), lines: unsent };
  if (sent.length === 0 || (unsent.length > 0 && !order.isDelivered)) return [rest];
  return [...sent.map((parcel) => parcelSlipOf(order, parcel)), ...(unsent.length > 0 ? [rest] : [])];
}

function Sender() {
  const from = useContext(PicturesContext);
  const { shop, logo, name, office, email, phone } = useContext(CompanyContext);
  return (
    <div className="text-sm">
      {logo && <img src={shownUrl(from, markUrl(logo))} alt="" className="mb-2 h-12 w-44 object-contain object-left" />}
      <p className="font-display text-xl">{shop}</p>
      {[name, office, phone, email].filter(Boolean).map((line) => (
        <p key={line} className="wrap-anywhere">
          {line}
        </p>
      ))}
    </div>
  );
}

function PackingSlip({ slip }: { slip: ShownSlip }) {
  const { reference, createdAt, fullName, userName, phone, shippingAddress, deliveryNote } = slip;
  const note = noteOf(slip);
  return (
    <article className="grid content-start gap-6" aria-label={`Packing slip ${reference}`}>
      <div className="flex items-start justify-between gap-6">
        <Sender />
        <div className="text-right">
          <h2>Packing slip</h2>
          <p className="text-lg font-semibold whitespace-nowrap">{reference}</p>
          <p className="text-sm">Ordered on {shopDate(createdAt)}</p>
        </div>
      </div>
      <section className="border border-ink p-4 text-lg leading-snug">
        <h3 className="text-base">Deliver to</h3>
        <p className="font-semibold">{fullName || userName}</p>
        <AddressLines address={shippingAddress} />
        {phone && <p>{phone}</p>}
        {deliveryNote && <p className="wrap-anywhere">For the driver: {deliveryNote}</p>}
      </section>
      <p>{shippingText(slip)}</p>
      <SlipLines slip={slip} />
      <p className="text-sm">
        {piecesIn(slip)} in all. Is something missing or damaged? Call or write to us, and name {reference}.
      </p>
      {note && <p className="w-fit border-2 border-ink px-4 py-2 text-xl font-semibold">{note}</p>}
    </article>
  );
}

/** Slips, each on a page of its own. */
export const SlipPages = ({ slips }: { slips: ShownSlip[] }) =>
  slips.map((slip) => (
    <div
      key={slip.parcelId ?? slip.reference}
      className="panel mt-6 print:mt-0 print:break-after-page print:border-0 print:p-0 print:last:break-after-auto"
    >
      <PackingSlip slip={slip} />
    </div>
  ));

type SlipLine = Slip['lines'][number];
const partsOf = ({ name, size, colourName, isColourOpen, sku }: SlipLine) => [name, size, colourName, isColourOpen, sku];
const addUp = (one: SlipLine, other: SlipLine): SlipLine => ({ ...one, qty: one.qty + other.qty });

const SlipLines = ({ slip: { reference, lines } }: { slip: Slip }) => (
  <Table
    caption={`What is in ${reference}`}
    columns={[
      { label: 'Packed', cell: () => <TickBox /> },
      { label: 'Quantity', cell: ({ qty }) => <span className="tabular-nums">{qty}</span> },
      { label: 'Product', cell: (line) => <PieceName piece={line} /> },
    ]}
    rows={alikeAsOne(lines, partsOf, addUp).map((line, index) => ({ ...line, index }))}
    keyOf={({ index }) => String(index)}
  />
);
