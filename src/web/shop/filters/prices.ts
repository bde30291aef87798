import { poundsOf } from '#contract/catalogue/list-parameters.ts';
import { decimal, grouped } from '#contract/market/money.ts';

/** Whole pounds, or with pence. */
export function poundsText(value: string): string {
  const pounds = Number(value);
  return `£${Number.isInteger(pounds) ? grouped(pounds) : decimal(Math.round(pounds * 100))}`;
}

/** A price parameter as the form first shows it (specification §5): an integer, or empty. */
export function priceText(value: string | null): string {
  const pounds = poundsOf(value ?? undefined);
  return pounds === undefined ? '' : String(Math.trunc(pounds));
}

/** Whether the form hides a price's pence. */
export const hasPence = (value: string | null): value is string => !Number.isInteger(Number(value));

/** A price box's value: the exact price if its text is unchanged. */
export function enteredPrice(text: string, exact: string | null): string {
  return exact !== null && text.trim() === priceText(exact) ? exact : text.trim();
}

/** Says that the form hides pence, and the exact filter; undefined without pence. */
export function penceNote(min: string | null, max: string | null): string | undefined {
  if (![min, max].some(hasPence)) return undefined;
  const range = [min && `from ${poundsText(min)}`, max && `up to ${poundsText(max)}`].filter(Boolean).join(' ');
  return `Pence are left out above. The list is filtered ${range}.`;
}
