import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS, shopTime } from '#contract/market/shop-time.ts';
import { isBankHoliday } from './bank-holidays.ts';
import { type CalendarRow, isWorkingDay } from './calendar.ts';
import { choosableDays, deliveryWindow, nextCutOff, noticeAt } from './dates.ts';
import { defaultDelivery, deliveryOf } from './delivery-settings.ts';
import { windowText } from './delivery-window.ts';
import { NATIONS, type Nation, nationOf } from './nation.ts';

const CUT_OFF = 14;
const [standard, express] = deliveryOf(defaultDelivery('uk', CUT_OFF)).methods;
if (!standard || !express) throw new Error('There are two methods.');
const england = 'england-and-wales';
const windowOf = (now: string, method = standard, nation: Nation = england, calendar: CalendarRow[] = []) => {
  const window = deliveryWindow(now, method, nation, calendar);
  return window && windowText(window).replaceAll('\u00a0', ' ');
};

test.each([
  ['a Saturday', '2026-11-21T10:00:00Z', 'Mon 30 Nov – Thu 3 Dec'],
  ['a Friday before the cut-off', '2026-11-20T13:59:59Z', 'Fri 27 Nov – Wed 2 Dec'],
  ['a Friday at the cut-off', '2026-11-20T14:00:00Z', 'Mon 30 Nov – Thu 3 Dec'],
  ['a summer’s day before the cut-off, in British Summer Time', '2026-07-01T12:59:59Z', 'Wed 8 Jul – Mon 13 Jul'],
  ['a summer’s day at the cut-off', '2026-07-01T13:00:00Z', 'Thu 9 Jul – Tue 14 Jul'],
  [
    'Christmas Eve after the cut-off: Friday, the weekend and the substitute day are no working days',
    '2026-12-24T15:00:00Z',
    'Wed 6 Jan – Mon 11 Jan',
  ],
])('an order of %s arrives in England and Wales (§2.7.6)', (_, now, expected) => {
  expect(windowOf(now)).toBe(expected);
});

test('St Andrew’s Day moves the days in Scotland, and the Twelfth of July those in Northern Ireland', () => {
  expect(windowOf('2026-11-21T10:00:00Z', standard, 'scotland')).toBe('Tue 1 Dec – Fri 4 Dec');
  expect(windowOf('2027-07-05T08:00:00Z', standard, england)).toBe('Mon 12 Jul – Thu 15 Jul');
  expect(windowOf('2027-07-05T08:00:00Z', standard, 'northern-ireland')).toBe('Tue 13 Jul – Fri 16 Jul');
});

test('the days to choose from are working days here and there, from the last promised one on; none where the owner offers none', () => {
  const choices = (nation: Nation, daysToChoose?: number) => {
    const window = deliveryWindow('2026-11-20T14:00:00Z', standard, nation, []);
    return choosableDays(window, { ...standard, ...(daysToChoose && { daysToChoose }) }, nation, [
      { from: '2026-12-08', to: '2026-12-08', what: 'closed', note: '' } as CalendarRow,
    ]);
  };
  expect(choices(england, 4)).toEqual(['2026-12-03', '2026-12-04', '2026-12-07', '2026-12-09']);
  expect(choices('scotland', 2)).toEqual(['2026-12-04', '2026-12-07']);
  expect(choices(england)).toEqual([]);
  expect(choosableDays(undefined, { ...standard, daysToChoose: 4 }, england, [])).toEqual([]);
});

test('express counts days, and still brings nothing on a weekend', () => {
  expect(windowOf('2026-11-23T09:00:00Z', express)).toBe('Wed 25 Nov – Fri 27 Nov');
  expect(windowOf('2026-11-26T09:00:00Z', express)).toBe('Mon 30 Nov');
});

