import type { Pence } from '#contract/market/money.ts';
import { shopDay } from '#contract/market/shop-time.ts';
import type { Invoice } from './invoices.ts';
import { type RateSum, rateText } from './vat.ts';

/** The facts above the lines of an invoice, credit note or pro forma, on screen, on paper and in the PDF. */
export function factsOf({ kind, issuedAt, order, corrects, reason, buyer }: Invoice): [label: string, text: string][] {
  const facts: [label: string, text: string][] = [];
  if (kind !== 'pro_forma') facts.push(['Date of issue', shopDay(issuedAt)]);
  if (corrects) facts.push(['Corrects', `${corrects.number} of ${shopDay(corrects.issuedAt)}`], ['Reason', reason]);
  facts.push(['Order', `${order.reference} of ${shopDay(order.placedAt)}`]);
  if (buyer.business?.orderNumber) facts.push(['Your order number', buyer.business.orderNumber]);
  facts.push(['Payment', order.paymentMethod]);
  return facts;
}

export function buyerLines({ buyer: { name, address, business } }: Invoice): string[] {
  return [business?.company ?? '', name, ...address, business?.vatNumber ? `VAT number ${business.vatNumber}` : ''].filter(Boolean);
}

/** Net, the VAT of each rate, and total; without VAT only the total. */
export function sumsOf({ rates, net, gross }: { rates: readonly RateSum[]; net: Pence; gross: Pence }): [label: string, amount: Pence][] {
  const vats = rates.map(({ rate, vat }): [string, Pence] => [`VAT at ${rateText(rate)}`, vat]);
  return vats.length === 0 ? [['Total', gross]] : [['Net', net], ...vats, ['Total', gross]];
}

/** Shown with a pro forma. */
export const INVOICE_FOLLOWS = 'The invoice follows once the order is paid or sent.';

/** What a pro forma is, and how the VAT was computed or why none is charged. */
export function noteOf(invoice: Invoice): string {
  if (invoice.kind !== 'pro_forma') return vatNote(invoice);
  return `This is not ${invoice.vatRate === null ? 'an invoice' : 'a VAT invoice'}. ${INVOICE_FOLLOWS} ${vatNote(invoice)}`;
}

function vatNote({ vatRate, rates, seller }: Invoice): string {
  if (vatRate === null) return `No VAT is charged: ${seller.name} is not registered for VAT.`;
  if (rates.length > 1)
    return 'Prices and amounts include VAT at the rate of each line. The VAT of each rate’s total is rounded to the nearest penny, and divided among its lines so that they add up to it.';
  return `Prices and amounts include VAT at ${rateText(vatRate)}. The VAT of the total is rounded to the nearest penny, and divided among the lines so that they add up to it.`;
}
