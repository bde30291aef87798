import { markUrl, shownUrl } from '#contract/catalogue/pictures.ts';
import { type Company, companyText, phoneUrl } from '#contract/market/company.ts';
import { paletteOf } from '#contract/settings/palette.ts';
import { escapeHtml } from '#server/platform/markup.ts';
import type { Config } from '#server/platform/settings/config.ts';

/** Replaced by the shop's name in both parts of a mail. */
export const SHOP = '{{shop}}';

/** Replaced by the owner's main colour in the HTML part. The other two are for buttons on a dark page. */
export const INK = '{{ink}}';
export const INK_DEEP = '{{ink-deep}}';
export const INK_TINT = '{{ink-tint}}';

/** Replaced by the shop's logo or name at the head of the HTML part. */
export const BRAND = '<!--brand-->';

/** Replaced by the signature in both parts when the mail is sent, so code that queues a mail needs no company settings. */
export const SIGNATURE = '<!--signature-->';

/** `Questions? Email x or call y (hours).`, without the parts that are not configured. */
function questions({ email, phone, hours }: Company, link: (url: string, label: string) => string): string {
  const times = hours && ` (${link('', hours)})`;
  const ways = [email && `email ${link(`mailto:${email}`, email)}`, phone && `call ${link(phoneUrl(phone), phone)}${times}`].filter(
    Boolean,
  );
  return ways.length > 0 ? `Questions? ${ways.join(' or ').replace(/^./, (letter) => letter.toUpperCase())}.` : '';
}

const asText = (company: Company): string => [questions(company, (_, label) => label), companyText(company)].filter(Boolean).join('\n\n');

function asHtml(company: Company): string {
  const link = (url: string, label: string) =>
    url ? `<a href="${escapeHtml(url)}" class="quiet" style="color:#635b52">${escapeHtml(label)}</a>` : escapeHtml(label);
  return [questions(company, link), escapeHtml(companyText(company))].filter(Boolean).join('<br><br>');
}

/** The logo with the shop's name as its text, for when pictures are blocked; else the name. On a light background: logo and page may both be dark. */
function brandOf({ shop, logo }: Company, origin: string): string {
  const name = escapeHtml(shop);
  if (!logo) return name;
  const look = 'height:40px;max-width:240px;padding:4px 8px;border-radius:6px;background:#faf8f4';
  return `<img src="${escapeHtml(shownUrl(origin, markUrl(logo)))}" alt="${name}" height="40" style="${look}">`;
}

type Sender = Pick<Config, 'company' | 'colours' | 'publicUrl' | 'picturesUrl'>;

/** Fills in the owner's colours and the signature: sender, contact details and the company details that the law requires. */
export function signed<M extends { subject: string; text: string; html: string }>(
  mail: M,
  { company, colours, publicUrl, picturesUrl }: Sender,
): M {
  const palette = paletteOf(colours);
  // The replacements are functions, since `$` has a meaning in a replacement text.
  return {
    ...mail,
    subject: mail.subject.replaceAll(SHOP, () => company.shop),
    text: mail.text.replace(SIGNATURE, () => asText(company)).replaceAll(SHOP, () => company.shop),
    html: mail.html
      .replace(BRAND, () => brandOf(company, picturesUrl || publicUrl))
      .replace(SIGNATURE, () => asHtml(company))
      .replaceAll(INK, palette['--color-accent'])
      .replaceAll(INK_DEEP, palette['--color-accent-deep'])
      .replaceAll(INK_TINT, palette['--color-accent-tint'])
      .replaceAll(SHOP, () => escapeHtml(company.shop)),
  };
}
