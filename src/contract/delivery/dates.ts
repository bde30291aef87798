import { PROCESSING_DAYS, type ShippingOption } from '#contract/market/market.ts';
import { shopTime } from '#contract/market/shop-time.ts';
import { BANK_HOLIDAYS, LAST_KNOWN_DAY } from './bank-holidays.ts';
import type { DeliveryWindow } from './delivery.ts';
import type { Nation } from './delivery-window.ts';

/** Processing takes working days of the nation from which orders leave. */
const DISPATCHED_FROM: Nation = 'england-and-wales';
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** The day a number of days after another: `2026-11-30`, 3 → `2026-12-03`. */
function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Monday to Friday, except bank holidays of any of the nations. */
export function isWorkingDay(day: string, nations: readonly Nation[]): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !nations.some((nation) => BANK_HOLIDAYS[nation].has(day));
}

/** The day itself, or the first working day after it. */
function workingDayFrom(day: string, nations: readonly Nation[]): string {
  return isWorkingDay(day, nations) ? day : workingDayFrom(dayAfter(day, 1), nations);
}

/** The day a number of working days later. */
function workingDaysAfter(day: string, count: number, nations: readonly Nation[]): string {
  return count === 0 ? day : workingDaysAfter(workingDayFrom(dayAfter(day, 1), nations), count - 1, nations);
}

const cutOffText = (day: string, hour: number) => `${day} ${String(hour).padStart(2, '0')}:00`;

/** The first processing day of an order placed at `now` (ISO): today before the cut-off hour, else the next working day. */
function firstDay(now: string, cutOffHour: number): string {
  const time = shopTime(now);
  const today = time.slice(0, 10);
  return workingDayFrom(time < cutOffText(today, cutOffHour) ? today : dayAfter(today, 1), [DISPATCHED_FROM]);
}

/**
 * The days on which an order placed at `now` (ISO) arrives in a nation: one or two working days of processing (specification §9), then the days of the
 * shipping option. Parcels move and arrive only on days that are working days both here and there. Undefined past the last known bank holidays.
 */
export function deliveryWindow(now: string, option: ShippingOption, nation: Nation, cutOffHour: number): DeliveryWindow | undefined {
  const first = firstDay(now, cutOffHour);
  const both = [DISPATCHED_FROM, nation];
  const arrival = (processing: number, days: number) => {
    const ready = workingDaysAfter(first, processing - 1, [DISPATCHED_FROM]);
    return option.unit === 'day' ? workingDayFrom(dayAfter(ready, days), both) : workingDaysAfter(ready, days, both);
  };
  const window = { from: arrival(PROCESSING_DAYS.min, option.minDays), to: arrival(PROCESSING_DAYS.max, option.maxDays) };
  return window.to > LAST_KNOWN_DAY ? undefined : window;
}

/** ISO time of the next cut-off after `now` (ISO), until which delivery windows do not change. */
export function nextCutOff(now: string, cutOffHour: number): string {
  const time = shopTime(now);
  const today = time.slice(0, 10);
  const day = time < cutOffText(today, cutOffHour) ? today : dayAfter(today, 1);
  // The shop's time is UTC, or an hour ahead in summer.
  const inWinter = Date.parse(`${day}T00:00:00Z`) + cutOffHour * HOUR_MS;
  const inSummer = new Date(inWinter - HOUR_MS).toISOString();
  return shopTime(inSummer) >= cutOffText(day, cutOffHour) ? inSummer : new Date(inWinter).toISOString();
}
