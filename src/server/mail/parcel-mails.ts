import { windowText } from '#contract/delivery/delivery-window.ts';
import type { Parcel } from '#contract/delivery/parcels.schema.ts';
import { pounds } from '#contract/market/money.ts';
import type { Order } from '#contract/orders/orders.ts';
import type { Mail } from '#server/gateways/mail.ts';
import { customerMail, type Fact, type MailConfig, orderLink, toCustomer } from './layout.ts';
import { piecesOf, toAddressOf } from './order-mails.ts';

interface Dispatch {
  parcel: Parcel;
  /** Other pieces of the order come in other parcels. */
  isPart: boolean;
  /** The last parcel of the order. */
  isLast: boolean;
  /** The parcel was announced before and now has a tracking number. */
  isAgain: boolean;
}

function factsOf(order: Order, { parcel }: Dispatch): Fact[] {
  const { carrierName, trackingNumber, expectedOn } = parcel;
  const expected = expectedOn ? { from: expectedOn, to: expectedOn } : order.deliveryWindow;
  const facts: [string, string][] = [
    ['Order', order.reference],
    ['Carrier', carrierName],
    ['Tracking number', trackingNumber],
    ['Expected', expected ? windowText(expected) : ''],
  ];
  return facts.flatMap(([label, text]) => (text ? [[label, text] as Fact] : []));
}

/** Sent when a parcel leaves the shop, and again if its tracking number follows later. Links to the tracking page. */
export function orderDispatchedMail(config: MailConfig, order: Order, dispatch: Dispatch): Mail {
  const { parcel, isPart, isLast, isAgain } = dispatch;
  const { reference } = order;
  const message = {
    ...toCustomer(order),
    preheader: parcel.trackingNumber ? `Its tracking number is ${parcel.trackingNumber}.` : 'It has left our warehouse.',
    items: piecesOf(config, order, parcel.pieces),
    facts: factsOf(order, dispatch),
    link: parcel.trackingUrl ? { label: 'Track your parcel', url: parcel.trackingUrl } : orderLink(order, config),
  };
  if (isAgain) return customerMail(config, 'trackingAdded', { reference, what: isPart ? 'part of your order' : 'your order' }, message);
  const dueText = `Please have ${pounds(parcel.amountDue)} ready for the driver${isPart ? ' of this parcel' : ''}.`;
  const paragraphs = [
    ...(isPart ? [isLast ? 'This is the last parcel of your order.' : 'The rest will come in another parcel.'] : []),
    ...(parcel.amountDue > 0 ? [dueText] : []),
  ];
  const values = { reference, toAddress: toAddressOf(order) };
  return customerMail(config, isPart ? 'partDispatched' : 'dispatched', values, { ...message, paragraphs });
}
