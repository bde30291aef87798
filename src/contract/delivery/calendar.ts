import { isBankHoliday } from './bank-holidays.ts';
import type { Nation } from './nation.ts';

/** What a row of the owner's calendar can say about its days. */
export const CALENDAR = [
  'closed',
  'closed in England and Wales',
  'closed in Scotland',
  'closed in Northern Ireland',
  'open, although a bank holiday',
] as const;

export interface CalendarRow {
  from: string;
  to: string;
  what: (typeof CALENDAR)[number];
}

const CLOSED_IN: Record<Nation, CalendarRow['what']> = {
  'england-and-wales': 'closed in England and Wales',
  scotland: 'closed in Scotland',
  'northern-ireland': 'closed in Northern Ireland',
};

/** Monday to Friday, except days on which the shop or one of the nations is closed. */
export function isWorkingDay(day: string, nations: readonly Nation[], calendar: readonly CalendarRow[]): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  if (weekday === 0 || weekday === 6) return false;
  const rows = calendar.filter(({ from, to }) => from <= day && day <= to).map(({ what }) => what);
  if (rows.includes('closed') || nations.some((nation) => rows.includes(CLOSED_IN[nation]))) return false;
  return rows.includes('open, although a bank holiday') || !nations.some((nation) => isBankHoliday(day, nation));
}
