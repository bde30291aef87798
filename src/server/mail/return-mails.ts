import { dayText } from '#contract/delivery/delivery-window.ts';
import type { Company } from '#contract/market/company.ts';
import { lineNames, type Order } from '#contract/orders/orders.ts';
import type { Return } from '#contract/returns/returns.schema.ts';
import type { Mail } from '#server/gateways/mail.ts';
import { customerMail, type MailConfig, orderLink, toCustomer } from './layout.ts';
import { DISPUTED, refundText, unpaidText } from './order-mails.ts';

/** Sent after a customer asked to return pieces; `pieces` in words. */
export function returnAskedMail(config: MailConfig, order: Order, pieces: string): Mail {
  const how = config.company.collectsReturns
    ? 'We collect what you return, free of charge.'
    : 'We collect large pieces, free of charge, and will tell you where to send smaller ones.';
  const message = { ...toCustomer(order), preheader: 'We will reply by the next working day.', link: orderLink(order, config) };
  return customerMail(config, 'returnAsked', { reference: order.reference, pieces, how }, message);
}

/** Where to post returns, in words; empty if not configured. */
function returnsPlace({ returnsAddress, name, office }: Company): string {
  if (returnsAddress) return returnsAddress;
  return office && `our registered office, ${[name, office].filter(Boolean).join(', ')}`;
}

function howItComesBack({ sendBy }: Return, { reference }: Order, company: Company): string {
  if (!sendBy) return 'We will collect it from you, free of charge. Please call or email us to agree a day.';
  const place = returnsPlace(company);
  const day = dayText(sendBy);
  const post = place
    ? `Please send it by ${day} to ${place}, with the reference ${reference} on the parcel.`
    : `Please send it by ${day}. Call or email us for the address, and put the reference ${reference} on the parcel.`;
  return `${post} If it is too large to post, call or email us and we will collect it, free of charge.`;
}

/** Sent after the shop approved or refused a return, with its answer. */
export function returnDecisionMail(config: MailConfig, order: Order, customerReturn: Return): Mail {
  const { status, sendBy, answer } = customerReturn;
  const values = { reference: order.reference, pieces: lineNames(order.orderItems, customerReturn.pieces) };
  const message = { ...toCustomer(order), link: orderLink(order, config) };
  const shopsAnswer = answer ? [answer] : [];
  if (status !== 'approved') {
    const rights = 'This does not affect your statutory rights. If you disagree, please contact us.';
    const refused = { preheader: 'We cannot accept this return.', paragraphs: [...shopsAnswer, rights] };
    return customerMail(config, 'returnRefused', values, { ...message, ...refused });
  }
  const paragraphs = [
    howItComesBack(customerReturn, order, config.company),
    'We will refund you once we have received it.',
    ...shopsAnswer,
  ];
  const preheader = sendBy ? `Please send it by ${dayText(sendBy)}.` : 'Please call or email us to agree a day.';
  return customerMail(config, sendBy ? 'returnToPost' : 'returnToCollect', values, { ...message, preheader, paragraphs });
}

/** Sent after a customer withdrew a return. */
export function returnWithdrawnMail(config: MailConfig, order: Order, pieces: string): Mail {
  const message = { ...toCustomer(order), preheader: 'There is nothing more you need to do.', link: orderLink(order, config) };
  return customerMail(config, 'returnWithdrawn', { reference: order.reference, pieces }, message);
}

interface Arrival {
  /** The pieces, in words. */
  text: string;
  /** Pence refunded, or no longer owed. */
  amount: number;
  isPaid: boolean;
  byCard: boolean;
  /** The customer's bank holds the price of the pieces, or has given it back. */
  isDisputed: boolean;
  /** The shop's note, such as why the refund is lower; may be empty. */
  answer: string;
}

function moneyText(order: Order, { amount, isPaid, byCard, isDisputed }: Arrival): string {
  if (!isPaid) return unpaidText(order);
  if (amount > 0) return refundText(amount, byCard);
  return isDisputed ? DISPUTED : 'There is no refund for it.';
}

/** Sent when returned pieces arrive. Says what goes back; once the money has gone, the credit note has a mail of its own. */
export function returnReceivedMail(config: MailConfig, order: Order, arrival: Arrival): Mail {
  const { text, answer } = arrival;
  const money = moneyText(order, arrival);
  return customerMail(
    config,
    'returnReceived',
    { reference: order.reference, pieces: text },
    {
      ...toCustomer(order),
      preheader: money,
      paragraphs: [money, ...(answer ? [answer] : [])],
      link: orderLink(order, config),
    },
  );
}
