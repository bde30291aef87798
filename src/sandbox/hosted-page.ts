import type { Session } from './ledger.ts';
import { discountOf, subtotalOf, totalOf } from './objects.ts';

/** What the payer has typed, by field. */
export type Entered = Record<string, string>;
/** Messages by field. */
type FieldErrors = Record<string, string>;

/** Escapes text for HTML. */
export const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
/** 123450 is £1,234.50. */
export const money = (amount: number) => `£${(amount / 100).toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',')}`;

const style = `
*{box-sizing:border-box}body{margin:0;font:16px/1.5 system-ui,sans-serif;color:#1f2937;background:#f6f7f9;overflow-wrap:anywhere}
.test{background:#fde68a;color:#422006;padding:.5rem 1rem;text-align:center;font-size:.9rem}
main{max-width:60rem;margin:0 auto;padding:1.5rem 1rem 4rem;display:grid;gap:2rem}
@media(min-width:48rem){main{grid-template-columns:1fr 1fr;gap:4rem;padding-top:4rem}}
h1{font-size:1rem;font-weight:500;color:#4b5563;margin:0}h2{font-size:1.15rem;margin:0 0 .75rem}
.total{font-size:2.25rem;font-weight:600;margin:0 0 1.5rem}ul{list-style:none;margin:0;padding:0}
li{display:flex;justify-content:space-between;gap:1rem;padding:.5rem 0;border-bottom:1px solid #e5e7eb}li small{display:block;color:#4b5563}
fieldset{border:0;margin:0 0 1.5rem;padding:0}legend{font-weight:600;padding:0;margin-bottom:.75rem;font-size:1.15rem}
label{display:block;margin-bottom:.75rem;font-size:.9rem}input,select{display:block;width:100%;font:inherit;padding:.65rem .75rem;border:1px solid #9ca3af;border-radius:.4rem;background:#fff;margin-top:.25rem}
input[type=radio]{display:inline;width:auto;margin:0 .5rem 0 0}.row{display:grid;grid-template-columns:1fr 1fr;gap:.75rem}
input:focus-visible,select:focus-visible,button:focus-visible,a:focus-visible{outline:3px solid #2563eb;outline-offset:2px}
[aria-invalid=true]{border-color:#b91c1c}.error{color:#b91c1c;display:block}.alert{background:#fee2e2;color:#7f1d1d;padding:.75rem 1rem;border-radius:.4rem;margin:0 0 1rem}
form:has([name=method]:not([value=card]):checked) .card{display:none}
button{font:inherit;font-weight:600;width:100%;padding:.85rem;border:0;border-radius:.4rem;background:#1d4ed8;color:#fff;cursor:pointer}a{color:#1d4ed8}`;

export function page(title: string, content: string): string {
  return `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,"><title>${escaped(title)}</title><style>${style}</style></head><body><header class="test">Payment sandbox: no money moves. 4242 4242 4242 4242 pays, 4000 0000 0000 0002 is declined.</header>${content}</body></html>`;
}

/** A page with a message only, such as an expired session. */
export function messagePage(title: string, text: string, href: string): string {
  return page(
    title,
    `<main><section><h2>${escaped(title)}</h2><p>${escaped(text)}</p><p><a href="${escaped(href)}">Back to the shop</a></p></section></main>`,
  );
}

function field(name: string, label: string, entered: Entered, errors: FieldErrors, attributes: string): string {
  const error = errors[name];
  const errorAttributes = error ? ` aria-invalid="true" aria-describedby="${name}-error"` : '';
  return `<label>${label}<input name="${name}" value="${escaped(entered[name] ?? '')}" ${attributes}${errorAttributes}>${error ? `<span class="error" id="${name}-error">${escaped(error)}</span>` : ''}</label>`;
}

const countryNames = new Intl.DisplayNames('en-GB', { type: 'region' });

function countrySelect(countries: string[], chosen: string): string {
  const options = countries.map(
    (code) => `<option value="${escaped(code)}"${code === chosen ? ' selected' : ''}>${escaped(countryNames.of(code) ?? code)}</option>`,
  );
  return `<label>Country<select name="country" autocomplete="country">${options.join('')}</select></label>`;
}

function shippingChoices(session: Session, chosen: string): string {
  if (session.shipping.length === 0) return '';
  const radios = session.shipping.map(
    ({ label, amount }, index) =>
      `<label><input type="radio" name="shipping" value="${index}"${String(index) === (chosen || '0') ? ' checked' : ''}>${escaped(label)}: ${money(amount)} (${money(subtotalOf(session) - discountOf(session) + amount)} in all)</label>`,
  );
  return `<fieldset><legend>Delivery</legend>${radios.join('')}</fieldset>`;
}

const METHODS: Record<string, string> = { card: 'Card', paypal: 'PayPal', klarna: 'Klarna', afterpay_clearpay: 'Clearpay' };

/** Whether the payer pays by card. The other methods that the session accepts pay at once here, without a page of their own. */
export const paysByCard = ({ methods = [] }: Session, { method = '' }: Entered): boolean => method === 'card' || !methods.includes(method);

