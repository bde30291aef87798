import { useContext } from 'react';
import { markUrl, shownUrl } from '#contract/catalogue/pictures.ts';
import type { Slip } from '#contract/delivery/dispatch.ts';
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

/** What the packer or driver must know first; empty if nothing. */
function noteOf({ status, awaitsApproval, amountDue }: Pick<Slip, 'status' | 'awaitsApproval' | 'amountDue'>): string {
  if (status === 'cancelled') return 'Cancelled: do not send';
  if (awaitsApproval) return 'Not approved: do not send';
  return amountDue > 0 ? `Collect ${pounds(amountDue)}` : '';
}

/** The slip of one order: what is left to send, or, once all has left, everything in it and what the drivers collect. */
export function slipOf(order: Order): Slip {
  const unsent = unsentLines(order);
  const everything = order.orderItems.map((item) => ({ ...item, qty: item.qty - item.cancelledQty })).filter(({ qty }) => qty > 0);
  const slip = { ...order, userName: order.user.name };
  const { amountDue, uncollected } = order;
  if (unsent.length === 0) return { ...slip, amountDue: amountDue - uncollected, lines: everything };
  return { ...slip, amountDue: Math.max(0, uncollected), lines: unsent };
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

export function PackingSlip({ slip }: { slip: Slip }) {
  const { reference, createdAt, fullName, userName, phone, shippingAddress, deliveryNote, lines } = slip;
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
        {lines.reduce((sum, { qty }) => sum + qty, 0)} in all. Is something missing or damaged? Call or write to us, and name {reference}.
      </p>
      {note && <p className="w-fit border-2 border-ink px-4 py-2 text-xl font-semibold">{note}</p>}
    </article>
  );
}

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
