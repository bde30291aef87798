import { SHOP, SIGNATURE } from '#server/gateways/mail-signature.ts';
import type { Fact, MailItem, MailLink, Message } from './layout.ts';

/** Default reason in the footer. */
export const OF_ACCOUNT = `We sent you this email about your account or an order at ${SHOP}.`;

const itemText = ({ name, details, quantity, amount }: MailItem) =>
  [name, details, amount ? `${quantity} = ${amount}` : quantity].filter(Boolean).join('\n');
const factsText = (facts: Fact[]) => facts.map(([label, text]) => `${label}: ${text}`).join('\n');
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
    factsText(sums),
    factsText(facts),
    ...[...links, ...(link ? [link] : [])].map(linkText),
    after?.text ?? '',
    ...closing,
    `--\n${SHOP}`,
    SIGNATURE,
    message.reason ?? OF_ACCOUNT,
    stop ? linkText(stop) : '',
  ];
  return `${blocks.filter(Boolean).join('\n\n')}\n`;
}
