import type { Mail } from '#server/gateways/mail.ts';
import { htmlOf } from './html-part.ts';
import { textOf } from './text-part.ts';

/**
 * A text that somebody typed as their name or address, so that mail programs make no link of it: whoever registers with a stranger's address
 * could else have the shop send them one. An invisible sign without width stands behind each dot and colon inside a word.
 */
export const unlinked = (text: string): string => text.replace(/(?<=\S)[.:](?=\S)/g, '$&\u200b');

/** Greets by name, where there is one to be said. */
export const helloTo = (name: string): string => (name ? `Hello ${name},` : 'Hello,');

/** A piece that a mail is about. */
export interface MailItem {
  name: string;
  /** Size and colour in words; may be empty. */
  details: string;
  /** `2 × £499.99`. */
  quantity: string;
  /** What the line comes to. */
  amount: string;
  /** A small square picture, by its id and its whole address. */
  picture?: { id: string; url: string } | undefined;
}

/** What a mail says, as plain text; both parts are made from it. */
export interface Message {
  to: string;
  subject: string;
  /** The line that a list of mails shows beside the subject. */
  preheader: string;
  greeting: string;
  paragraphs: string[];
  /** A short text set large, such as a code. */
  code?: string;
  items?: MailItem[];
  /** What the items come to; the last is the total. */
  sums?: Fact[];
  /** What is to be found again later: reference, days of delivery, address. */
  facts?: Fact[];
  link?: MailLink;
  /** Further links, one below the other. */
  links?: MailLink[];
  closing?: string[];
  /** Why the mail comes, at its end; unless said, because of the account or an order. */
  reason?: string;
  /** The link by which such mails end, behind the reason. */
  stop?: MailLink;
}

/** What something is called, and what it is. */
export type Fact = [label: string, text: string];

export interface MailLink {
  label: string;
  url: string;
}

const picturesOf = ({ items = [] }: Message) => [...new Set(items.flatMap(({ picture }) => picture?.id ?? []))];

/** A mail with an HTML and a plain text part that say the same. A line break in the subject is a space: headers have one line. */
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