describe('the owner’s calendar', () => {
  const closed: CalendarRow = { from: '2026-12-24', to: '2027-01-02', what: 'closed' };

  test('on days on which the shop is closed nothing is made ready, sent or brought', () => {
    expect(windowOf('2026-12-14T09:00:00Z')).toBe('Mon 21 Dec – Thu 24 Dec');
    expect(windowOf('2026-12-14T09:00:00Z', standard, england, [closed])).toBe('Mon 21 Dec – Mon 4 Jan');
    expect(windowOf('2026-12-23T15:00:00Z', standard, england, [closed])).toBe('Mon 11 Jan – Thu 14 Jan');
  });

  test('days in one nation move only what is sent there; a bank holiday may be a working day', () => {
    const there: CalendarRow = { from: '2026-11-30', to: '2026-11-30', what: 'closed in Northern Ireland' };
    expect(windowOf('2026-11-21T10:00:00Z', standard, england, [there])).toBe('Mon 30 Nov – Thu 3 Dec');
    expect(windowOf('2026-11-21T10:00:00Z', standard, 'northern-ireland', [there])).toBe('Tue 1 Dec – Fri 4 Dec');
    const open: CalendarRow = { ...there, what: 'open, although a bank holiday' };
    expect(windowOf('2026-11-21T10:00:00Z', standard, 'scotland', [open])).toBe('Mon 30 Nov – Thu 3 Dec');
  });

  test('a shop that is closed for years promises no days', () => {
    expect(windowOf('2026-12-23T15:00:00Z', standard, england, [{ ...closed, to: '2035-01-01' }])).toBeUndefined();
  });
});

test('a notice is shown from its first day to the end of its last, in the shop’s time', () => {
  const notices = [{ from: '2026-06-01', to: '2026-06-02', text: 'Closed.' }];
  expect(noticeAt(notices, '2026-05-31T22:59:59.999Z')).toEqual({ notice: '', until: '2026-05-31T23:00:00.000Z' });
  expect(noticeAt(notices, '2026-05-31T23:00:00.000Z')).toEqual({ notice: 'Closed.', until: '2026-06-02T23:00:00.000Z' });
  expect(noticeAt(notices, '2026-06-02T23:00:00.000Z')).toEqual({ notice: '' });
});

test('a shop that is closed for good tells no days, and no day to choose', () => {
  const closed = [{ from: '2026-12-02', to: '9999-12-31', what: 'closed' }] as const;
  expect(deliveryWindow('2026-11-23T09:00:00Z', standard, england, closed)).toBeUndefined();
  const week = { ...standard, daysToChoose: 5 };
  expect(choosableDays({ from: '2026-11-30', to: '2026-12-01' }, week, england, closed)).toEqual(['2026-12-01']);
});

const now = fc.date({ min: new Date('2026-01-01'), max: new Date('2050-11-30'), noInvalidDate: true }).map((date) => date.toISOString());
const option = fc.constantFrom(standard, express);
const nation = fc.constantFrom(...NATIONS);
const hour = fc.integer({ min: 0, max: 23 });

describe('whenever an order is placed', () => {
  test('it arrives on working days after today, the first not after the last', () => {
    fc.assert(
      fc.property(now, option, nation, hour, (time, way, where, cutOff) => {
        const window = deliveryWindow(time, { ...way, cutOffHour: cutOff }, where, []);
        expect(window?.from.localeCompare(window.to)).toBeLessThanOrEqual(0);
        expect(window?.from.localeCompare(shopTime(time).slice(0, 10))).toBeGreaterThan(0);
        for (const day of [window?.from ?? '', window?.to ?? '']) expect(isWorkingDay(day, [england, where], [])).toBe(true);
      }),
    );
  });

  test('waiting never makes it come earlier', () => {
    fc.assert(
      fc.property(now, fc.integer({ min: 0, max: 5 * DAY_MS }), option, nation, hour, (time, later, way, where, cutOff) => {
        const [first, second] = [time, new Date(Date.parse(time) + later).toISOString()].map((at) =>
          deliveryWindow(at, { ...way, cutOffHour: cutOff }, where, []),
        );
        expect(first?.from.localeCompare(second?.from ?? '')).toBeLessThanOrEqual(0);
        expect(first?.to.localeCompare(second?.to ?? '')).toBeLessThanOrEqual(0);
      }),
    );
  });

  test('the days stay what they are until the next cut-off, which comes within a day', () => {
    fc.assert(
      fc.property(
        now,
        fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
        option,
        nation,
        hour,
        (time, part, way, where, cutOff) => {
          const until = Date.parse(nextCutOff(time, cutOff));
          const [start, wait] = [Date.parse(time), until - Date.parse(time)];
          expect(wait).toBeGreaterThan(0);
          // The day on which the clocks go back has 25 hours.
          expect(wait).toBeLessThanOrEqual(25 * 3_600_000);
          const between = new Date(start + Math.floor(wait * part)).toISOString();
          expect(deliveryWindow(between, { ...way, cutOffHour: cutOff }, where, [])).toEqual(
            deliveryWindow(time, { ...way, cutOffHour: cutOff }, where, []),
          );
        },
      ),
    );
  });
});

