import { MAIL_VARIANT, pictureId, pictureUrl } from '#contract/catalogue/pictures.ts';
import { windowText } from '#contract/delivery/delivery-window.ts';
import { rateText } from '#contract/invoices/vat.ts';
import { RETURN_DAYS } from '#contract/market/market.ts';
import { pounds } from '#contract/market/money.ts';
import { shopDay } from '#contract/market/shop-time.ts';
import { changesOf } from '#contract/orders/changes.ts';
import { type Order, PAYMENT_METHOD } from '#contract/orders/orders.ts';
import type { Mail } from '#server/gateways/mail.ts';
import { type Fact, helloTo, type MailItem, mailOf, unlinked } from './layout.ts';

/** The small picture of a piece; none where the picture is not of the shop's making. */
function pictureOf(image: string, picturesUrl: string): MailItem['picture'] {
  const id = pictureId(image);
  return id === undefined ? undefined : { id, url: picturesUrl + pictureUrl(id, MAIL_VARIANT.width, MAIL_VARIANT.format) };
}

/** The pieces of an order that were not cancelled. */
function itemsOf(order: Order, picturesUrl: string): MailItem[] {
  return order.orderItems.flatMap(({ name, size, colourName, qty, cancelledQty, price, image }) => {
    const left = qty - cancelledQty;
    const details = [size && `Size: ${size}`, colourName && `colour: ${colourName}`].filter(Boolean).join(', ').replace(/^c/, 'C');
    const picture = pictureOf(image, picturesUrl);
    return left > 0 ? [{ name, details, quantity: `${left} × ${pounds(price)}`, amount: pounds(price * left), picture }] : [];
  });
}

/** Net and VAT, by rate, of what the order's invoice comes to; nothing where no VAT was charged. */
function vatOf({ invoices: [invoice] }: Order): Fact[] {
  if (!invoice || invoice.vatRate === null) return [];
  return [
    ['Net', pounds(invoice.net)],
    [`VAT at ${rateText(invoice.vatRate)}`, pounds(invoice.vat)],
  ];
}

const sumsOf = (order: Order): Fact[] => [
  ['Subtotal', pounds(order.subTotalPrice)],
  ['Delivery', order.shippingPrice === 0 ? 'Free' : pounds(order.shippingPrice)],
  ...vatOf(order),
  ['Total', pounds(order.totalPrice)],
  ...changesOf(order).map(([label, pence]): Fact => [label, pounds(pence)]),
];

/** Where an order goes, in one line in which mail programs find no links. */
function addressOf(order: Order): string {
  const { line1, line2, city, state, postalCode, country } = order.shippingAddress;
  return unlinked([order.fullName, line1, line2, city, state, postalCode, country].filter(Boolean).join(', '));
}

/** ` to: 1 High Street, Leeds`; ` to you` in a mail that must not name the address. */
export const toAddressOf = (order: Order): string => {
  const address = addressOf(order);
  return address ? ` to: ${address}` : ' to you';
};

/** How it is paid; of cash, what is due at the door. */
function paymentOf({ isPaid, paymentMethod, totalPrice }: Order): Fact[] {
  if (isPaid) return [['Payment', `Paid by ${paymentMethod}`]];
  if (paymentMethod !== PAYMENT_METHOD.cash) return [['Payment', paymentMethod]];
  return [
    ['Payment', paymentMethod],
    ['To pay', `${pounds(totalPrice)} in cash, when it is delivered`],
  ];
}

const dayOf = (iso: string) => windowText({ from: shopDay(iso), to: shopDay(iso) });

/** What people look up in a mail long after it came. */
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
 * Sent once an order is placed. Mails of an order go to the account's address, never to the one typed at checkout or at the provider:
 * nobody has shown that that one is theirs. Amounts are the pounds that are charged (clarification 11).
 * Nobody has shown that they read the account's address either: whoever registers with a stranger's must not write to them. So the mail holds nothing
 * that the sender typed, neither name nor address nor phone number; those stand on the order's page.
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
    link: { label: 'See your order', url: `${publicUrl}/order/${order._id}` },
    closing: [
      ...(order.awaitsApproval ? ['We check larger first orders by hand before we pack them. There is nothing you need to do.'] : []),
      'Your order page shows the delivery address and the phone number that we will use.',
      'Orders are processed in 1-2 business days. You can cancel on your order page until we start to pack it.',
      // The right to cancel has to reach the customer in a form that lasts (Consumer Contracts Regulations 2013).
      `Once it is with you, you have ${RETURN_DAYS.ask} days to change your mind, for any reason. How that works: ${publicUrl}/refund-policy`,
    ],
  });
}

