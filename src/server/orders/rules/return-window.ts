import { dayPlus, shopDay } from '#contract/market/shop-time.ts';
import { RETURN_DAYS } from '#contract/returns/return-days.ts';

/** The day (`YYYY-MM-DD`, in the shop's time) a number of days after a moment. */
export const daysAfter = (iso: string, days: number): string => dayPlus(shopDay(iso), days);

/** The last day to request a return; the day of delivery does not count. */
export const lastDayToAsk = (deliveredAt: string): string => daysAfter(deliveredAt, RETURN_DAYS.ask);

/** Whether a return can be requested at `now` (ISO): until the end of the last day. */
export const isWithinWindow = (deliveredAt: string, now: string): boolean => shopDay(now) <= lastDayToAsk(deliveredAt);
