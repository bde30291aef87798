/** The time zone of every date that a person reads; the API itself speaks UTC (clarification 11). */
export const SHOP_TIME_ZONE = 'Europe/London';

// Swedish writes a date as the specification does (§9): 2026-07-02 00:30.
const FORMAT = new Intl.DateTimeFormat('sv-SE', { timeZone: SHOP_TIME_ZONE, dateStyle: 'short', timeStyle: 'short' });

/** The shop's day and minute of an ISO time: `2026-07-01T23:30:00.000Z` → `2026-07-02 00:30`. */
export function shopTime(iso: string): string {
  return FORMAT.format(new Date(iso));
}

/** The shop's day of an ISO time: `2026-07-01T23:30:00.000Z` → `2026-07-02`. */
export function shopDay(iso: string): string {
  return shopTime(iso).slice(0, 10);
}
