import type { Order } from '#contract/orders/orders.ts';
import type { Mail } from '#server/gateways/mail.ts';
import { htmlOf } from './html-part.ts';
import { textOf } from './text-part.ts';

/**
 * Stops mail programs from linking user-typed text: a stranger's name could otherwise carry a link in the shop's mail. Inserts a zero-width
 * character after each dot and colon inside a word.
 */
export const unlinked = (text: string): string => text.replace(/(?<=\S)[.:](?=\S)/g, '$&\u200b');

export const helloTo = (name: string): string => (name ? `Hello ${name},` : 'Hello,');

/** Recipient and greeting of a mail to an order's customer. */
export const toCustomer = ({ fullName, user }: Order) => ({ to: user.email, greeting: helloTo(fullName || user.name) });

export const orderLink = ({ _id }: Order, publicUrl: string): MailLink => ({ label: 'See your order', url: `${publicUrl}/order/${_id}` });

/** A line of an order in a mail. */
export interface MailItem {
  name: string;
  /** Size and colour in words; may be empty. */
  details: string;
  quantity: string;
  /** Line total, such as `£999.98`; may be empty. */
  amount: string;
  /** Id and absolute URL of a small square picture. */
  picture?: { id: string; url: string } | undefined;
}

/** A mail's content as plain text; both parts are rendered from it. */
export interface Message {
  to: string;
  subject: string;
  /** The preview line that mail programs show beside the subject. */
  preheader: string;
  greeting: string;
  paragraphs: string[];
  /** Short text set large, such as a code. */
  code?: string;
  items?: MailItem[];
  /** Sums below the items, the total included. */
  sums?: Fact[];
  /** Details to look up later: reference, delivery days, address. */
  facts?: Fact[];
  link?: MailLink;
  /** One per line. */
  links?: MailLink[];
  closing?: string[];
  /** Why the reader gets this mail, in the footer. Default: the account or an order. */
  reason?: string;
  /** Unsubscribe link after the reason. */
  stop?: MailLink;
}

export type Fact = [label: string, text: string];

export interface MailLink {
  label: string;
  url: string;
}

const picturesOf = ({ items = [] }: Message) => [...new Set(items.flatMap(({ picture }) => picture?.id ?? []))];

/** Renders both parts of a mail. Line breaks in the subject become spaces: headers have one line. */
export function mailOf(message: Message): Mail {
  const said = { ...message, greeting: unlinked(message.greeting) };
  return {
    to: message.to,
    subject: message.subject.replace(/[\r\n]+/g, ' '),
    text: textOf(said),
    html: htmlOf(said),
    pictures: picturesOf(message),
  };
}
