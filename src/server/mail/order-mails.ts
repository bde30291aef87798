import { MAIL_VARIANT, pictureId, pictureUrl } from '#contract/catalogue/pictures.ts';
import type { DeliveryWindow } from '#contract/delivery/delivery.ts';
import { dayText, windowText } from '#contract/delivery/delivery-window.ts';
import { byMethod } from '#contract/delivery/method-name.ts';
import { sumsOf as invoiceSums } from '#contract/invoices/invoice-text.ts';
import { type Pence, pounds } from '#contract/market/money.ts';
import { shopDay } from '#contract/market/shop-time.ts';
import { shownItems } from '#contract/orders/alike.ts';
import { cancelledRows, costOf, totalRows } from '#contract/orders/changes.ts';
import { type Order, PAYMENT_METHOD } from '#contract/orders/orders.ts';
import { momentText } from '#contract/orders/pay-by.ts';
import { discountRows } from '#contract/promotions/rows.ts';
import { RETURN_DAYS } from '#contract/returns/return-days.ts';
import type { Mail } from '#server/gateways/mail.ts';
import {
  addressLink,
  customerMail,
  type Fact,
  type LinkAfter,
  type MailConfig,
  type MailItem,
  type Message,
  orderLink,
  toCustomer,
  unlinked,
} from './layout.ts';

type Origins = Pick<MailConfig, 'publicUrl' | 'picturesUrl'>;

/** The mail-sized picture of a piece; undefined for pictures outside our store. */
function pictureOf({ publicUrl, picturesUrl }: Origins, image: string): MailItem['picture'] {
  const id = pictureId(image);
  if (!id) return undefined;
  const path = pictureUrl(id, MAIL_VARIANT.width, MAIL_VARIANT.format);
  return { id, url: `${picturesUrl || publicUrl}${path}` };
}

type Item = Order['orderItems'][number];

function pieceOf(origins: Origins, { name, size, colourName, image }: Item): Pick<MailItem, 'name' | 'details' | 'picture'> {
  const colour = colourName && `${size ? 'colour' : 'Colour'}: ${colourName}`;
  const details = [size && `Size: ${size}`, colour].filter(Boolean).join(', ');
  return { name, details, picture: pictureOf(origins, image) };
}

/** Lines of an order. Cancelled pieces are marked: the subtotal has them too, and the sums below it take them off. */
function itemsOf(origins: Origins, order: Order): MailItem[] {
  return shownItems(order.orderItems).flatMap((item) => {
    const counts = [
      { qty: item.qty - item.cancelledQty, isCancelled: false },
      { qty: item.cancelledQty, isCancelled: true },
    ];
    return counts
      .filter(({ qty }) => qty > 0)
      .map(({ qty, isCancelled }) => ({
        ...pieceOf(origins, item),
        quantity: `${isCancelled ? 'Cancelled: ' : ''}${qty} × ${pounds(item.price)}`,
        amount: pounds(item.price * qty),
        isCancelled,
      }));
  });
}

/** Some pieces of an order, without prices. */
export const piecesOf = (origins: Origins, order: Order, pieces: readonly { line: number; qty: number }[]): MailItem[] =>
  shownItems(pieces.flatMap(({ line, qty }) => order.orderItems.slice(line, line + 1).map((item) => ({ ...item, qty })))).map((item) => ({
    ...pieceOf(origins, item),
    quantity: `Quantity: ${item.qty}`,
    amount: '',
  }));

/** Net and VAT of the last sum, by the order's invoice or pro forma; empty if no VAT was charged, or if the document is of another sum. */
const vatOf = (order: Order): Fact[] => {
  const [invoice, ...others] = order.invoices;
  if (!invoice || others.length > 0 || invoice.gross !== costOf(order)) return [];
  return invoiceSums(invoice).flatMap(([label, amount]) => (label === 'Total' ? [] : [[label, pounds(amount)]]));
};

/** The lines' sum and what follows from it, up to what the order costs now and the VAT in that. */
const sumsOf = (order: Order): Pick<Message, 'sums' | 'inTotal'> => ({
  sums: [
    ['Subtotal', pounds(order.subTotalPrice)],
    ...discountRows(order, pounds),
    ...cancelledRows(order, pounds),
    ['Delivery', order.shippingPrice === 0 ? 'Free' : pounds(order.shippingPrice)],
    ...totalRows(order, pounds),
  ],
  inTotal: vatOf(order),
});

/** Delivery address in one line, with `unlinked` text. */
function addressOf(order: Order): string {
  const { line1, line2, city, state, postalCode, country } = order.shippingAddress;
  return unlinked([order.fullName, line1, line2, city, state, postalCode, country].filter(Boolean).join(', '));
}

