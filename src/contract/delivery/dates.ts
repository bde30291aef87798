import { momentOf } from '#contract/market/moments.ts';
import { dayPlus, shopDay, shopTime } from '#contract/market/shop-time.ts';
import { type CalendarRow, isWorkingDay } from './calendar.ts';
import type { DeliveryWindow } from './delivery.ts';
import type { DeliveryMethod } from './methods.ts';
import type { Nation } from './nation.ts';

/** Working days until an order is ready, including the day on which it is placed (specification §9). */
const PROCESSING_DAYS = { min: 1, max: 2 } as const;
/** Processing takes working days of the nation from which orders leave. */
const DISPATCHED_FROM: Nation = 'england-and-wales';

const isoOf = (time: string) => momentOf(time) ?? '';

type Calendar = readonly CalendarRow[];

/** A day further ahead is not promised: the shop would be closed for good, or its calendar would be wrong. */
const FARTHEST_DAYS = 400;

/** The first working day from `day` on, `day` included. Without one within `FARTHEST_DAYS`, the day after these. */
function workingDayFrom(day: string, nations: readonly Nation[], calendar: Calendar): string {
  for (let days = 0; days < FARTHEST_DAYS; days += 1) {
    const candidate = dayPlus(day, days);
    if (isWorkingDay(candidate, nations, calendar)) return candidate;
  }
  return dayPlus(day, FARTHEST_DAYS);
}

/** `count` working days after `day`. */
function workingDaysAfter(day: string, count: number, nations: readonly Nation[], calendar: Calendar): string {
  let next = day;
  for (let left = count; left > 0; left -= 1) next = workingDayFrom(dayPlus(next, 1), nations, calendar);
  return next;
}

/** An hour of a day in the form of `shopTime`, so that the two compare as text. */
const shopHour = (day: string, hour: number) => `${day} ${String(hour).padStart(2, '0')}:00`;

/** The first processing day of an order placed at `now` (ISO): today before the cut-off hour, else the next working day. */
export function firstProcessingDay(now: string, cutOffHour: number, calendar: Calendar): string {
  const time = shopTime(now);
  const today = time.slice(0, 10);
  return workingDayFrom(time < shopHour(today, cutOffHour) ? today : dayPlus(today, 1), [DISPATCHED_FROM], calendar);
}

/**
 * The days on which an order placed at `now` (ISO) arrives in a nation: one or two working days of processing (specification §9), then the days of the
 * method. Parcels arrive only on days that are working days both in England and Wales and in the destination, and move only on those unless the method counts
 * plain days. Undefined if the shop is closed for too long.
 */
export function deliveryWindow(now: string, method: DeliveryMethod, nation: Nation, calendar: Calendar): DeliveryWindow | undefined {
  const first = firstProcessingDay(now, method.cutOffHour, calendar);
  const nations = [DISPATCHED_FROM, nation];
  const arrival = (processingDays: number, travelDays: number) => {
    const ready = workingDaysAfter(first, processingDays - 1, [DISPATCHED_FROM], calendar);
    const end = method.unit === 'day' ? dayPlus(ready, travelDays) : workingDaysAfter(ready, travelDays, nations, calendar);
    return workingDayFrom(end, nations, calendar);
  };
  const window = { from: arrival(PROCESSING_DAYS.min, method.minDays), to: arrival(PROCESSING_DAYS.max, method.maxDays) };
  return window.to > dayPlus(shopDay(now), FARTHEST_DAYS) ? undefined : window;
}

/**
 * The days that a customer can choose for an order with this window, soonest first. A chosen day is a promise, so they begin with the last day of the
 * window. Fewer days than the method offers if the calendar has no more working days (`workingDayFrom`).
 */
export function choosableDays(window: DeliveryWindow | undefined, method: DeliveryMethod, nation: Nation, calendar: Calendar): string[] {
  const { daysToChoose = 0 } = method;
  const days: string[] = [];
  const nations = [DISPATCHED_FROM, nation];
  let day = window?.to;
  // If the shop is closed for too long, `workingDayFrom` returns a day on which it is closed.
  while (day && days.length < daysToChoose && isWorkingDay(day, nations, calendar)) {
    days.push(day);
    day = workingDayFrom(dayPlus(day, 1), nations, calendar);
  }
  return days;
}

/** ISO time of the next cut-off after `now` (ISO), until which delivery windows do not change. */
export function nextCutOff(now: string, cutOffHour: number): string {
  const time = shopTime(now);
  const today = time.slice(0, 10);
  return isoOf(shopHour(time < shopHour(today, cutOffHour) ? today : dayPlus(today, 1), cutOffHour));
}

interface Notice {
  from: string;
  to: string;
  text: string;
}

/** The notice that is shown at `now` (ISO), or an empty text; `until` is the ISO time at which it may change. */
export function noticeAt(notices: readonly Notice[], now: string): { notice: string; until?: string } {
  if (notices.length === 0) return { notice: '' };
  const today = shopDay(now);
  const texts = notices.filter(({ from, to }) => from <= today && today <= to).map(({ text }) => text);
  const changes = notices.flatMap(({ from, to }) => [from, dayPlus(to, 1)]).filter((day) => day > today);
  const [next] = changes.sort();
  return { notice: texts.join(' '), ...(next && { until: isoOf(shopHour(next, 0)) }) };
}
