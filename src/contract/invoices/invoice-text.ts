import { shopDay } from '#contract/market/shop-time.ts';
import type { Invoice } from './invoices.ts';
import { rateText } from './vat.ts';

/** The facts above the lines of an invoice or credit note, on screen, on paper and in the PDF. */
export function factsOf({ issuedAt, order, corrects, reason }: Invoice): [label: string, text: string][] {
  return [
    ['Date of issue', shopDay(issuedAt)],
    ...(corrects
      ? [['Corrects', `${corrects.number} of ${shopDay(corrects.issuedAt)}`] as [string, string], ['Reason', reason] as [string, string]]
      : []),
    ['Order', `${order.reference} of ${shopDay(order.placedAt)}`],
    ['Payment', order.paymentMethod],
  ];
}

/** How the VAT was computed, or why none is charged. */
export function noteOf({ vatRate, seller }: Invoice): string {
  if (vatRate === null) return `No VAT is charged: ${seller.name} is not registered for VAT.`;
  return `Prices and amounts include VAT at ${rateText(vatRate)}. The VAT of the total is rounded to the nearest penny, and divided among the lines so that they add up to it.`;
}