/** ` to: 1 High Street, Leeds`, or ` to you` for an order that was read without its address. */
export const toAddressOf = (order: Order): string => {
  const address = addressOf(order);
  return address ? ` to: ${address}` : ' to you';
};

/** Payment method; for cash, the amount due on delivery. */
function paymentOf(order: Order): Fact[] {
  const { isPaid, paymentMethod } = order;
  if (isPaid) return [['Payment', `Paid by ${paymentMethod}`]];
  if (paymentMethod !== PAYMENT_METHOD.cash) return [['Payment', paymentMethod]];
  return [
    ['Payment', paymentMethod],
    ['To pay', `${pounds(costOf(order))} in cash, when it is delivered`],
  ];
}

const dayOf = (iso: string) => dayText(shopDay(iso));

const arrivalOf = (order: Order, window: DeliveryWindow) =>
  windowText(window) + (order.isDayChosen ? ', the day that you chose' : '') + byMethod(order);

function factsOf(order: Order): Fact[] {
  return [
    ['Order', order.reference],
    ...order.invoices.slice(0, 1).flatMap(({ kind, number }): Fact[] => (kind === 'invoice' ? [['Invoice', number]] : [])),
    ['Placed', dayOf(order.createdAt)],
    ...(order.deliveryWindow ? [['Arrives', arrivalOf(order, order.deliveryWindow)] as Fact] : []),
    ...paymentOf(order),
  ];
}

/** The right to cancel must be given on a durable medium (Consumer Contracts Regulations 2013). */
const rightToCancel = ({ publicUrl }: Pick<MailConfig, 'publicUrl'>, { createdAt }: Order): LinkAfter => ({
  text: `Once it is with you, you have ${RETURN_DAYS.ask} days to change your mind, for any reason.`,
  label: 'How that works',
  url: `${publicUrl}/refund-policy?at=${createdAt}`,
});

const PLEASE_CONFIRM =
  'This email address is not confirmed yet, so our emails leave out your name, your delivery address and your invoices. If you placed this order, please log in and confirm that the address is yours.';

/**
 * Sent once an order is placed, to the account's address, since an address typed at checkout or at the provider is unverified. Amounts in
 * pounds, as charged (clarification 11).
 * No name, address or phone number: the account's address may be unverified too, and nobody may send a stranger a text of their own through
 * us. The order's page shows them. `lostDay`: the day that was chosen, if we do not deliver to the payer's address on it. `linkToken`: of a link that confirms
 * the account's address.
 */
export function orderConfirmation(config: MailConfig, order: Order, lostDay?: string, linkToken?: string): Mail {
  return customerMail(
    config,
    'orderPlaced',
    { reference: order.reference },
    {
      to: order.user.email,
      preheader: [order.deliveryWindow && `It arrives ${windowText(order.deliveryWindow)}.`, `${pounds(costOf(order))} in all.`]
        .filter(Boolean)
        .join(' '),
      greeting: 'Hello,',
      items: itemsOf(config, order),
      ...sumsOf(order),
      facts: factsOf(order),
      link: orderLink(order, config),
      closing: [
        ...(lostDay
          ? [
              `You chose ${dayText(lostDay)}. We cannot deliver to your address on that day, ${order.deliveryWindow ? 'so we will come on the days above' : 'and will agree another with you'}.`,
            ]
          : []),
        ...(linkToken ? [{ text: PLEASE_CONFIRM, ...addressLink(config, linkToken) }] : []),
        ...(order.awaitsApproval ? ['We check larger first orders by hand before we pack them. There is nothing you need to do.'] : []),
        rightToCancel(config, order),
      ],
    },
  );
}

/** Sent after an administrator changed where or when an order is delivered. `what` names the changes, such as “the address”. */
export function deliveryChangedMail(config: MailConfig, order: Order, what: string): Mail {
  const { reference, deliveryWindow } = order;
  const address = addressOf(order);
  const facts: Fact[] = [
    ['Order', reference],
    ...(address ? [['Delivery to', address] as Fact] : []),
    ...(deliveryWindow ? [['Arrives', arrivalOf(order, deliveryWindow)] as Fact] : []),
  ];
  const message = { ...toCustomer(order), preheader: `We have changed ${what}.`, facts, link: orderLink(order, config) };
  return customerMail(config, 'deliveryChanged', { reference, what }, message);
}

