import { MONTHS } from '#contract/market/shop-time.ts';
import type { DeliveryWindow } from './delivery.ts';

/** The parts of the United Kingdom with different bank holidays. */
export const NATIONS = ['england-and-wales', 'scotland', 'northern-ireland'] as const;
export type Nation = (typeof NATIONS)[number];

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** `2026-11-30` → `Mon 30 Nov`. Not `Intl`: browsers abbreviate British dates differently. */
function dayText(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  return `${WEEKDAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
}

/** `Mon 30 Nov – Thu 3 Dec`, or one day. Non-breaking spaces keep each day together. */
export function windowText({ from, to }: DeliveryWindow): string {
  const [first, last] = [from, to].map((day) => dayText(day).replaceAll(' ', '\u00a0'));
  return first === last ? `${first}` : `${first} – ${last}`;
}
