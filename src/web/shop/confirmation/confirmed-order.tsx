import { type ReactNode, type RefObject, useContext } from 'react';
import { windowText } from '#contract/delivery/delivery-window.ts';
import { byMethod } from '#contract/delivery/method-name.ts';
import { type Order, PAYMENT_METHOD } from '#contract/orders/orders.ts';
import { BoughtLine } from '#web/parts/order/bought-line.tsx';
import { AddressLines } from '#web/parts/order-parts.tsx';
import { MarketContext } from '#web/state/store.ts';
import { Alert } from '#web/ui/alert.tsx';
import { ButtonLink } from '#web/ui/button.tsx';

/** What was paid, or is due and how. */
function paymentOf({ paymentMethod, amountDue, totalPrice }: Order, format: (pence: number) => string): [name: string, text: string] {
  if (amountDue === 0)
    return ['Paid', `${format(totalPrice)}${paymentMethod === PAYMENT_METHOD.card ? ' by card' : ''}. Nothing to pay on delivery.`];
  if (paymentMethod === PAYMENT_METHOD.online)
    return ['To pay', `Nothing on delivery, once we have received your payment of ${format(amountDue)}.`];
  return ['To pay on delivery', `${format(amountDue)} in cash.`];
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="text-sm text-soft">{name}</dt>
    <dd>{children}</dd>
  </div>
);

interface ConfirmedOrderProps {
  order: Order;
  /** Lets the caller focus the heading. */
  heading?: RefObject<HTMLHeadingElement | null>;
  /** The order was found after its answer had been lost: the visitor may believe that none was placed. */
  isFound?: boolean | undefined;
  children?: ReactNode;
}

export function ConfirmedOrder({ order, heading, isFound, children }: ConfirmedOrderProps) {
  const { shopPrice } = useContext(MarketContext);
  const { _id, reference, deliveryWindow, shippingAddress, fullName, user } = order;
  const [paymentName, paymentText] = paymentOf(order, shopPrice);
  return (
    <section aria-label="Your order" className="panel grid grid-cols-1 gap-5 text-left">
      <h2 ref={heading} tabIndex={-1} className="focus:outline-none">
        Your order <strong className="whitespace-nowrap font-semibold">{reference}</strong> is placed
      </h2>
      {isFound && (
        <Alert tone="note">
          Your connection dropped before we could show you this page. Your order went through: please do not order again.
        </Alert>
      )}
      <div className="grid grid-cols-1 gap-6 md:grid-cols-2 md:gap-10">
        <ul aria-label="What you bought" className="grid content-start gap-3">
          {order.orderItems.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one product may stand on two lines, and lines never move.
            <BoughtLine key={`${item._id}${index}`} line={item} picture={item.image} />
          ))}
        </ul>
        <dl className="grid content-start gap-3">
          {deliveryWindow && <Fact name="Arrives">{windowText(deliveryWindow) + byMethod(order)}</Fact>}
          <Fact name="Goes to">
            {fullName}
            <AddressLines address={shippingAddress} />
          </Fact>
          {order.discount > 0 && <Fact name="Discount">{shopPrice(order.discount)}</Fact>}
          <Fact name="Delivery">{order.shippingPrice === 0 ? 'Free' : shopPrice(order.shippingPrice)}</Fact>
          <Fact name="Total">{shopPrice(order.totalPrice)}</Fact>
          <Fact name={paymentName}>{paymentText}</Fact>
        </dl>
      </div>
      <p className="hint">A confirmation is on its way to {user.email}. Check your spam folder if you cannot find it.</p>
      <div className="flex flex-wrap items-center gap-3">
        <ButtonLink to={`/order/${_id}`} look="secondary">
          See your order
        </ButtonLink>
        {children}
      </div>
    </section>
  );
}
