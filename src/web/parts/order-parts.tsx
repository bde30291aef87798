import { Link } from 'react-router';
import { shopDay } from '#contract/market/shop-time.ts';
import { STATUS_TEXT } from '#contract/orders/life.ts';
import { type Order, type OrderItem, refundText } from '#contract/orders.ts';
import { Picture } from '#web/ui/picture.tsx';

type Format = (pence: number) => string;

interface OrderItemsProps {
  items: OrderItem[];
  format: Format;
  /** The order was delivered to whoever looks: each piece can be reviewed. */
  isReceived?: boolean;
}

/** An order's lines: picture, name, quantity × price = total. */
export function OrderItems({ items, format, isReceived = false }: OrderItemsProps) {
  return (
    <ul className="grid gap-4">
      {items.map(({ _id, name, image, qty, price, size, colourName }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one product may stand on two lines, and lines never move.
        <li key={`${_id}${index}`} className="grid grid-cols-[4.5rem_1fr] items-center gap-4 sm:grid-cols-[4.5rem_1fr_auto]">
          <Picture src={image} alt="" sizes="4.5rem" className="row-span-2 rounded-soft sm:row-span-1" />
          <span className="leading-snug">
            <Link to={`/product/${_id}`} className="link">
              {name}
            </Link>
            {(size || colourName) && <span className="block text-sm text-soft">{[size, colourName].filter(Boolean).join(', ')}</span>}
            {isReceived && (
              <Link to={`/product/${_id}#write-review`} className="link mt-1 flex min-h-6 w-fit items-center text-sm">
                Review<span className="sr-only"> {name}</span>
              </Link>
            )}
          </span>
          <span className="col-start-2 sm:col-start-3">
            {qty} x {format(price)} = {format(qty * price)}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Address lines of an order (specification §2). */
export function AddressLines({ address }: { address: Order['shippingAddress'] }) {
  const { line1, line2, city, state, postalCode, country } = address;
  return (
    <address className="not-italic">
      {[line1, line2, city, state, postalCode, country].filter(Boolean).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines of an address may be the same.
        <span key={index} className="block">
          {line}
        </span>
      ))}
    </address>
  );
}

/** What people call the order, on the phone and in mails. */
export const OrderReference = ({ order }: { order: Pick<Order, 'reference'> }) => (
  <p className="flex justify-between gap-4">
    Order reference <strong className="whitespace-nowrap font-semibold">{order.reference}</strong>
  </p>
);

const Refunded = ({ order }: { order: Pick<Order, 'isRefundDue'> }) => <p className="font-medium text-bad">{refundText(order)}</p>;

/** What became of an order that is neither "On the Way" nor delivered, in the specification's words for these two. */
function wordsOf({ status, dispatchedAt }: Pick<Order, 'status' | 'dispatchedAt'>): string {
  if (status === 'placed') return 'On the Way';
  return status === 'dispatched' && dispatchedAt ? `Dispatched at: ${shopDay(dispatchedAt)}` : STATUS_TEXT[status];
}

/** "Delivered at: …" in green, else "On the Way" in red (specification §2); any other state says what it is. */
export function ShippingStatus({
  order,
}: {
  order: Pick<Order, 'status' | 'dispatchedAt' | 'deliveredAt' | 'isRefunded' | 'isRefundDue'>;
}) {
  if (order.deliveredAt) return <p className="font-medium text-good">Delivered at: {shopDay(order.deliveredAt)}</p>;
  if (order.isRefunded) return <Refunded order={order} />;
  const isUnderWay = order.status === 'packing' || order.status === 'dispatched';
  return <p className={`font-medium ${isUnderWay ? 'text-good' : 'text-bad'}`}>{wordsOf(order)}</p>;
}

/** The state of an order in a list, where it is another than the two that the specification names. */
export function OrderState({ order }: { order: Pick<Order, 'status' | 'isRefundDue'> }) {
  if (order.status === 'placed' || order.status === 'delivered') return null;
  if (order.status === 'refunded') return <span className="font-medium text-bad">{refundText(order)}</span>;
  return <span className="font-medium">{STATUS_TEXT[order.status]}</span>;
}

/** The method, and the day of payment, else "Not Paid" in red (specification §2); "Refund pending" and then "Refunded" where it is given back. */
export function PaymentStatus({ order }: { order: Pick<Order, 'paymentMethod' | 'paidAt' | 'isRefunded' | 'isRefundDue'> }) {
  return (
    <>
      <p>{order.paymentMethod}</p>
      {order.isRefunded ? (
        <Refunded order={order} />
      ) : order.paidAt ? (
        <p className="font-medium text-good">Paid at: {shopDay(order.paidAt)}</p>
      ) : (
        <p className="font-medium text-bad">Not Paid</p>
      )}
    </>
  );
}
