/** An amount in integer pence. */
export type Pence = number;

/**
 * 12400 → `12,400`, for whole numbers from 0. The first call of `toLocaleString` would block a browser for 14 ms while a list opens.
 */
export function grouped(whole: number): string {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** 49999 → `499.99`, 123456789 → `1,234,567.89` */
export function decimal(pence: Pence): string {
  const whole = Math.trunc(Math.abs(pence) / 100);
  const rest = String(Math.abs(pence) % 100).padStart(2, '0');
  return `${pence < 0 ? '-' : ''}${grouped(whole)}.${rest}`;
}

/** 123456789 → `1234567.89`, for machines and spreadsheets. */
export const plainDecimal = (pence: Pence): string => decimal(pence).replaceAll(',', '');

/** 49999 → `£499.99`, -500 → `−£5.00` */
export function pounds(pence: Pence): string {
  return `${pence < 0 ? '−' : ''}£${decimal(Math.abs(pence))}`;
}

/** The message for an invalid amount. */
export const NO_AMOUNT = 'Enter an amount in pounds, such as 12.50.';

/** Parses an amount in pounds, such as `£12.50` or `1,200`, to pence; undefined if invalid. */
export function penceOf(text: string): Pence | undefined {
  const [, whole, rest = ''] = /^£?\s*(\d{1,7})(?:\.(\d{1,2}))?$/.exec(text.trim().replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')) ?? [];
  return whole === undefined ? undefined : Number(whole) * 100 + Number(rest.padEnd(2, '0'));
}
