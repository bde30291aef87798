/** An amount in integer pence. */
export type Pence = number;

/**
 * 12400 → `12,400`, of a whole number from 0. `toLocaleString` would do it too, but the first call of it holds a browser up for 14 ms, and lists
 * count products as soon as they open.
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

/** 49999 → `£499.99` */
export function pounds(pence: Pence): string {
  return `£${decimal(pence)}`;
}

/** The message for text that is no amount. */
export const NO_AMOUNT = 'Enter an amount in pounds, such as 12.50.';

/** The pence of an amount in pounds as people type it: `£12.50`, `1,200`; undefined for anything else. */
export function penceOf(text: string): Pence | undefined {
  const [, whole, rest = ''] = /^£?\s*(\d{1,7})(?:\.(\d{1,2}))?$/.exec(text.trim().replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')) ?? [];
  return whole === undefined ? undefined : Number(whole) * 100 + Number(rest.padEnd(2, '0'));
}
