import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { windowText } from '#contract/delivery/delivery-window.ts';
import { RETURN_DAYS } from '#contract/market/market.ts';
import { pounds } from '#contract/market/money.ts';
import type { SeenStatus } from '#contract/orders/life.ts';
import { type Order, PAYMENT_METHOD } from '#contract/orders/orders.ts';
import { Panel } from '#web/parts/panel.tsx';
import { OrderSteps } from './order-steps.tsx';

/** What happens to an order in each state, for its buyer. */
const NEXT: Record<SeenStatus, ReactNode> = {
  placed: 'We are getting your order ready.',
  packing: 'We are packing your order.',
  partly_dispatched: 'The courier has part of your order. We are getting the rest ready.',
  dispatched: 'The courier has your order.',
  delivered: (
    <>
      Your order has arrived. You have {RETURN_DAYS.ask} days from the day of delivery to change your mind: our{' '}
      <Link to="/refund-policy" className="link">
        refund policy
      </Link>{' '}
      says how.
    </>
  ),
  delivery_failed: (
    <>
      The courier could not deliver your order. Please{' '}
      <Link to="/contact" className="link">
        call us
      </Link>{' '}
      to agree another day.
    </>
  ),
  return_asked: 'We have your request for a return and will reply by the next working day.',
  return_approved: 'We are waiting for your return. We will refund you once we have received it.',
  returned: 'We have received your return.',
  cancelled: 'Your order is cancelled.',
  refunded: 'We are refunding your payment to your card. It usually arrives within 5-10 business days.',
};

const CHECKED = 'We check larger first orders by hand before we pack them, usually within a working day. There is nothing you need to do.';

const UNDER_WAY: readonly SeenStatus[] = ['placed', 'packing', 'partly_dispatched', 'dispatched'];

/** What the buyer should know or do before it comes. */
function Before({ order }: { order: Order }) {
  const { status, amountDue, paymentMethod, deliveryWindow, phone, parcels } = order;
  if (!UNDER_WAY.includes(status)) return null;
  // What the courier says of each parcel is newer than what was promised.
  const isInParts = parcels.some((parcel) => parcel.amountDue > 0 && parcel.amountDue < amountDue);
  const isKnown = parcels.some(({ expectedOn }) => expectedOn);
  return (
    <>
      {deliveryWindow && !isKnown && <p>It should arrive {windowText(deliveryWindow)}.</p>}
      {phone && <p>If the driver cannot find you, they will call {phone}.</p>}
      {amountDue > 0 && paymentMethod === PAYMENT_METHOD.cash && (
        <p>
          Please have {pounds(amountDue)} ready in cash
          {isInParts ? ': each driver collects what is due for the parcel' : ' for the driver'}.
        </p>
      )}
      {amountDue > 0 && paymentMethod === PAYMENT_METHOD.online && <p>We are waiting for your payment to reach us.</p>}
    </>
  );
}

function nextOf({ status, awaitsApproval, isReturnable }: Order): ReactNode {
  if (status === 'placed' && awaitsApproval) return CHECKED;
  // The days to change one's mind are over; the panel of returns says what can still be done.
  if (status === 'delivered' && !isReturnable) return 'Your order has arrived.';
  return NEXT[status];
}

/** Where the order is, when it comes and what happens next, without a click. */
export function WhatNext({ order }: { order: Order }) {
  return (
    <Panel title="What happens next" className="mb-6 break-inside-avoid gap-5">
      <OrderSteps order={order} />
      <div className="grid gap-1">
        <p>{nextOf(order)}</p>
        <Before order={order} />
      </div>
    </Panel>
  );
}

/** Whom to ask about an order. */
export function OrderHelp({ reference }: { reference: string }) {
  return (
    <Panel title="Help with this order" className="gap-2 print:hidden">
      <p>
        <Link to="/contact" className="link">
          Email or call us
        </Link>{' '}
        and mention <span className="whitespace-nowrap">{reference}</span>.
      </p>
      <p>
        See also our{' '}
        <Link to="/shipping-policy" className="link">
          shipping policy
        </Link>{' '}
        and{' '}
        <Link to="/refund-policy" className="link">
          refund policy
        </Link>
        .
      </p>
    </Panel>
  );
}
