import { expect, test } from 'vitest';
import { openingHoursOf } from './opening-hours.ts';

const WEEK = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'];

test.each([
  ['Monday to Friday', '10:00 to 17:30', { days: WEEK, opens: '10:00', closes: '17:30' }],
  ['Mon–Fri', '9am – 5.30pm', { days: WEEK, opens: '09:00', closes: '17:30' }],
  ['Saturdays and Sundays', '10am-noon', { days: ['Saturday', 'Sunday'], opens: '10:00', closes: '12:00' }],
  ['Tue, Thu & Sat', '12pm to 8pm', { days: ['Tuesday', 'Thursday', 'Saturday'], opens: '12:00', closes: '20:00' }],
  ['Every day', '8 to 20', { days: [...WEEK, 'Saturday', 'Sunday'], opens: '08:00', closes: '20:00' }],
])('%s: %s is read', (days, times, expected) => expect(openingHoursOf(days, times)).toEqual(expected));

test.each([
  ['Sunday', 'Closed'],
  ['25 and 26 December', '10:00 to 12:00'],
  ['Monday', '9 to 5'],
  ['Monday', 'By appointment'],
  ['Friday to Monday', '10:00 to 17:00'],
  ['Monday', '25:00 to 26:00'],
  ['Monday', '10:00 to 10:75'],
  ['', '10:00 to 17:00'],
])('%s: %s is left out', (days, times) => expect(openingHoursOf(days, times)).toBeUndefined());
