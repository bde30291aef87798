import type { Order } from '#contract/orders/orders.ts';
import { type MailName, type MailValues, textsOf } from '#contract/settings/mail-texts.ts';
import { filledIn } from '#contract/settings/placeholders.ts';
import type { Mail } from '#server/gateways/mail.ts';
import { SHOP } from '#server/gateways/mail-signature.ts';
import { escapeMarkdown, renderForMail } from '#server/platform/markdown.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { htmlOf, LOOKS } from './html-part.ts';
import { textOf } from './text-part.ts';

/**
 * Stops mail programs from linking user-typed text: a stranger's name could otherwise carry a link in the shop's mail. Inserts a zero-width
 * character after each dot and colon inside a word.
 */
export const unlinked = (text: string): string => text.replace(/(?<=\S)[.:](?=\S)/g, '$&\u200b');

export const helloTo = (name: string): string => (name ? `Hello ${name},` : 'Hello,');

/** Recipient and greeting of a mail to an order's customer. */
export const toCustomer = ({ fullName, user }: Order) => ({ to: user.email, greeting: helloTo(fullName || user.name) });

export const orderLink = ({ _id }: Order, { publicUrl }: Pick<Config, 'publicUrl'>): MailLink => ({
  label: 'See your order',
  url: `${publicUrl}/order/${_id}`,
});

/** Confirms the address of an account. The token is in the URL's fragment, which browsers send to no server. */
export const addressLink = ({ publicUrl }: Pick<Config, 'publicUrl'>, token: string): MailLink => ({
  label: 'Confirm my email address',
  url: `${publicUrl}/#confirm-email=${token}`,
});

/** The settings that mails to customers need. */
export type MailConfig = Pick<Config, 'publicUrl' | 'picturesUrl' | 'company' | 'mailTexts'>;

/** A line of an order in a mail. */
export interface MailItem {
  name: string;
  /** Size and colour in words; may be empty. */
  details: string;
  quantity: string;
  /** Line total, such as `£999.98`; may be empty. */
  amount: string;
  /** Its amount is struck out. */
  isCancelled?: boolean;
  /** Id and absolute URL of a small square picture. */
  picture?: { id: string; url: string } | undefined;
}

/** A text of the owner's, rendered for both parts. */
interface RenderedText {
  html: string;
  text: string;
}

/** A mail's content as plain text; both parts are rendered from it. */
export interface Message {
  to: string;
  subject: string;
  /** The preview line that mail programs show beside the subject. */
  preheader: string;
  greeting: string;
  /** The owner's texts, before and after the shop's own. */
  before?: RenderedText;
  after?: RenderedText;
  paragraphs?: string[];
  /** Short text set large, such as a code. */
  code?: string;
  items?: MailItem[];
  /** Sums below the items; the last one is bold. */
  sums?: Fact[];
  /** What the last sum contains, such as VAT. */
  inTotal?: Fact[];
  /** Details to look up later: reference, delivery days, address. */
  facts?: Fact[];
  link?: MailLink;
  /** One per line. */
  links?: MailLink[];
  closing?: (string | LinkAfter)[];
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

/** A sentence and the link that follows it. */
export interface LinkAfter extends MailLink {
  text: string;
}

const picturesOf = ({ items = [] }: Message) => [...new Set(items.flatMap(({ picture }) => picture?.id ?? []))];

/** Renders both parts of a mail. Line breaks in the subject become spaces: headers have one line. */
export function mailOf(message: Message): Mail {
  const safe = { ...message, greeting: unlinked(message.greeting) };
  return {
    to: message.to,
    subject: message.subject.replace(/[\r\n]+/g, ' '),
    text: textOf(safe),
    html: htmlOf(safe),
    pictures: picturesOf(message),
  };
}

/** Renders a mail to a customer, with the owner's texts or the default ones. */
export function customerMail<N extends MailName>(
  { publicUrl, mailTexts }: Pick<Config, 'publicUrl' | 'mailTexts'>,
  name: N,
  values: MailValues<N>,
  message: Omit<Message, 'subject' | 'before' | 'after'>,
): Mail {
  const plain: Record<string, string> = { ...values, shop: SHOP };
  const escaped = Object.fromEntries(Object.entries(plain).map(([key, value]) => [key, escapeMarkdown(value.replace(/[\r\n]+/g, ' '))]));
  const { subject, before, after } = textsOf(mailTexts, name);
  const render = (text: string) => renderForMail(filledIn(text, escaped), publicUrl, LOOKS);
  return mailOf({ ...message, subject: filledIn(subject, plain), before: render(before), after: render(after) });
}
