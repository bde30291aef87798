import { productPath } from '#contract/catalogue/variant.ts';
import { windowText } from '#contract/delivery/delivery-window.ts';
import { shopDay } from '#contract/market/shop-time.ts';
import { shownItems } from '#contract/orders/alike.ts';
import { type Order, type OrderItem, refundText } from '#contract/orders/orders.ts';
import { buyerLabelOf, STATES } from '#contract/orders/states.ts';
import { Link } from '#web/ui/link.tsx';
import { Picture } from '#web/ui/picture.tsx';

type Format = (pence: number) => string;

interface OrderItemsProps {
  items: OrderItem[];
  format: Format;
  /** The visitor has received the order, and can review each piece. */
  isReceived?: boolean;
}

/** Order lines: picture, name, quantity × price = total. */
export function OrderItems({ items, format, isReceived = false }: OrderItemsProps) {
  return (
    <ul className="grid gap-4">
      {shownItems(items).map(({ _id, name, image, qty, price, discount, size, colourName, ...counts }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one product may stand on two lines, and lines never move.
        <li key={`${_id}${index}`} className="grid grid-cols-[4.5rem_1fr] items-center gap-4 sm:grid-cols-[4.5rem_1fr_auto]">
          <Picture src={image} alt="" sizes="4.5rem" className="row-span-2 rounded-soft sm:row-span-1" />
          <span className="leading-snug">
            <Link to={productPath(_id, { size, colour: colourName })} className="link">
              {name}
            </Link>
            {(size || colourName) && <span className="block text-sm text-soft">{[size, colourName].filter(Boolean).join(', ')}</span>}
            <PiecesBack qty={qty} {...counts} />
            {isReceived && counts.cancelledQty < qty && (
              <Link
                to={`${productPath(_id, { size, colour: colourName })}#write-review`}
                className="link mt-1 flex min-h-6 w-fit items-center text-sm"
              >
                Review<span className="sr-only"> {name}</span>
              </Link>
            )}
          </span>
          <span className="col-start-2 sm:col-start-3">
            {qty} x {format(price)} = {format(qty * price)}
            {discount > 0 && <span className="block text-sm text-soft">less {format(discount)} discount</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** How many pieces of a line were cancelled, and how many returned. */
export function PiecesBack({
  cancelledQty,
  returnedQty,
  spoiledQty,
  qty,
}: Pick<OrderItem, 'cancelledQty' | 'returnedQty' | 'spoiledQty' | 'qty'>) {
  const counts = [
    ['Cancelled', cancelledQty],
    ['Returned', returnedQty + spoiledQty],
  ] as const;
  return counts.map(
    ([word, count]) =>
      count > 0 && (
        <span key={word} className="block text-sm font-medium text-bad">
          {count === qty ? word : `${word}: ${count} of ${qty}`}
        </span>
      ),
  );
}

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

/** Shipping method and promised days, for the warehouse. */
export function shippingText({
  shippingLabel,
  deliveryWindow,
  isDayChosen,
}: Pick<Order, 'shippingLabel' | 'deliveryWindow' | 'isDayChosen'>) {
  if (!deliveryWindow) return shippingLabel;
  return `${shippingLabel}, ${isDayChosen ? 'chosen' : 'promised'} for ${windowText(deliveryWindow)}`;
}

export const OrderReference = ({ order }: { order: Pick<Order, 'reference'> }) => (
  <p className="flex justify-between gap-4">
    Order reference <strong className="whitespace-nowrap font-semibold">{order.reference}</strong>
  </p>
);

type Money = Pick<Order, 'isRefunded' | 'isRefundDue' | 'refundedPrice' | 'waivedPrice' | 'totalPrice'>;

const Refunded = ({ order }: { order: Money }) => <p className="font-medium text-bad">{refundText(order)}</p>;

/** "Delivered at: …" in green, else "On the Way" in red (specification §2), else the state. */
export function ShippingStatus({ order }: { order: Money & Pick<Order, 'status' | 'dispatchedAt' | 'deliveredAt' | 'awaitsApproval'> }) {
  if (order.deliveredAt) return <p className="font-medium text-good">Delivered at: {shopDay(order.deliveredAt)}</p>;
  if (order.isRefunded) return <Refunded order={order} />;
  const { status, dispatchedAt } = order;
  const isBad = status === 'placed' || STATES[status].tone === 'bad';
  const text = status === 'dispatched' && dispatchedAt ? `Dispatched at: ${shopDay(dispatchedAt)}` : buyerLabelOf(order);
  return <p className={`font-medium ${isBad ? 'text-bad' : 'text-good'}`}>{text}</p>;
}

/** The method, and "Paid at: …" or "Not Paid" in red (specification §2), and the refund. */
export function PaymentStatus({ order }: { order: Money & Pick<Order, 'paymentMethod' | 'paidAt' | 'status'> }) {
  const { paymentMethod, paidAt, status, isRefunded, totalPrice, waivedPrice } = order;
  const isWaived = status === 'cancelled' || (waivedPrice > 0 && waivedPrice === totalPrice);
  return (
    <>
      <p>{paymentMethod}</p>
      {paidAt && !isRefunded && <p className="font-medium text-good">Paid at: {shopDay(paidAt)}</p>}
      {!paidAt && !isRefunded && !isWaived && <p className="font-medium text-bad">Not Paid</p>}
      {!paidAt && isWaived && <p>Nothing to pay</p>}
      {refundText(order) && <Refunded order={order} />}
    </>
  );
}
