import { MONTHS } from '#contract/market/shop-time.ts';
import type { DeliveryWindow } from './delivery.ts';

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** `2026-11-30` → `Mon 30 Nov`, kept together by non-breaking spaces. Not `Intl`: browsers abbreviate British dates differently. */
export function dayText(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  return `${WEEKDAYS[date.getUTCDay()]}\u00a0${date.getUTCDate()}\u00a0${MONTHS[date.getUTCMonth()]}`;
}

/** `Mon 30 Nov – Thu 3 Dec`, or one day. */
export const windowText = ({ from, to }: DeliveryWindow): string => (from === to ? dayText(from) : `${dayText(from)} – ${dayText(to)}`);
