import { MAIL_VARIANT, pictureId, pictureUrl } from '#contract/catalogue/pictures.ts';
import { windowText } from '#contract/delivery/delivery-window.ts';
import { sumsOf as invoiceSums } from '#contract/invoices/invoice-text.ts';
import { RETURN_DAYS } from '#contract/market/market.ts';
import { pounds } from '#contract/market/money.ts';
import { shopDay } from '#contract/market/shop-time.ts';
import { changesOf } from '#contract/orders/changes.ts';
import { type Order, PAYMENT_METHOD } from '#contract/orders/orders.ts';
import type { Mail } from '#server/gateways/mail.ts';
import { type Fact, type MailItem, mailOf, orderLink, toCustomer, unlinked } from './layout.ts';

/** The mail-sized picture of a piece; undefined for pictures outside our store. */
function pictureOf(image: string, picturesUrl: string): MailItem['picture'] {
  const id = pictureId(image);
  return id === undefined ? undefined : { id, url: picturesUrl + pictureUrl(id, MAIL_VARIANT.width, MAIL_VARIANT.format) };
}

type Item = Order['orderItems'][number];

function pieceOf({ name, size, colourName, image }: Item, picturesUrl: string): Pick<MailItem, 'name' | 'details' | 'picture'> {
  const details = [size && `Size: ${size}`, colourName && `colour: ${colourName}`].filter(Boolean).join(', ').replace(/^c/, 'C');
  return { name, details, picture: pictureOf(image, picturesUrl) };
}

/** Lines of an order without cancelled pieces. */
function itemsOf(order: Order, picturesUrl: string): MailItem[] {
  return order.orderItems.flatMap((item) => {
    const left = item.qty - item.cancelledQty;
    const prices = { quantity: `${left} × ${pounds(item.price)}`, amount: pounds(item.price * left) };
    return left > 0 ? [{ ...pieceOf(item, picturesUrl), ...prices }] : [];
  });
}

/** Some pieces of an order, without prices. */
export const piecesOf = (order: Order, pieces: readonly { line: number; qty: number }[], picturesUrl: string): MailItem[] =>
  pieces.flatMap(({ line, qty }) => {
    const item = order.orderItems[line];
    return item ? [{ ...pieceOf(item, picturesUrl), quantity: `Quantity: ${qty}`, amount: '' }] : [];
  });

/** Net and VAT of the order's invoice; empty if no VAT was charged. */
const vatOf = ({ invoices: [invoice] }: Order): Fact[] =>
  invoice ? invoiceSums(invoice).flatMap(([label, amount]) => (label === 'Total' ? [] : [[label, pounds(amount)]])) : [];

const sumsOf = (order: Order): Fact[] => [
  ['Subtotal', pounds(order.subTotalPrice)],
  ['Delivery', order.shippingPrice === 0 ? 'Free' : pounds(order.shippingPrice)],
  ...vatOf(order),
  ['Total', pounds(order.totalPrice)],
  ...changesOf(order).map(([label, pence]): Fact => [label, pounds(pence)]),
];

/** Delivery address in one line, with `unlinked` text. */
function addressOf(order: Order): string {
  const { line1, line2, city, state, postalCode, country } = order.shippingAddress;
  return unlinked([order.fullName, line1, line2, city, state, postalCode, country].filter(Boolean).join(', '));
}

/** ` to: 1 High Street, Leeds`, or ` to you` where the address must stay out. */
export const toAddressOf = (order: Order): string => {
  const address = addressOf(order);
  return address ? ` to: ${address}` : ' to you';
};

/** Payment method; for cash, the amount due on delivery. */
function paymentOf({ isPaid, paymentMethod, totalPrice }: Order): Fact[] {
  if (isPaid) return [['Payment', `Paid by ${paymentMethod}`]];
  if (paymentMethod !== PAYMENT_METHOD.cash) return [['Payment', paymentMethod]];
  return [
    ['Payment', paymentMethod],
    ['To pay', `${pounds(totalPrice)} in cash, when it is delivered`],
  ];
}

const dayOf = (iso: string) => windowText({ from: shopDay(iso), to: shopDay(iso) });

function factsOf(order: Order): Fact[] {
  return [
    ['Order', order.reference],
    ...order.invoices.slice(0, 1).map(({ number }): Fact => ['Invoice', number]),
    ['Placed', dayOf(order.createdAt)],
    ...(order.deliveryWindow ? [['Arrives', windowText(order.deliveryWindow)] as Fact] : []),
    ...paymentOf(order),
  ];
}

/**
 * Sent once an order is placed, to the account's address: an address typed at checkout or at the provider is unverified. Amounts in pounds,
 * as charged (clarification 11).
 * No name, address or phone number: the account's address is unverified too, and its sender must not be able to write to a stranger. The
 * order's page shows them.
 */
export function orderConfirmation(order: Order, publicUrl: string, picturesUrl = publicUrl): Mail {
  return mailOf({
    to: order.user.email,
    subject: `Thank you for your order ${order.reference}`,
    preheader: [order.deliveryWindow && `It arrives ${windowText(order.deliveryWindow)}.`, `${pounds(order.totalPrice)} in all.`]
      .filter(Boolean)
      .join(' '),
    greeting: 'Hello,',
    paragraphs: ['Thank you for your order. Here is what you ordered:'],
    items: itemsOf(order, picturesUrl),
    sums: sumsOf(order),
    facts: factsOf(order),
    link: orderLink(order, publicUrl),
    closing: [
      ...(order.awaitsApproval ? ['We check larger first orders by hand before we pack them. There is nothing you need to do.'] : []),
      'Your order page shows the delivery address and the phone number that we will use.',
      'Orders are processed in 1-2 business days. You can cancel on your order page until we start to pack it.',
      // The right to cancel must be given on a durable medium (Consumer Contracts Regulations 2013).
      `Once it is with you, you have ${RETURN_DAYS.ask} days to change your mind, for any reason. How that works: ${publicUrl}/refund-policy`,
    ],
  });
}

