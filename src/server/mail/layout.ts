import type { Mail } from '#server/gateways/mail.ts';

/** Text that stands in HTML: every character that could end it is written as a number. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A table of a mail: cells as plain text. */
export interface MailTable {
  head: string[];
  rows: string[][];
  foot: string[][];
}

/** What a mail says, as plain text; both parts are made from it. */
export interface Message {
  to: string;
  subject: string;
  greeting: string;
  paragraphs: string[];
  /** A short text set large, such as a code. */
  code?: string;
  table?: MailTable;
  link?: { label: string; url: string };
  closing?: string[];
}

const ink = '#2a2622';
const paragraph = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`;

function htmlTable({ head, rows, foot }: MailTable): string {
  const cell = (text: string, index: number, tag: string) =>
    `<${tag} style="padding:8px 0;text-align:${index === 0 ? 'left' : 'right'};border-bottom:1px solid #e4ddd2;font-weight:${tag === 'th' ? 600 : 400}">${escapeHtml(text)}</${tag}>`;
  const line = (cells: string[], tag: string) => `<tr>${cells.map((text, index) => cell(text, index, tag)).join('')}</tr>`;
  return `<table style="width:100%;border-collapse:collapse;margin:0 0 24px">${line(head, 'th')}${rows.map((row) => line(row, 'td')).join('')}${foot.map((row) => line([row[0] ?? '', ...head.slice(2).map(() => ''), row[1] ?? ''], 'td')).join('')}</table>`;
}

function htmlOf({ subject, greeting, paragraphs, code, table, link, closing = [] }: Message): string {
  const codeBlock = code ? `<p style="font-size:32px;letter-spacing:8px;font-weight:600;margin:0 0 24px">${escapeHtml(code)}</p>` : '';
  const button = link
    ? `<p style="margin:0 0 24px"><a href="${escapeHtml(link.url)}" style="background:#23382f;color:#fff;padding:12px 20px;border-radius:6px;text-decoration:none;display:inline-block">${escapeHtml(link.label)}</a></p>`
    : '';
  return `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;background:#f7f4ee;color:${ink};font:16px/1.5 Georgia,serif"><div style="max-width:560px;margin:0 auto;padding:32px 20px">
<p style="font-size:22px;margin:0 0 24px">Hearth &amp; Oak</p><div style="background:#fff;border-radius:8px;padding:28px">
${paragraph(greeting)}${paragraphs.map(paragraph).join('')}${codeBlock}${table ? htmlTable(table) : ''}${button}${closing.map(paragraph).join('')}
</div><p style="font-size:13px;color:#6b635a;margin:24px 0 0">You get this mail because of something that happened at Hearth &amp; Oak, online furniture.</p></div></body></html>`;
}

function textOf({ greeting, paragraphs, code, table, link, closing = [] }: Message): string {
  const lines = table ? [...table.rows.map((row) => row.join('  ')), ...table.foot.map((row) => row.join(': '))] : [];
  const blocks = [
    greeting,
    ...paragraphs,
    ...(code ? [code] : []),
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    ...(link ? [`${link.label}: ${link.url}`] : []),
    ...closing,
    'Hearth & Oak',
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** A mail with an HTML and a plain text part that say the same. A line break in the subject is a space: headers have one line. */
export function mailOf(message: Message): Mail {
  return { to: message.to, subject: message.subject.replace(/[\r\n]+/g, ' '), text: textOf(message), html: htmlOf(message) };
}
