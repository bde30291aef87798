import { windowText } from '#contract/delivery/delivery-window.ts';
import { byMethod } from '#contract/delivery/method-name.ts';
import { pounds } from '#contract/market/money.ts';
import { type Order, PAYMENT_METHOD } from '#contract/orders/orders.ts';
import { isUnderWay, stateOf } from '#contract/orders/states.ts';
import { RETURN_DAYS } from '#contract/returns/return-days.ts';
import { Panel } from '#web/parts/panel.tsx';
import { Link } from '#web/ui/link.tsx';
import { OrderSteps } from './order-steps.tsx';

/** Text in which `[words](/path)` is a link. */
const Linked = ({ text }: { text: string }) =>
  text.split(/(\[.+?\]\(.+?\))/).map((part) => {
    const [, words, path] = /^\[(.+)\]\((.+)\)$/.exec(part) ?? [];
    return path ? (
      <Link key={path} to={path} className="link">
        {words}
      </Link>
    ) : (
      part
    );
  });

const returnPeriodText = ({ createdAt }: Order) =>
  `You have ${RETURN_DAYS.ask} days from the day of delivery to change your mind: our [refund policy](/refund-policy?at=${createdAt}) says how.`;

/** What the buyer should know or do before delivery. */
function BeforeDelivery({ order }: { order: Order }) {
  const { status, amountDue, paymentMethod, deliveryWindow, isDayChosen, phone, parcels } = order;
  if (!isUnderWay(status)) return null;
  const isPaidByParcel = parcels.some((parcel) => parcel.amountDue > 0 && parcel.amountDue < amountDue);
  // The courier's dates are newer than the promised days.
  const hasCourierDate = parcels.some(({ expectedOn }) => expectedOn);
  return (
    <>
      {deliveryWindow && !hasCourierDate && (
        <p>
          It should arrive {windowText(deliveryWindow)}
          {isDayChosen && ', the day that you chose'}
          {byMethod(order)}.
        </p>
      )}
      {phone && <p>If the driver cannot find you, they will call {phone}.</p>}
      {amountDue > 0 && paymentMethod === PAYMENT_METHOD.cash && (
        <p>
          Please have {pounds(amountDue)} ready in cash
          {isPaidByParcel ? ': each driver collects what is due for the parcel' : ' for the driver'}.
        </p>
      )}
      {amountDue > 0 && paymentMethod === PAYMENT_METHOD.online && <p>We are waiting for your payment to reach us.</p>}
    </>
  );
}

/** Where the order is, when it comes and what happens next. */
export function WhatNext({ order }: { order: Order }) {
  const { next } = stateOf(order);
  return (
    <Panel title="What happens next" className="mb-6 break-inside-avoid gap-5">
      <OrderSteps order={order} />
      <div className="grid gap-1">
        <p>
          <Linked text={order.status === 'delivered' && order.isReturnable ? `${next} ${returnPeriodText(order)}` : next} />
        </p>
        <BeforeDelivery order={order} />
      </div>
    </Panel>
  );
}

export function OrderHelp({ order: { reference, createdAt } }: { order: Order }) {
  return (
    <Panel title="Help with this order" className="gap-2 print:hidden">
      <p>
        <Link to="/contact" className="link">
          Email or call us
        </Link>{' '}
        and quote <span className="whitespace-nowrap">{reference}</span>.
      </p>
      <p>
        <Linked
          text={`As they were when you ordered: the [terms](/legal?at=${createdAt}), the [shipping policy](/shipping-policy?at=${createdAt}) and the [refund policy](/refund-policy?at=${createdAt}).`}
        />
      </p>
    </Panel>
  );
}
