import { DAY_MS, dayPlus } from '#contract/market/shop-time.ts';

/** Days of the shop's time, both included: `2026-11-01` to `2026-11-30`. */
export interface Period {
  from: string;
  to: string;
}

export const daysIn = ({ from, to }: Period): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;

/** The first day of the month of a day, or of one a number of months later. */
export function monthStart(day: string, months = 0): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
}

/** The months that lie wholly in a period, from the first day of the first to the day before `before`; undefined if there are none. */
export function wholeMonths({ from, to }: Period): { from: string; before: string } | undefined {
  const first = from === monthStart(from) ? from : monthStart(from, 1);
  const before = monthStart(dayPlus(to, 1));
  return first < before ? { from: first, before } : undefined;
}

const monthsBetween = (from: string, before: string): number => {
  const [one, other] = [from, before].map((day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)));
  return (other ?? 0) - (one ?? 0);
};

/** The period before: as many whole months for a period of whole months, else as many days. */
export function periodBefore(period: Period): Period {
  const { from, to } = period;
  const whole = wholeMonths(period);
  const start =
    whole && whole.from === from && whole.before === dayPlus(to, 1)
      ? monthStart(from, -monthsBetween(from, whole.before))
      : dayPlus(from, -daysIn(period));
  return { from: start, to: dayPlus(from, -1) };
}

/** The periods that the reports offer, as of a day. */
export const PERIODS: Record<string, { label: string; of: (today: string) => Period }> = {
  week: { label: 'Last 7 days', of: (today) => ({ from: dayPlus(today, -6), to: today }) },
  days: { label: 'Last 30 days', of: (today) => ({ from: dayPlus(today, -29), to: today }) },
  month: { label: 'This month', of: (today) => ({ from: monthStart(today), to: today }) },
  'last-month': { label: 'Last month', of: (today) => ({ from: monthStart(today, -1), to: dayPlus(monthStart(today), -1) }) },
  year: { label: 'Last 12 months', of: (today) => ({ from: monthStart(today, -12), to: dayPlus(monthStart(today), -1) }) },
};
