import { type Company, companyText, phoneUrl } from '#contract/market/company.ts';
import { escapeHtml } from './html.ts';

/** Where the signature belongs in both parts of a mail. It is filled in when the mail is sent, so that what queues a mail need not know the company. */
export const SIGNATURE = '<!--signature-->';

const asText = (company: Company): string =>
  `Questions? Email ${company.email} or call ${company.phone} (${company.hours}).\n\n${companyText(company)}`;

function asHtml(company: Company): string {
  const link = (url: string, label: string) => `<a href="${escapeHtml(url)}" class="quiet" style="color:#635b52">${escapeHtml(label)}</a>`;
  const { email, phone, hours } = company;
  return `Questions? Email ${link(`mailto:${email}`, email)} or call ${link(phoneUrl(phone), phone)} (${escapeHtml(hours)}).<br><br>${escapeHtml(companyText(company))}`;
}

/** Both parts of a mail with who sent it, how to reach them, and what the law asks a company to say. */
export function sign<M extends { text: string; html: string }>(mail: M, company: Company): M {
  return {
    ...mail,
    text: mail.text.replace(SIGNATURE, () => asText(company)),
    html: mail.html.replace(SIGNATURE, () => asHtml(company)),
  };
}