/** Sent after a failed delivery attempt. */
export function deliveryFailedMail(order: Order, publicUrl: string): Mail {
  return mailOf({
    ...toCustomer(order),
    subject: `We could not deliver your order ${order.reference}`,
    preheader: 'Please call us to agree another day.',
    paragraphs: [
      `We tried to deliver your order${toAddressOf(order)}, but could not complete the delivery.`,
      'Please call us to agree another day. If you no longer want your order, tell us then.',
    ],
    link: orderLink(order, publicUrl),
  });
}

interface Cancellation {
  /** The pieces, in words; empty for the whole order. */
  pieces: string;
  /** Ends the sentence with the reason; may be empty. */
  because: string;
  /** Refund in pence; 0 if nothing was paid. */
  refund: number;
  byCard: boolean;
  /** The customer's bank has taken the payment back, or holds it. */
  isDisputed: boolean;
}

/** Replaces the refund sentence while the customer disputes the payment. */
export const DISPUTED = 'You have disputed this payment with your bank, so any money back comes from your bank and not from us.';

/** `We are refunding £49.00 to the card or account that you paid with. …` */
export const refundText = (pence: number, byCard: boolean): string =>
  `We are refunding ${pounds(pence)} ${byCard ? 'to the card or account that you paid with. That usually takes 5-10 business days.' : 'to you. We will be in touch about how.'}`;

export const leftToPay = ({ amountDue }: Order): string =>
  amountDue > 0 ? `${pounds(amountDue)} is still to pay.` : 'There is nothing to pay.';

/** Sent after the customer or the shop cancelled an order or part of it. */
export function orderCancelledMail(order: Order, { pieces, because, refund, byCard, isDisputed }: Cancellation, publicUrl: string): Mail {
  const what = pieces ? `part of your order: ${pieces}` : 'your order';
  const due = isDisputed ? DISPUTED : leftToPay(order);
  return mailOf({
    to: order.user.email,
    subject: pieces ? `Part of your order ${order.reference} was cancelled` : `Your order ${order.reference} was cancelled`,
    preheader: refund > 0 ? `${pounds(refund)} goes back to you.` : due,
    // No name: customers can cancel within a minute of ordering, so the confirmation's rule applies.
    greeting: 'Hello,',
    paragraphs: [`We have cancelled ${what}${because && `, ${because}`}.`, refund > 0 ? refundText(refund, byCard) : due],
    link: orderLink(order, publicUrl),
  });
}

/** Sent after a refund. */
export function orderRefundedMail(order: Order, amount: number, byCard: boolean): Mail {
  return mailOf({
    ...toCustomer(order),
    subject: `Your refund for order ${order.reference}`,
    preheader: `${pounds(amount)} is on its way back to you.`,
    paragraphs: [
      `We have refunded ${pounds(amount)} of your order${byCard ? ' to the card or account that you paid with' : ''}.`,
      ...(byCard ? ['Refunds usually arrive within 5-10 business days.'] : []),
    ],
    facts: [['Order', order.reference]],
  });
}

export function orderDeliveredMail(order: Order, publicUrl: string, picturesUrl = publicUrl): Mail {
  return mailOf({
    ...toCustomer(order),
    subject: `Your order ${order.reference} was delivered`,
    preheader: 'Tell us if anything is wrong with it.',
    paragraphs: [
      `Your order has been delivered${toAddressOf(order)}.`,
      'If it has not arrived, or something is wrong with it, please let us know.',
      `You have ${RETURN_DAYS.ask} days from the day of delivery to change your mind. Ask for the return on your order page.`,
    ],
    items: itemsOf(order, picturesUrl),
    sums: sumsOf(order),
    facts: [['Order', order.reference]],
    link: orderLink(order, publicUrl),
  });
}

const REFUND_REASONS = {
  sold: 'by the time your payment arrived, what you chose had been sold',
  amount: 'the amount paid did not match the price of your order',
  place: 'we do not deliver to the address that you gave',
  twice: 'your order was paid twice, so we have sent the second payment back',
} as const;

export type RefundReason = keyof typeof REFUND_REASONS;

/** Sent after refunding a payment that could not become an order. Names the amount only if it is the order's. */
export function paymentRefunded(order: Order, reason: RefundReason): Mail {
  const amount = reason === 'sold' ? pounds(order.totalPrice) : 'your payment';
  return mailOf({
    ...toCustomer(order),
    subject: `Your payment for order ${order.reference} was refunded`,
    preheader: `We are sorry: ${amount} is on its way back to you.`,
    paragraphs: [
      `We are sorry: ${REFUND_REASONS[reason]}. We have refunded ${reason === 'sold' ? amount : 'it in full'} to the card or account that you paid with.`,
      `Refunds usually arrive within 5-10 business days.${reason === 'twice' ? ' Your order itself is not affected.' : ' You are welcome to order again.'}`,
    ],
    facts: [['Order', order.reference]],
  });
}
