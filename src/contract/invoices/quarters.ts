import { shopDay } from '#contract/market/shop-time.ts';

const MONTHS = 3;

/** The quarter of a day in the shop's time, or one a number of quarters earlier: `2026-Q4`. */
export function quarterOf(iso: string, back = 0): string {
  const [year = 0, month = 1] = shopDay(iso).split('-').map(Number);
  const quarters = year * 4 + Math.floor((month - 1) / MONTHS) - back;
  return `${Math.floor(quarters / 4)}-Q${(quarters % 4) + 1}`;
}

/** The first day of a quarter, and that of the next: `2026-Q4` → `2026-10-01` and `2027-01-01`. */
export function daysOf(quarter: string): { from: string; before: string } {
  const [year = 0, number = 1] = quarter.split('-Q').map(Number);
  const start = (quarters: number) => `${Math.floor(quarters / 4)}-${String((quarters % 4) * MONTHS + 1).padStart(2, '0')}-01`;
  const quarters = year * 4 + number - 1;
  return { from: start(quarters), before: start(quarters + 1) };
}
