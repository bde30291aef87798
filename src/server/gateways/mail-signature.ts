import { type Company, companyText, phoneUrl } from '#contract/market/company.ts';
import { escapeHtml } from './html.ts';

/** Where the shop's name belongs in both parts of a mail, which is filled in with the signature. */
export const SHOP = '{{shop}}';

/** Where the signature belongs in both parts of a mail. It is filled in when the mail is sent, so that what queues a mail need not know the company. */
export const SIGNATURE = '<!--signature-->';

/** `Questions? Email x or call y (hours).`, short of what is not known. */
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

/** Both parts of a mail with who sent it, how to reach them, and what the law asks a company to say. */
export function sign<M extends { text: string; html: string }>(mail: M, company: Company): M {
  return {
    ...mail,
    text: mail.text.replace(SIGNATURE, () => asText(company)).replaceAll(SHOP, () => company.shop),
    html: mail.html.replace(SIGNATURE, () => asHtml(company)).replaceAll(SHOP, () => escapeHtml(company.shop)),
  };
}
