import { BRAND, INK, INK_DEEP, INK_TINT, SIGNATURE } from '#server/gateways/mail-signature.ts';
import { escapeHtml } from '#server/platform/markup.ts';
import type { Fact, LinkAfter, MailItem, MailLink, Message } from './layout.ts';
import { OF_ACCOUNT, ofWhich } from './text-part.ts';

/*
 * Inline styles, because mail programs drop style sheets; those that keep one get the dark colours by class. Tables for layout: some
 * programs support nothing else.
 */
const style = {
  page: 'margin:0;padding:0;background:#faf8f4;color:#25211d;font:16px/1.55 Georgia,"Times New Roman",serif',
  outer: 'width:100%;max-width:600px;margin:0 auto;border-collapse:collapse',
  brand: `font-size:22px;letter-spacing:.02em;margin:0 0 20px;color:${INK}`,
  card: 'background:#ffffff;border:1px solid #e2dbcf;border-radius:10px;padding:24px',
  paragraph: 'margin:0 0 16px;overflow-wrap:anywhere',
  code: `font:600 32px/1.2 Consolas,Menlo,monospace;letter-spacing:8px;margin:0 0 24px;color:${INK}`,
  table: 'width:100%;border-collapse:collapse;margin:0 0 24px',
  picture: 'display:block;width:72px;height:72px;border-radius:6px;background:#f1ece3',
  button: `background:${INK};color:#ffffff;padding:12px 20px;border-radius:6px;text-decoration:none;display:inline-block`,
  link: `color:${INK};font-weight:600`,
  quiet: 'color:#635b52',
  small: 'font-size:13px;color:#635b52;margin:20px 0 0;overflow-wrap:anywhere',
  hidden: 'display:none;max-height:0;overflow:hidden;opacity:0',
};

/** Inline styles of the tags in the owner's texts. */
export const LOOKS = {
  p: style.paragraph,
  h1: 'font-size:20px;margin:0 0 12px',
  h2: 'font-size:18px;margin:0 0 12px',
  h3: 'font-size:16px;margin:0 0 12px',
  ul: 'margin:0 0 16px;padding-left:20px',
  ol: 'margin:0 0 16px;padding-left:24px',
  table: style.table,
  a: 'color:inherit;font-weight:600',
} as const;

const DARK = `:root{color-scheme:light dark}@media (prefers-color-scheme:dark){.page{background:#191714!important;color:#ece7de!important}.card{background:#23201c!important;border-color:#48423a!important}.ink{color:#ece7de!important}.quiet{color:#b9b0a4!important}.line{border-color:#48423a!important}.button{background:${INK_TINT}!important;color:${INK_DEEP}!important}}`;
/** On phones, smaller pictures leave room for the text. */
const SMALL =
  '@media (max-width:480px){.card{padding:16px!important}.picture,.frame{width:52px!important}.picture{height:52px!important}.details{font-size:14px!important}}';

const LINE = 'border-bottom:1px solid #e2dbcf';

const paragraph = (text: string) => `<p style="${style.paragraph}">${escapeHtml(text)}</p>`;
const anchor = ({ label, url }: MailLink, className: string, look: string) =>
  `<a href="${escapeHtml(url)}" class="${className}" style="${look}">${escapeHtml(label)}</a>`;

const paragraphWithLink = (entry: LinkAfter) =>
  `<p style="${style.paragraph}">${escapeHtml(entry.text)} ${anchor(entry, 'ink', style.link)}</p>`;

function itemRow({ name, details, quantity, amount, isCancelled, picture }: MailItem): string {
  // Decorative: the name is beside it, also when pictures are blocked.
  const image = picture
    ? `<img src="${escapeHtml(picture.url)}" alt="" width="72" height="72" class="picture" style="${style.picture}">`
    : '';
  const quiet = (text: string) => (text ? `<br><span class="quiet details" style="${style.quiet}">${escapeHtml(text)}</span>` : '');
  const cell = `padding:12px 0;vertical-align:top;${LINE}`;
  return `<tr><td class="line frame" style="${cell};width:72px;padding-right:12px">${image}</td><td class="line" style="${cell};overflow-wrap:anywhere"><strong>${escapeHtml(name)}</strong>${quiet(details)}${quiet(quantity)}</td><td class="line" style="${cell};padding-left:12px;text-align:right;white-space:nowrap">${isCancelled ? `<s class="quiet" style="${style.quiet}">${escapeHtml(amount)}</s>` : escapeHtml(amount)}</td></tr>`;
}

function sumRow([label, amount]: Fact, isTotal: boolean): string {
  const look = `padding:6px 0;font-weight:${isTotal ? 600 : 400}`;
  return `<tr><td colspan="2" style="${look}">${escapeHtml(label)}</td><td style="${look};text-align:right;white-space:nowrap">${escapeHtml(amount)}</td></tr>`;
}

function itemsTable({ items = [], sums = [], inTotal = [] }: Pick<Message, 'items' | 'sums' | 'inTotal'>): string {
  if (items.length === 0) return '';
  const rows = [
    ...items.map(itemRow),
    ...sums.map((sum, index) => sumRow(sum, index === sums.length - 1)),
    ...inTotal.map(([label, amount]) => sumRow([ofWhich(label), amount], false)),
  ];
  return `<table style="${style.table}">${rows.join('')}</table>`;
}

function factsTable(facts: Fact[]): string {
  if (facts.length === 0) return '';
  const rows = facts.map(
    ([label, text]) =>
      `<tr><th scope="row" class="quiet" style="padding:4px 16px 4px 0;text-align:left;vertical-align:top;font-weight:400;width:6.5em;${style.quiet}">${escapeHtml(label)}</th><td style="padding:4px 0;vertical-align:top;overflow-wrap:anywhere">${escapeHtml(text)}</td></tr>`,
  );
  return `<table style="${style.table}">${rows.join('')}</table>`;
}

function cardOf({
  greeting,
  before,
  paragraphs = [],
  code,
  items = [],
  sums = [],
  inTotal = [],
  facts = [],
  link,
  links = [],
  after,
  closing = [],
}: Message): string {
  return [
    paragraph(greeting),
    before?.html ?? '',
    ...paragraphs.map(paragraph),
    code ? `<p class="ink" style="${style.code}">${escapeHtml(code)}</p>` : '',
    itemsTable({ items, sums, inTotal }),
    factsTable(facts),
    ...links.map((entry) => `<p style="${style.paragraph}">${anchor(entry, 'ink', style.link)}</p>`),
    link ? `<p style="margin:0 0 24px">${anchor(link, 'button', style.button)}</p>` : '',
    after?.html ?? '',
    ...closing.map((entry) => (typeof entry === 'string' ? paragraph(entry) : paragraphWithLink(entry))),
  ].join('');
}

/** Renders a mail's HTML. All text is escaped here. */
export function htmlOf(message: Message): string {
  const { subject, preheader, reason = OF_ACCOUNT, stop } = message;
  const small = (html: string) => `<p class="quiet" style="${style.small}">${html}</p>`;
  return `<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title><style>${DARK}${SMALL}</style></head>
<body class="page" style='${style.page}'><div style="${style.hidden}">${escapeHtml(preheader)}</div>
<table role="presentation" style="${style.outer}"><tr><td style="padding:28px 16px">
<p class="ink" style="${style.brand}">${BRAND}</p><div class="card" style="${style.card}">
${cardOf(message)}
</div>${small(SIGNATURE)}${small(`${escapeHtml(reason)}${stop ? ` ${anchor(stop, 'quiet', style.quiet)}` : ''}`)}</td></tr></table></body></html>
`;
}
