/** The time zone of every date that people read; the API uses UTC (clarification 11). */
export const SHOP_TIME_ZONE = 'Europe/London';

// Swedish dates have the specification's form (§9): 2026-07-02 00:30. Created with the first date: a phone takes tens of milliseconds to load the
// calendars, and most pages show no date.
let format: Intl.DateTimeFormat | undefined;

/** The shop's day and minute of an ISO time: `2026-07-01T23:30:00.000Z` → `2026-07-02 00:30`. */
export function shopTime(iso: string): string {
  format ??= new Intl.DateTimeFormat('sv-SE', { timeZone: SHOP_TIME_ZONE, dateStyle: 'short', timeStyle: 'short' });
  return format.format(new Date(iso));
}

/** The shop's day of an ISO time: `2026-07-01T23:30:00.000Z` → `2026-07-02`. */
export function shopDay(iso: string): string {
  return shopTime(iso).slice(0, 10);
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** The day (`YYYY-MM-DD`) a number of days later, or earlier. */
export const dayPlus = (day: string, days: number): string => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** The next time (ISO, after `now`) at which the shop's clock shows a full hour. */
export function nextShopHour(hour: number, now: Date): string {
  let at = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  do at += HOUR_MS;
  while (Number(shopTime(new Date(at).toISOString()).slice(11, 13)) !== hour);
  return new Date(at).toISOString();
}

export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The shop's day of an ISO time as people write it: `2 Jul 2026`. */
export function shopDate(iso: string): string {
  const [year, month = 1, day] = shopDay(iso).split('-').map(Number);
  return `${day} ${MONTHS[month - 1]} ${year}`;
}