/** Links to the payment page. Anybody who has this mail can pay. */
const payLinkOf = ({ publicUrl }: Pick<MailConfig, 'publicUrl'>, token: string, amount: string) => ({
  url: `${publicUrl}/pay/${token}`,
  label: `Pay ${amount}`,
});

interface DifferenceDetails {
  takenOff: string;
  added: string;
  difference: Pence;
  /** ISO. */
  payUntil: string;
  token: string;
}

/** Asks the customer to pay the difference of a correction. */
export function differenceMail(
  config: MailConfig,
  order: Order,
  { takenOff, added, difference, payUntil, token }: DifferenceDetails,
): Mail {
  const { reference } = order;
  const amount = pounds(difference);
  const until = momentText(payUntil);
  const message = {
    ...toCustomer(order),
    preheader: `Please pay ${amount} by ${until}.`,
    paragraphs: [
      takenOff && `To be taken off: ${takenOff}.`,
      added && `To be added: ${added}.`,
      `Please pay the difference of ${amount} by ${until}. Until then your order stays as it is.`,
    ].filter(Boolean),
    link: payLinkOf(config, token, amount),
  };
  return customerMail(config, 'correctionToPay', { reference, amount }, message);
}

/** Asks the customer of an order by phone to pay it. No name or address: the account's address may be unverified. */
export function orderToPayMail(config: MailConfig, order: Order, { payUntil, token }: { payUntil: string; token: string }): Mail {
  const { reference } = order;
  const amount = pounds(costOf(order));
  const until = momentText(payUntil);
  const message = {
    to: order.user.email,
    preheader: `Please pay ${amount} by ${until}.`,
    greeting: 'Hello,',
    items: itemsOf(config, order),
    ...sumsOf(order),
    facts: [...factsOf(order), ['Please pay by', until] as Fact],
    link: payLinkOf(config, token, amount),
    closing: [
      'You need no password to pay. We keep the pieces for you until then. If it is not paid, we cancel the order and you owe nothing.',
      'If you pay later than today, delivery may be later too.',
      rightToCancel(config, order),
    ],
  };
  return customerMail(config, 'orderToPay', { reference, amount }, message);
}

interface CorrectionDetails {
  /** The pieces, in words; may be empty. */
  takenOff: string;
  added: string;
  /** Refund in pence; 0 if nothing goes back. */
  refund: number;
  byCard: boolean;
  /** The chosen day, if it cannot be kept. */
  lostDay?: string | undefined;
}

/** Sent after an administrator changed the pieces of an order. */
export function orderCorrectedMail(
  config: MailConfig,
  order: Order,
  { takenOff, added, refund, byCard, lostDay }: CorrectionDetails,
): Mail {
  const { reference } = order;
  const money = refund > 0 ? refundText(refund, byCard) : unpaidText(order);
  const lostDayText = lostDay ? `You chose ${dayText(lostDay)}. The added pieces will not be ready by then, so we will deliver later.` : '';
  const message = {
    ...toCustomer(order),
    preheader: money,
    paragraphs: [takenOff && `Taken off: ${takenOff}.`, added && `Added: ${added}.`, money, lostDayText].filter(Boolean),
    items: itemsOf(config, order),
    ...sumsOf(order),
    facts: order.deliveryWindow ? [['Arrives', arrivalOf(order, order.deliveryWindow)] as Fact] : [],
    link: orderLink(order, config),
  };
  return customerMail(config, 'corrected', { reference }, message);
}

/** Sent after a failed delivery attempt. */
export function deliveryFailedMail(config: MailConfig, order: Order): Mail {
  const values = { reference: order.reference, toAddress: toAddressOf(order) };
  const message = { ...toCustomer(order), preheader: 'Please call us to agree another day.', link: orderLink(order, config) };
  return customerMail(config, 'deliveryFailed', values, message);
}

