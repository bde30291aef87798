import { windowText } from '#contract/delivery/window-text.ts';
import { pounds } from '#contract/market/money.ts';
import type { Return } from '#contract/orders/returns.schema.ts';
import type { Order } from '#contract/orders.ts';
import type { Config } from '#server/base/config.ts';
import type { Mail } from '#server/gateways/mail.ts';
import { mailOf } from './layout.ts';

const greetingOf = (order: Order) => `Hello ${order.fullName || order.user.name},`;
const linkOf = (order: Order, publicUrl: string) => ({ label: 'See your order', url: `${publicUrl}/order/${order._id}` });
const dayText = (day: string) => windowText({ from: day, to: day });

/** Sent once a customer has asked to send pieces back; `pieces` are in words. */
export function returnAskedMail(order: Order, pieces: string, _id: string, publicUrl: string): Mail {
  return mailOf({
    to: order.user.email,
    subject: `We have your request for a return, order ${order.reference}`,
    preheader: 'We answer on the next working day.',
    greeting: greetingOf(order),
    paragraphs: [
      `You would like to return: ${pieces}. You have told us in time, whatever day it reaches us.`,
      'We answer on the next working day and say how the pieces come back to us. Please keep the packaging if you can.',
    ],
    link: linkOf(order, publicUrl),
  });
}

/** Sent once the shop has agreed to a return, or refused it, with what it says. */
export function returnJudgedMail(
  order: Order,
  { status, sendBy, answer, pieces }: Return,
  { company, publicUrl }: Pick<Config, 'company' | 'publicUrl'>,
): Mail {
  const what = pieces.map(({ line, qty }) => `${qty} x ${order.orderItems[line]?.name ?? ''}`).join(', ');
  const isAgreed = status === 'approved';
  const how = [
    `We take back: ${what}.`,
    `Please send it by ${dayText(sendBy ?? '')} to ${company.name}, ${company.office}, with the reference ${order.reference} on the parcel. If it is too large to be sent, write to us, and we arrange a collection.`,
    'We refund you once it is here.',
  ];
  const refused = [
    `We do not take back: ${what}.`,
    'This does not limit your statutory rights. Please write to us if you see it differently.',
  ];
  return mailOf({
    to: order.user.email,
    subject: `${isAgreed ? 'Send your return' : 'About your return'}, order ${order.reference}`,
    preheader: isAgreed ? `Please send it by ${dayText(sendBy ?? '')}.` : 'We do not take it back.',
    greeting: greetingOf(order),
    paragraphs: [...(isAgreed ? how : refused.slice(0, 1)), ...(answer ? [answer] : []), ...(isAgreed ? [] : refused.slice(1))],
    link: linkOf(order, publicUrl),
  });
}

/** Sent once a customer has changed their mind about a return. */
export function returnWithdrawnMail(order: Order, pieces: string, publicUrl: string): Mail {
  return mailOf({
    to: order.user.email,
    subject: `Your return was withdrawn, order ${order.reference}`,
    preheader: 'You keep what you have.',
    greeting: greetingOf(order),
    paragraphs: [`You have withdrawn the return of: ${pieces}. You keep it, and nothing more is to be done.`],
    link: linkOf(order, publicUrl),
  });
}

/** What came back, and what follows from it. */
interface Arrival {
  /** The pieces, in words. */
  text: string;
  /** Pence that go back, or are not owed any more. */
  amount: number;
  isPaid: boolean;
  byCard: boolean;
  /** What the shop says besides, such as why less goes back; may be empty. */
  answer: string;
}

/** Sent once pieces of a return have arrived at the shop. The refund has a mail of its own once it has gone out. */
export function returnReceivedMail(order: Order, { text, amount, isPaid, byCard, answer }: Arrival, publicUrl: string): Mail {
  const back = byCard ? 'to your card. That usually takes 5-10 business days.' : 'to you. We will be in touch about how.';
  const owed = order.amountDue > 0 ? `${pounds(order.amountDue)} is left to be paid.` : 'You owe us nothing.';
  const nothing = isPaid ? 'Nothing goes back to you for it.' : owed;
  const money = amount > 0 && isPaid ? `We are refunding ${pounds(amount)} ${back}` : nothing;
  return mailOf({
    to: order.user.email,
    subject: `Your return has arrived, order ${order.reference}`,
    preheader: money,
    greeting: greetingOf(order),
    paragraphs: [`We have received: ${text}.`, money, ...(answer ? [answer] : [])],
    link: linkOf(order, publicUrl),
  });
}