function methodChoices({ methods = [] }: Session, chosen = 'card'): string {
  if (methods.length < 2) return '';
  const radios = methods.map(
    (method) =>
      `<label><input type="radio" name="method" value="${escaped(method)}"${method === chosen ? ' checked' : ''}>${escaped(METHODS[method] ?? method)}</label>`,
  );
  return `<fieldset><legend>Pay with</legend>${radios.join('')}</fieldset>`;
}

/** The hosted card page: a plain form that works without scripts and keeps what was typed. */
export function payPage(session: Session, entered: Entered, errors: FieldErrors, alert: string): string {
  const lines = session.lines.map(
    ({ name, description, amount, quantity }) =>
      `<li><span>${escaped(name)}${description ? `<small>${escaped(description)}</small>` : ''}<small>Quantity ${quantity}</small></span><span>${money(amount * quantity)}</span></li>`,
  );
  const shippingLine =
    session.shipping.length > 0 ? `<li><span>Delivery from</span><span>${money(session.shipping[0]?.amount ?? 0)}</span></li>` : '';
  const discountLine = session.coupon
    ? `<li><span>${escaped(session.coupon.name)}</span><span>-${money(session.coupon.amount)}</span></li>`
    : '';
  const { name: shop = '', logo: picture = '' } = session.brand ?? {};
  const logo = picture && `<img src="${escaped(picture)}" alt="" height="40">`;
  const input = (name: string, label: string, attributes: string) => field(name, label, entered, errors, attributes);
  const asksAddress = session.countries.length > 0;
  const address = asksAddress
    ? `<fieldset><legend>Delivery address</legend>${input('name', 'Full name', 'autocomplete="name"')}${input('line1', 'Address line 1', 'autocomplete="address-line1"')}${input('line2', 'Address line 2 (optional)', 'autocomplete="address-line2"')}
<div class="row">${input('city', 'Town or city', 'autocomplete="address-level2"')}${input('state', 'County (optional)', 'autocomplete="address-level1"')}</div>
<div class="row">${input('postal_code', 'Postcode', 'autocomplete="postal-code"')}${countrySelect(session.countries, entered.country || (session.countries.includes('GB') ? 'GB' : ''))}</div></fieldset>`
    : '';
  return page(
    'Pay by card',
    `<main><section aria-label="Order">${logo}<h1>${escaped(shop || 'Your order')}</h1><p class="total">${money(totalOf(session))}</p><ul>${lines.join('')}<li><span>Subtotal</span><span>${money(subtotalOf(session))}</span></li>${discountLine}${shippingLine}</ul>
<p><a href="${escaped(session.cancelUrl)}">Cancel and go back to the shop</a></p></section>
<form method="post" novalidate>${alert ? `<p class="alert" role="alert">${escaped(alert)}</p>` : ''}
<fieldset><legend>Contact</legend>${input('email', 'Email', 'type="email" autocomplete="email"')}${asksAddress ? input('phone', 'Phone', 'type="tel" autocomplete="tel"') : ''}</fieldset>
${address}
${shippingChoices(session, entered.shipping ?? '')}
${methodChoices(session, entered.method)}
<fieldset class="card"><legend>Card</legend>${input('card', 'Card number', 'inputmode="numeric" autocomplete="cc-number" placeholder="4242 4242 4242 4242"')}
<div class="row">${input('expiry', 'Expiry (MM / YY)', 'inputmode="numeric" autocomplete="cc-exp" placeholder="12 / 34"')}${input('cvc', 'Security code', 'inputmode="numeric" autocomplete="cc-csc" placeholder="123"')}</div></fieldset>
<button>${session.shipping.length > 1 ? 'Pay' : `Pay ${money(totalOf(session))}`}</button></form></main>`,
  );
}

const REQUIRED_TEXTS: Record<string, string> = {
  name: 'Enter your full name.',
  line1: 'Enter your address.',
  city: 'Enter your town or city.',
  postal_code: 'Enter your postcode.',
  phone: 'Enter your phone number.',
};

/** Validation errors by field. */
export function wrongFields(entered: Entered, { byCard, asksAddress }: { byCard: boolean; asksAddress: boolean }): FieldErrors {
  const errors: FieldErrors = {};
  for (const [name, text] of Object.entries(asksAddress ? REQUIRED_TEXTS : {})) if (!entered[name]?.trim()) errors[name] = text;
  if (!/^\S+@\S+\.\S+$/.test(entered.email?.trim() ?? '')) errors.email = 'Enter an email address.';
  if (!byCard) return errors;
  if (!/^\d{16}$/.test(entered.card?.replace(/[\s-]/g, '') ?? '')) errors.card = 'Enter the 16 digits of your card.';
  if (!/^\d{3,4}$/.test(entered.cvc?.trim() ?? '')) errors.cvc = 'Enter the security code.';
  const expiry = /^(\d{1,2})\s*\/?\s*(\d{2})$/.exec(entered.expiry?.trim() ?? '');
  const month = Number(expiry?.[1]);
  if (!expiry || month < 1 || month > 12) errors.expiry = 'Enter the month and year, such as 12 / 34.';
  else if (new Date(2000 + Number(expiry[2]), month, 1) <= new Date()) errors.expiry = 'This card has expired.';
  return errors;
}
