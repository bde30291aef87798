import { dayPlus } from '#contract/market/shop-time.ts';
import type { Nation } from './nation.ts';

const MONDAY = 1;

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
const weekdayOf = (day: string) => new Date(day).getUTCDay();

/** Easter Sunday of the Gregorian calendar, by the method of Meeus, Jones and Butcher. */
function easterOf(year: number): string {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100];
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const sum = h + l - 7 * m + 114;
  return dayOf(Date.UTC(year, Math.floor(sum / 31) - 1, (sum % 31) + 1));
}

/** The first or last Monday of a month (1 to 12). */
function mondayOf(year: number, month: number, which: 'first' | 'last'): string {
  const last = dayOf(Date.UTC(year, month, 0));
  if (which === 'last') return dayPlus(last, -((weekdayOf(last) + 6) % 7));
  const first = dayOf(Date.UTC(year, month - 1, 1));
  return dayPlus(first, (MONDAY - weekdayOf(first) + 7) % 7);
}

/** Fixed days in their order; one that falls on a weekend, or on the substitute of one before it, moves to the next free weekday. */
function substituted(days: readonly string[]): string[] {
  const taken: string[] = [];
  for (const day of days) {
    let free = day;
    while (weekdayOf(free) === 0 || weekdayOf(free) === 6 || taken.includes(free)) free = dayPlus(free, 1);
    taken.push(free);
  }
  return taken;
}

/** Proclaimed for one year, beside those of the law; add new ones here (https://www.gov.uk/bank-holidays). Scotland's was for the World Cup. */
const PROCLAIMED: Partial<Record<Nation, readonly string[]>> = { scotland: ['2026-06-15'] };

/** The bank holidays of a year that fall on weekdays, by the Banking and Financial Dealings Act 1971, the yearly proclamations and St Andrew's Day. */
function byLaw(year: number, nation: Nation): string[] {
  const easter = easterOf(year);
  const inAllNations = [dayPlus(easter, -2), mondayOf(year, 5, 'first'), mondayOf(year, 5, 'last')];
  const christmas = substituted([`${year}-12-25`, `${year}-12-26`]);
  if (nation === 'scotland')
    return [
      ...substituted([`${year}-01-01`, `${year}-01-02`]),
      ...inAllNations,
      mondayOf(year, 8, 'first'),
      ...substituted([`${year}-11-30`]),
      ...christmas,
    ];
  const irish = nation === 'northern-ireland' ? [`${year}-03-17`, `${year}-07-12`].flatMap((day) => substituted([day])) : [];
  return [...substituted([`${year}-01-01`]), ...irish, ...inAllNations, dayPlus(easter, 1), mondayOf(year, 8, 'last'), ...christmas];
}

const cached = new Map<string, ReadonlySet<string>>();

/** Whether a day (`YYYY-MM-DD`) is a bank holiday of a nation, in any year. */
export function isBankHoliday(day: string, nation: Nation): boolean {
  const [year = ''] = day.split('-');
  const key = `${nation} ${year}`;
  const days = cached.get(key) ?? new Set([...byLaw(Number(year), nation), ...(PROCLAIMED[nation] ?? [])]);
  cached.set(key, days);
  return days.has(day);
}
