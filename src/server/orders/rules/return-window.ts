import { RETURN_DAYS } from '#contract/market/market.ts';
import { shopDay } from '#contract/market/shop-time.ts';

const DAY_MS = 86_400_000;

/** The day (`YYYY-MM-DD`) so many days after that of a moment, in the shop's time. */
export const daysAfter = (iso: string, days: number): string =>
  new Date(Date.parse(shopDay(iso)) + days * DAY_MS).toISOString().slice(0, 10);

/** The last day on which a customer can say that pieces of an order come back; the day of delivery does not count. */
export const lastDayToAsk = (deliveredAt: string): string => daysAfter(deliveredAt, RETURN_DAYS.ask);

/** Whether a customer can say so at `now` (ISO), which lasts until the end of that day. */
export const isWithinWindow = (deliveredAt: string, now: string): boolean => shopDay(now) <= lastDayToAsk(deliveredAt);
