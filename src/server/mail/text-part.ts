import { SHOP, SIGNATURE } from '#server/gateways/mail-signature.ts';
import type { Fact, MailItem, MailLink, Message } from './layout.ts';

/** Default reason in the footer. */
export const OF_ACCOUNT = `We sent you this email about your account or an order at ${SHOP}.`;

const itemText = ({ name, details, quantity, amount }: MailItem) =>
  [name, details, amount ? `${quantity} = ${amount}` : quantity].filter(Boolean).join('\n');
const factsText = (facts: Fact[]) => facts.map(([label, text]) => `${label}: ${text}`).join('\n');
/** The label of a part of the last sum. */
export const ofWhich = (label: string): string => `Of which ${label.replace('Net', 'net')}`;
const linkText = ({ label, url }: MailLink) => `${label}: ${url}`;

/** Renders a mail as plain text: the HTML's content in the same order. */
export function textOf(message: Message): string {
  const {
    greeting,
    before,
    paragraphs = [],
    code = '',
    items = [],
    sums = [],
    inTotal = [],
    facts = [],
    link,
    links = [],
    after,
    closing = [],
    stop,
  } = message;
  const blocks = [
    greeting,
    before?.text ?? '',
    ...paragraphs,
    code,
    ...items.map(itemText),
    factsText([...sums, ...inTotal.map(([label, text]): Fact => [ofWhich(label), text])]),
    factsText(facts),
    ...[...links, ...(link ? [link] : [])].map(linkText),
    after?.text ?? '',
    ...closing.map((entry) => (typeof entry === 'string' ? entry : `${entry.text} ${linkText(entry)}`)),
    `--\n${SHOP}`,
    SIGNATURE,
    message.reason ?? OF_ACCOUNT,
    stop ? linkText(stop) : '',
  ];
  return `${blocks.filter(Boolean).join('\n\n')}\n`;
}