/** Sent when the courier could not hand an order over. */
export function deliveryFailedMail(order: Order, publicUrl: string): Mail {
  return mailOf({
    to: order.user.email,
    subject: `We could not deliver your order ${order.reference}`,
    preheader: 'Please call us to agree another day.',
    greeting: helloTo(order.fullName || order.user.name),
    paragraphs: [
      `We tried to deliver your order${toAddressOf(order)}, but could not complete the delivery.`,
      'Please call us to agree another day. If you no longer want your order, tell us then.',
    ],
    link: { label: 'See your order', url: `${publicUrl}/order/${order._id}` },
  });
}

/** What was cancelled of an order, and what follows from it. */
interface Cancellation {
  /** The pieces, in words; empty for the whole order. */
  pieces: string;
  /** Ends the sentence that says so; may be empty. */
  because: string;
  /** Pence that go back; 0 where nothing was paid. */
  refund: number;
  byCard: boolean;
  /** The customer's bank has taken the payment back, or holds it. */
  isDisputed: boolean;
}

/** What follows where no refund comes from the shop since the customer disputed the payment. */
export const DISPUTED = 'You have disputed this payment with your bank, so any money back comes from your bank and not from us.';

/** Sent once an order, or some of it, was cancelled by its customer or by the shop. */
export function orderCancelledMail(order: Order, { pieces, because, refund, byCard, isDisputed }: Cancellation, publicUrl: string): Mail {
  const what = pieces ? `part of your order: ${pieces}` : 'your order';
  const back = byCard ? 'to your card. That usually takes 5-10 business days.' : 'to you. We will be in touch about how.';
  const unpaid = order.amountDue > 0 ? `${pounds(order.amountDue)} is still to pay.` : 'There is nothing to pay.';
  const due = isDisputed ? DISPUTED : unpaid;
  return mailOf({
    to: order.user.email,
    subject: pieces ? `Part of your order ${order.reference} was cancelled` : `Your order ${order.reference} was cancelled`,
    preheader: refund > 0 ? `${pounds(refund)} goes back to you.` : due,
    // A customer cancels within a minute of ordering: the same holds as of the confirmation.
    greeting: 'Hello,',
    paragraphs: [`We have cancelled ${what}${because && `, ${because}`}.`, refund > 0 ? `We are refunding ${pounds(refund)} ${back}` : due],
    link: { label: 'See your order', url: `${publicUrl}/order/${order._id}` },
  });
}

/** Sent once money of an order has gone back. */
export function orderRefundedMail(order: Order, amount: number, byCard: boolean): Mail {
  return mailOf({
    to: order.user.email,
    subject: `Your refund for order ${order.reference}`,
    preheader: `${pounds(amount)} is on its way back to you.`,
    greeting: helloTo(order.fullName || order.user.name),
    paragraphs: [
      `We have refunded ${pounds(amount)} of your order${byCard ? ' to the card that you paid with' : ''}.`,
      ...(byCard ? ['Refunds usually arrive within 5-10 business days.'] : []),
    ],
    facts: [['Order', order.reference]],
  });
}

export function orderDeliveredMail(order: Order, publicUrl: string, picturesUrl = publicUrl): Mail {
  return mailOf({
    to: order.user.email,
    subject: `Your order ${order.reference} was delivered`,
    preheader: 'Tell us if anything is wrong with it.',
    greeting: helloTo(order.fullName || order.user.name),
    paragraphs: [
      `Your order has been delivered${toAddressOf(order)}.`,
      'If it has not arrived, or something is wrong with it, please let us know.',
      `You have ${RETURN_DAYS.ask} days from the day of delivery to change your mind. Ask for the return on your order page.`,
    ],
    items: itemsOf(order, picturesUrl),
    sums: sumsOf(order),
    facts: [['Order', order.reference]],
    link: { label: 'See your order', url: `${publicUrl}/order/${order._id}` },
  });
}

const REFUND_REASONS = {
  sold: 'by the time your payment arrived, what you chose had been sold',
  amount: 'the amount paid did not match the price of your order',
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
    greeting: helloTo(order.fullName || order.user.name),
    paragraphs: [
      `We are sorry: ${REFUND_REASONS[reason]}. We have refunded ${reason === 'sold' ? amount : 'it in full'} to your card.`,
      `Refunds usually arrive within 5-10 business days.${reason === 'twice' ? ' Your order itself is not affected.' : ' You are welcome to order again.'}`,
    ],
    facts: [['Order', order.reference]],
  });
}
