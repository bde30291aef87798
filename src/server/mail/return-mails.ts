import { windowText } from '#contract/delivery/delivery-window.ts';
import type { Company } from '#contract/market/company.ts';
import { lineNames, type Order } from '#contract/orders/orders.ts';
import type { Return } from '#contract/returns/returns.schema.ts';
import type { Mail } from '#server/gateways/mail.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { mailOf, orderLink, toCustomer } from './layout.ts';
import { DISPUTED, leftToPay, refundText } from './order-mails.ts';

const dayText = (day: string) => windowText({ from: day, to: day });

/** Sent after a customer asked to return pieces; `pieces` in words. */
export function returnAskedMail(order: Order, pieces: string, { company, publicUrl }: Pick<Config, 'company' | 'publicUrl'>): Mail {
  const how = company.collectsReturns
    ? 'We collect what you return, free of charge.'
    : 'Large pieces we collect, free of charge; for smaller ones we will tell you where to send them.';
  return mailOf({
    ...toCustomer(order),
    subject: `We have your request for a return, order ${order.reference}`,
    preheader: 'We will reply by the next working day.',
    paragraphs: [
      `You asked to return: ${pieces}. Your request is in time, whatever day the pieces reach us.`,
      `We will reply by the next working day. ${how} Please keep the packaging if you can.`,
    ],
    link: orderLink(order, publicUrl),
  });
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
export function returnDecisionMail(order: Order, one: Return, { company, publicUrl }: Pick<Config, 'company' | 'publicUrl'>): Mail {
  const { status, sendBy, answer, pieces } = one;
  const what = lineNames(order.orderItems, pieces);
  const isAgreed = status === 'approved';
  const agreed = sendBy
    ? { subject: 'Send your return', preheader: `Please send it by ${dayText(sendBy)}.` }
    : { subject: 'We will collect your return', preheader: 'Please call or email us to agree a day.' };
  const how = [
    `We have approved the return of: ${what}.`,
    howItComesBack(one, order, company),
    'We will refund you once we have received it.',
  ];
  const refused = [
    `We cannot accept the return of: ${what}.`,
    'This does not affect your statutory rights. If you disagree, please contact us.',
  ];
  return mailOf({
    ...toCustomer(order),
    subject: `${isAgreed ? agreed.subject : 'About your return'}, order ${order.reference}`,
    preheader: isAgreed ? agreed.preheader : 'We cannot accept this return.',
    paragraphs: [...(isAgreed ? how : refused.slice(0, 1)), ...(answer ? [answer] : []), ...(isAgreed ? [] : refused.slice(1))],
    link: orderLink(order, publicUrl),
  });
}

/** Sent after a customer withdrew a return. */
export function returnWithdrawnMail(order: Order, pieces: string, publicUrl: string): Mail {
  return mailOf({
    ...toCustomer(order),
    subject: `Your return was cancelled, order ${order.reference}`,
    preheader: 'Nothing more to do.',
    paragraphs: [`You have cancelled the return of: ${pieces}. There is nothing more you need to do.`],
    link: orderLink(order, publicUrl),
  });
}

interface Arrival {
  /** The pieces, in words. */
  text: string;
  /** Pence refunded, or no longer owed. */
  amount: number;
  isPaid: boolean;
  byCard: boolean;
  /** The customer's bank has taken the payment back, or holds it. */
  isDisputed: boolean;
  /** The shop's note, such as why the refund is lower; may be empty. */
  answer: string;
}

/** Sent when returned pieces arrive. Includes the refund, which sends no mail of its own. */
export function returnReceivedMail(order: Order, { text, amount, isPaid, byCard, isDisputed, answer }: Arrival, publicUrl: string): Mail {
  const nothing = isPaid ? (isDisputed ? DISPUTED : 'There is no refund for it.') : leftToPay(order);
  const money = amount > 0 && isPaid ? refundText(amount, byCard) : nothing;
  return mailOf({
    ...toCustomer(order),
    subject: `Your return has arrived, order ${order.reference}`,
    preheader: money,
    paragraphs: [`We have received: ${text}.`, money, ...(answer ? [answer] : [])],
    link: orderLink(order, publicUrl),
  });
}
