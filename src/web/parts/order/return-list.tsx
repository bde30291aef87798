import type { ReactNode } from 'react';
import { dayText } from '#contract/delivery/delivery-window.ts';
import { shopDate } from '#contract/market/shop-time.ts';
import { lineNames, type Order } from '#contract/orders/orders.ts';
import { RETURN_TEXT } from '#contract/returns/return-reasons.ts';
import type { Return } from '#contract/returns/returns.schema.ts';

/** `2 × Lamp`, or `2 × Lamp (1 came back)` once received. */
function piecesOf(order: Order, { status, pieces }: Return): string {
  const words = pieces.map(({ line, qty, restockedQty, spoiledQty }) => {
    const came = restockedQty + spoiledQty;
    const isShort = status === 'received' && came < qty;
    return `${lineNames(order.orderItems, [{ line, qty }])}${isShort ? ` (${came} came back)` : ''}`;
  });
  return words.join(', ');
}

interface ReturnListProps {
  order: Order;
  /** Actions for a return. */
  children?: (one: Return) => ReactNode;
}

/** An order's returns with pieces, reason, state and messages. */
export function ReturnList({ order, children }: ReturnListProps) {
  return (
    <ul className="grid gap-4">
      {order.returns.map((one) => (
        <li key={one._id} className="grid gap-1">
          <p className="wrap-anywhere font-medium">{piecesOf(order, one)}</p>
          <p className={`font-medium ${one.status === 'refused' ? 'text-bad' : one.status === 'received' ? 'text-good' : ''}`}>
            {RETURN_TEXT[one.status]}
            {one.receivedAt && `: ${shopDate(one.receivedAt)}`}
          </p>
          <p className="wrap-anywhere text-sm text-soft">
            Requested <time dateTime={one.askedAt}>{shopDate(one.askedAt)}</time>: {one.reason}
          </p>
          {one.status === 'approved' && (
            <p>
              {one.sendBy
                ? `To be sent back by ${dayText(one.sendBy)}.`
                : 'Collected from the delivery address, free of charge, on a day agreed by phone or email.'}
            </p>
          )}
          {one.note && <p className="whitespace-pre-line wrap-anywhere text-sm">“{one.note}”</p>}
          {one.answer && <p className="whitespace-pre-line wrap-anywhere text-sm">The shop says: {one.answer}</p>}
          {children?.(one)}
        </li>
      ))}
    </ul>
  );
}
