import type { ReactNode } from 'react';
import { dayText } from '#contract/delivery/delivery-window.ts';
import type { Parcel } from '#contract/delivery/parcels.schema.ts';
import { pounds } from '#contract/market/money.ts';
import { shopDate } from '#contract/market/shop-time.ts';
import { lineNames, type Order } from '#contract/orders/orders.ts';

/** Whether one parcel holds the whole order, so that its contents need no list. */
const holdsWholeOrder = ({ orderItems, parcels }: Order, { pieces }: Parcel): boolean =>
  parcels.length === 1 &&
  orderItems.every(({ qty, cancelledQty }, line) => (pieces.find((one) => one.line === line)?.qty ?? 0) >= qty - cancelledQty);

function Tracking({ parcel: { carrierName, trackingNumber, trackingUrl } }: { parcel: Parcel }) {
  return (
    <>
      {trackingNumber && <p className="wrap-anywhere text-sm">Tracking number: {trackingNumber}</p>}
      {trackingUrl && (
        <p>
          <a href={trackingUrl} className="link inline-flex min-h-6 items-center" target="_blank" rel="noopener noreferrer">
            Track the parcel{carrierName && ` with ${carrierName}`}
            <span className="sr-only"> {trackingNumber} (opens in a new tab)</span>
          </a>
        </p>
      )}
    </>
  );
}

interface ParcelsProps {
  order: Order;
  /** Actions for a parcel. */
  children?: (parcel: Parcel) => ReactNode;
}

/** An order's parcels with carrier, tracking, dates and contents. */
export function Parcels({ order, children }: ParcelsProps) {
  return (
    <ul className="grid gap-4">
      {order.parcels.map((parcel) => (
        <li key={parcel._id} className="grid gap-1">
          <p className="font-medium">
            {parcel.carrierName ? `Sent with ${parcel.carrierName}` : 'Sent'},{' '}
            <time dateTime={parcel.sentAt}>{shopDate(parcel.sentAt)}</time>
          </p>
          {parcel.status === 'failed' && <p className="font-medium text-bad">Could not be delivered</p>}
          {!holdsWholeOrder(order, parcel) && (
            <p className="wrap-anywhere text-sm text-soft">{lineNames(order.orderItems, parcel.pieces)}</p>
          )}
          <Tracking parcel={parcel} />
          {parcel.expectedOn && !order.isDelivered && parcel.status === 'sent' && (
            <p className="text-sm">Expected: {dayText(parcel.expectedOn)}</p>
          )}
          {parcel.amountDue > 0 && !order.isDelivered && <p className="text-sm">To pay on delivery: {pounds(parcel.amountDue)}</p>}
          {children?.(parcel)}
        </li>
      ))}
    </ul>
  );
}