test('on a working day the days change exactly at the cut-off', () => {
  const until = nextCutOff('2026-11-23T09:00:00.000Z', CUT_OFF);
  expect(until).toBe('2026-11-23T14:00:00.000Z');
  expect(windowOf(new Date(Date.parse(until) - 1).toISOString())).toBe('Mon 30 Nov – Thu 3 Dec');
  expect(windowOf(until)).toBe('Tue 1 Dec – Fri 4 Dec');
});

describe('the bank holidays', () => {
  /** As published on https://www.gov.uk/bank-holidays. */
  const PUBLISHED: Record<(typeof NATIONS)[number], string> = {
    'england-and-wales': `
      2026-01-01 2026-04-03 2026-04-06 2026-05-04 2026-05-25 2026-08-31 2026-12-25 2026-12-28
      2027-01-01 2027-03-26 2027-03-29 2027-05-03 2027-05-31 2027-08-30 2027-12-27 2027-12-28`,
    scotland: `
      2026-01-01 2026-01-02 2026-04-03 2026-05-04 2026-05-25 2026-06-15 2026-08-03 2026-11-30 2026-12-25 2026-12-28
      2027-01-01 2027-01-04 2027-03-26 2027-05-03 2027-05-31 2027-08-02 2027-11-30 2027-12-27 2027-12-28`,
    'northern-ireland': `
      2026-01-01 2026-03-17 2026-04-03 2026-04-06 2026-05-04 2026-05-25 2026-07-13 2026-08-31 2026-12-25 2026-12-28
      2027-01-01 2027-03-17 2027-03-26 2027-03-29 2027-05-03 2027-05-31 2027-07-12 2027-08-30 2027-12-27 2027-12-28`,
  };

  test.each(NATIONS)('of %s are those that are published, and are worked out for every year to come (§2.7.6)', (where) => {
    const days = Array.from({ length: 730 }, (_, n) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10));
    expect(days.filter((day) => isBankHoliday(day, where))).toEqual(PUBLISHED[where].trim().split(/\s+/));
    for (const day of ['2038-04-23', '2039-12-26', '2039-12-27', '2050-01-03'])
      expect([day, isBankHoliday(day, where)]).toEqual([day, true]);
  });
});

test.each([
  ['EH1 1YZ', 'scotland'],
  ['g1 1xq', 'scotland'],
  ['TD1 1AA', 'scotland'],
  ['TD15 1AA', 'england-and-wales'],
  ['GL50 1DE', 'england-and-wales'],
  ['BT1 5GS', 'northern-ireland'],
  ['CF10 1EP', 'england-and-wales'],
])('an address at %s has the bank holidays of %s (§2.7.6)', (postalCode, nation) => {
  expect(nationOf({ postalCode, country: 'United Kingdom' })).toBe(nation);
  expect(nationOf({ postalCode, country: 'Pakistan' })).toBe('england-and-wales');
});
