import { pounds } from '#contract/market/money.ts';
import type { Order } from '#contract/orders.ts';
import type { Mail } from '#server/gateways/mail.ts';
import { type MailTable, mailOf, unlinked } from './layout.ts';

function tableOf(order: Order): MailTable {
  const nameOf = (item: Order['orderItems'][number]) => [item.name, item.size, item.colourName].filter(Boolean).join(', ');
  return {
    head: ['Item', 'Quantity', 'Price'],
    rows: order.orderItems.map((item) => [nameOf(item), `× ${item.qty}`, pounds(item.price * item.qty)]),
    foot: [
      ['Subtotal', pounds(order.subTotalPrice)],
      ['Shipping', pounds(order.shippingPrice)],
      ['Total', pounds(order.totalPrice)],
    ],
  };
}

function addressOf(order: Order): string {
  const { line1, line2, city, state, postalCode, country } = order.shippingAddress;
  return unlinked([order.fullName, line1, line2, city, state, postalCode, country].filter(Boolean).join(', '));
}

/**
 * Sent once an order is placed. Mails of an order go to the account's address, never to the one typed at checkout or at the provider:
 * nobody has shown that that one is theirs. Amounts are the pounds that are charged (clarification 11).
 */
export function orderConfirmation(order: Order, publicUrl: string): Mail {
  return mailOf({
    to: order.user.email,
    subject: `Thank you for your order ${order.reference}`,
    preheader: `What we have noted, and where it goes. ${pounds(order.totalPrice)} in all.`,
    greeting: `Hello ${order.fullName || order.user.name},`,
    paragraphs: ['Thank you for your order. Here is what you ordered:'],
    table: tableOf(order),
    link: { label: 'See your order', url: `${publicUrl}/order/${order._id}` },
    closing: [
      `It goes to: ${addressOf(order)}.`,
      order.isPaid ? `Paid by ${order.paymentMethod}.` : `Payment: ${order.paymentMethod}.`,
      'Orders are processed in 1-2 business days. To cancel, write to us within 1-2 hours.',
    ],
  });
}

/** Sent once an order leaves the shop, and again when it is sent a second time after a failed delivery. */
export function orderDispatchedMail(order: Order, publicUrl: string): Mail {
  return mailOf({
    to: order.user.email,
    subject: `Your order ${order.reference} is on its way`,
    preheader: 'It has left our warehouse.',
    greeting: `Hello ${order.fullName || order.user.name},`,
    paragraphs: [`Your order has left our warehouse for: ${addressOf(order)}.`, ...(order.isPaid ? [] : [dueText(order)])],
    link: { label: 'See your order', url: `${publicUrl}/order/${order._id}` },
  });
}

const dueText = (order: Order) => `Please have ${pounds(order.totalPrice)} ready for the driver.`;

/** Sent when the courier could not hand an order over. */
export function deliveryFailedMail(order: Order, publicUrl: string): Mail {
  return mailOf({
    to: order.user.email,
    subject: `We could not deliver your order ${order.reference}`,
    preheader: 'Tell us how and when we can reach you.',
    greeting: `Hello ${order.fullName || order.user.name},`,
    paragraphs: [
      `We tried to deliver your order to: ${addressOf(order)}, and could not hand it over.`,
      'Please write to us with a day that suits you, or a better address. If you no longer want it, tell us, and we cancel it.',
    ],
    link: { label: 'See your order', url: `${publicUrl}/order/${order._id}` },
  });
}

export function orderDeliveredMail(order: Order, publicUrl: string): Mail {
  return mailOf({
    to: order.user.email,
    subject: `Your order ${order.reference} was delivered`,
    preheader: 'Tell us if anything is wrong with it.',
    greeting: `Hello ${order.fullName || order.user.name},`,
    paragraphs: [
      `Your order was marked as delivered to: ${addressOf(order)}.`,
      'If it has not arrived, or something is wrong with it, please write to us.',
    ],
    link: { label: 'See your order', url: `${publicUrl}/order/${order._id}` },
  });
}

const REFUND_REASONS = {
  sold: 'when your payment arrived, what you chose had just been sold',
  amount: 'what was paid is not what your order costs',
  twice: 'your order was paid twice, so we have sent the second payment back',
} as const;

/** Why a payment was given back. */
export type RefundReason = keyof typeof REFUND_REASONS;

/** A payment that could not become an order. The amount is named only where it is the order's. */
export function paymentRefunded(order: Order, reason: RefundReason): Mail {
  const amount = reason === 'sold' ? pounds(order.totalPrice) : 'your payment';
  return mailOf({
    to: order.user.email,
    subject: `Your payment for order ${order.reference} was refunded`,
    preheader: `We are sorry: ${amount} is on its way back to your card.`,
    greeting: `Hello ${order.fullName || order.user.name},`,
    paragraphs: [
      `We are sorry: ${REFUND_REASONS[reason]}. We have refunded ${reason === 'sold' ? amount : 'it in full'} to your card.`,
      `Refunds usually arrive within 5-10 business days.${reason === 'twice' ? ' Your order itself is not affected.' : ' You are welcome to order again.'}`,
    ],
  });
}