interface Cancellation {
  /** The pieces, in words; empty for the whole order. */
  pieces: string;
  /** The pieces, by line. */
  cancelled: readonly { line: number; qty: number }[];
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

/** What an unpaid order costs now. Not what is left to pay of it: a driver may have money that is not recorded yet. */
export const unpaidText = (order: Order): string =>
  order.amountDue > 0 ? `Your order now costs ${pounds(costOf(order))}.` : 'There is nothing to pay.';

/** Sent after the customer or the shop cancelled an order or part of it. */
export function orderCancelledMail(config: MailConfig, order: Order, cancellation: Cancellation): Mail {
  const { pieces, cancelled, refund, byCard, isDisputed } = cancellation;
  const { reference } = order;
  const because = cancellation.because && `, ${cancellation.because}`;
  const due = isDisputed ? DISPUTED : unpaidText(order);
  const message = {
    to: order.user.email,
    preheader: refund > 0 ? `We are refunding ${pounds(refund)}.` : due,
    // No name: customers can cancel within a minute of ordering, so the confirmation's rule applies.
    greeting: 'Hello,',
    paragraphs: [refund > 0 ? refundText(refund, byCard) : due],
    items: piecesOf(config, order, cancelled),
    link: orderLink(order, config),
  };
  if (pieces) return customerMail(config, 'partCancelled', { reference, pieces, because }, message);
  return customerMail(config, 'cancelled', { reference, because }, message);
}

/** Sent after a refund. */
export function orderRefundedMail(config: MailConfig, order: Order, pence: number, byCard: boolean): Mail {
  const { reference } = order;
  const amount = pounds(pence);
  const howPaid = byCard ? ' to the card or account that you paid with' : '';
  return customerMail(
    config,
    'refunded',
    { reference, amount, howPaid },
    {
      ...toCustomer(order),
      preheader: `${amount} is on its way back to you.`,
      paragraphs: byCard ? ['Refunds usually arrive within 5-10 business days.'] : [],
      facts: [
        ['Order', reference],
        ['Refunded', amount],
      ],
      link: orderLink(order, config),
    },
  );
}

/** Sent once a refund that was announced is not made, since staff have undone the record of the payment. */
export function refundEndedMail(config: MailConfig, order: Order, pence: number, still: number): Mail {
  const { reference } = order;
  const due = unpaidText(order);
  const values = { reference, amount: pounds(pence) };
  const paragraphs = [still > 0 && `You still get ${pounds(still)} back.`, due].filter((text) => text !== false);
  return customerMail(config, 'refundEnded', values, { ...toCustomer(order), preheader: due, paragraphs, link: orderLink(order, config) });
}

/** Sent after staff wrote off what was still due, or a part of it. */
export function writtenOffMail(config: MailConfig, order: Order, pence: number): Mail {
  const { reference } = order;
  const due = unpaidText(order);
  const values = { reference, amount: pounds(pence) };
  return customerMail(config, 'writtenOff', values, {
    ...toCustomer(order),
    preheader: due,
    paragraphs: [due],
    link: orderLink(order, config),
  });
}

export function orderDeliveredMail(config: MailConfig, order: Order): Mail {
  const { reference } = order;
  return customerMail(
    config,
    'delivered',
    { reference, toAddress: toAddressOf(order) },
    {
      ...toCustomer(order),
      preheader: 'Tell us if anything is wrong with it.',
      paragraphs: [`You have ${RETURN_DAYS.ask} days from the day of delivery to change your mind. Ask for the return on your order page.`],
      items: itemsOf(config, order),
      ...sumsOf(order),
      facts: [['Order', reference]],
      link: orderLink(order, config),
    },
  );
}

const REFUND_REASONS = {
  sold: 'by the time your payment arrived, what you chose had been sold',
  used: 'by the time your payment arrived, your discount could no longer be used',
  amount: 'the amount paid did not match the price of your order',
  place: 'we do not deliver to the address that you gave',
  change: 'by the time your payment arrived, the change of your order was no longer possible',
  link: 'by the time your payment arrived, your order had changed or was cancelled',
  twice: 'your order was paid twice, so we have sent the second payment back',
} as const;

const NEXT_STEPS: Partial<Record<RefundReason, string>> = {
  change: 'Your order itself is not affected.',
  link: 'Your order page shows whether there is anything left to pay.',
  twice: 'Your order itself is not affected.',
};

export type RefundReason = keyof typeof REFUND_REASONS;

/** Of these the order's total is what was paid. */
const PAID_IN_FULL: readonly RefundReason[] = ['sold', 'used', 'place'];

/** Sent after refunding a payment that could not become an order. Names the amount only if it is the order's total. */
export function paymentRefunded(config: MailConfig, order: Order, reason: RefundReason): Mail {
  const { reference } = order;
  const isOrderTotal = PAID_IN_FULL.includes(reason);
  const values = { reference, reason: REFUND_REASONS[reason], amount: isOrderTotal ? pounds(order.totalPrice) : 'it in full' };
  const nextStep = NEXT_STEPS[reason] ?? 'You are welcome to order again.';
  return customerMail(config, 'paymentRefunded', values, {
    ...toCustomer(order),
    preheader: `We are sorry: ${isOrderTotal ? values.amount : 'your payment'} is on its way back to you.`,
    paragraphs: [`Refunds usually arrive within 5-10 business days. ${nextStep}`],
    facts: [['Order', reference]],
    link: orderLink(order, config),
  });
}
