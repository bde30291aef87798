import type { Mail } from '#server/gateways/mail.ts';

/** Escapes text for HTML: every character that could end it is written as a number. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * A text that somebody typed as their name or address, so that mail programs make no link of it: whoever registers with a stranger's address
 * could else have the shop send them one. An invisible sign without width stands behind each dot and colon inside a word.
 */
export const unlinked = (text: string): string => text.replace(/(?<=\S)[.:](?=\S)/g, '$&\u200b');

/** A table of a mail: cells as plain text; `foot` holds a label and an amount a row. */
export interface MailTable {
  head: string[];
  rows: string[][];
  foot: [label: string, amount: string][];
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
  table?: MailTable;
  link?: MailLink;
  /** Further links, one below the other. */
  links?: MailLink[];
  closing?: string[];
  /** Why the mail comes, at its end; unless said, because of the account or an order. */
  reason?: string;
  /** The link by which such mails end, behind the reason. */
  stop?: MailLink;
}

interface MailLink {
  label: string;
  url: string;
}

const SHOP = 'Hearth & Oak';
const OF_ACCOUNT = `We sent you this email about your account or an order at ${SHOP}.`;
// Mail programs drop style sheets, so that each element carries its own; the colours are the shop's.
const style = {
  page: 'margin:0;padding:0;background:#faf8f4;color:#25211d;font:16px/1.55 Georgia,"Times New Roman",serif',
  frame: 'max-width:560px;margin:0 auto;padding:32px 20px',
  brand: 'font-size:22px;letter-spacing:.02em;margin:0 0 20px;color:#23382f',
  card: 'background:#ffffff;border:1px solid #e2dbcf;border-radius:10px;padding:28px',
  paragraph: 'margin:0 0 16px;overflow-wrap:anywhere',
  code: 'font:600 32px/1.2 Consolas,Menlo,monospace;letter-spacing:8px;margin:0 0 24px;color:#23382f',
  table: 'width:100%;border-collapse:collapse;margin:0 0 24px',
  button: 'background:#23382f;color:#ffffff;padding:12px 20px;border-radius:6px;text-decoration:none;display:inline-block',
  link: 'color:#23382f;font-weight:600',
  quiet: 'color:#635b52',
  small: 'font-size:13px;color:#635b52;margin:24px 0 0',
  hidden: 'display:none;max-height:0;overflow:hidden;opacity:0',
};

const paragraph = (text: string) => `<p style="${style.paragraph}">${escapeHtml(text)}</p>`;

function htmlCell(text: string, column: number, isStrong: boolean, span = 1): string {
  const look = `padding:8px 0 8px ${column === 0 ? 0 : 12}px;vertical-align:top;border-bottom:1px solid #e2dbcf;${column === 0 ? 'text-align:left' : 'text-align:right;white-space:nowrap'};font-weight:${isStrong ? 600 : 400}`;
  return `<td style="${look}"${span > 1 ? ` colspan="${span}"` : ''}>${escapeHtml(text)}</td>`;
}

function htmlTable({ head, rows, foot }: MailTable): string {
  const row = (cells: string[], isStrong: boolean) => `<tr>${cells.map((text, column) => htmlCell(text, column, isStrong)).join('')}</tr>`;
  const sums = foot.map(
    ([label, amount], index) =>
      `<tr>${htmlCell(label, 0, index === foot.length - 1, head.length - 1)}${htmlCell(amount, 1, index === foot.length - 1)}</tr>`,
  );
  return `<table style="${style.table}">${row(head, true)}${rows.map((cells) => row(cells, false)).join('')}${sums.join('')}</table>`;
}

const anchor = ({ label, url }: MailLink, look: string) => `<a href="${escapeHtml(url)}" style="${look}">${escapeHtml(label)}</a>`;

function htmlOf(message: Message): string {
  const { subject, preheader, greeting, paragraphs, code, table, link, links = [], closing = [], reason = OF_ACCOUNT, stop } = message;
  const button = link ? `<p style="margin:0 0 24px">${anchor(link, style.button)}</p>` : '';
  const list = links.map((entry) => `<p style="${style.paragraph}">${anchor(entry, style.link)}</p>`).join('');
  return `<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style='${style.page}'><div style="${style.hidden}">${escapeHtml(preheader)}</div><div style="${style.frame}">
<p style="${style.brand}">${escapeHtml(SHOP)}</p><div style="${style.card}">
${paragraph(greeting)}${paragraphs.map(paragraph).join('')}${code ? `<p style="${style.code}">${escapeHtml(code)}</p>` : ''}${table ? htmlTable(table) : ''}${list}${button}${closing.map(paragraph).join('')}
</div><p style="${style.small}">${escapeHtml(reason)}${stop ? ` ${anchor(stop, style.quiet)}` : ''}</p></div></body></html>
`;
}

function textOf({ greeting, paragraphs, code, table, link, links = [], closing = [], reason, stop }: Message): string {
  const lines = table ? [...table.rows.map((row) => row.join('  ')), ...table.foot.map((row) => row.join(': '))] : [];
  const blocks = [
    greeting,
    ...paragraphs,
    ...(code ? [code] : []),
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    ...[...links, ...(link ? [link] : [])].map(({ label, url }) => `${label}: ${url}`),
    ...closing,
    SHOP,
    ...(reason ? [reason] : []),
    ...(stop ? [`${stop.label}: ${stop.url}`] : []),
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** A mail with an HTML and a plain text part that say the same. A line break in the subject is a space: headers have one line. */
export function mailOf(message: Message): Mail {
  const said = { ...message, greeting: unlinked(message.greeting) };
  return { to: message.to, subject: message.subject.replace(/[\r\n]+/g, ' '), text: textOf(said), html: htmlOf(said) };
}
