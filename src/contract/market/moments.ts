import { shopTime } from './shop-time.ts';

const HOUR_MS = 3_600_000;

/** The day and the minute of the shop's time as an ISO time; a minute that the clocks skip in spring is an hour later. */
function fromShopTime(day: string, time: string): string | undefined {
  const asUtc = new Date(`${day}T${time}:00Z`);
  if (Number.isNaN(asUtc.getTime()) || asUtc.toISOString().slice(0, 10) !== day) return undefined;
  // London is at UTC or an hour ahead of it.
  const summer = new Date(asUtc.getTime() - HOUR_MS).toISOString();
  return shopTime(summer) === `${day} ${time}` ? summer : asUtc.toISOString();
}

const ISO_DAY = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}))?(?::\d{2})?$/;
const BRITISH_DAY = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: (\d{1,2}:\d{2}))?(?::\d{2})?$/;

/**
 * A moment as people type it in the shop's time, as an ISO time: `2026-12-04 09:00`, `04/12/2026 09:00`, or a day, which begins at 00:00. An ISO time with its
 * zone stays that moment. Undefined for any other text.
 */
export function momentOf(text: string): string | undefined {
  const typed = text.trim();
  const [, day, time = '00:00'] = ISO_DAY.exec(typed) ?? [];
  if (day) return fromShopTime(day, time);
  const [, date = '', month = '', year, at = '00:00'] = BRITISH_DAY.exec(typed) ?? [];
  if (year) return fromShopTime(`${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`, at.padStart(5, '0'));
  const moment = /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(typed) ? new Date(typed) : undefined;
  return moment && !Number.isNaN(moment.getTime()) ? moment.toISOString() : undefined;
}

/** A moment as the value of a `datetime-local` control: `2026-12-04T09:00`. */
export const typedMoment = (iso: string | null): string => (iso === null ? '' : shopTime(iso).replace(' ', 'T'));
