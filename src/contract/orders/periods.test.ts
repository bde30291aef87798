import { expect, test } from 'vitest';
import { daysIn, PERIODS, periodBefore, wholeMonths } from './periods.ts';

test.each([
  ['2026-11-01', '2026-11-30', '2026-10-01', '2026-10-31'],
  ['2026-01-01', '2026-03-31', '2025-10-01', '2025-12-31'],
  ['2026-11-01', '2026-11-25', '2026-10-07', '2026-10-31'],
  ['2026-03-30', '2026-03-30', '2026-03-29', '2026-03-29'],
  ['2024-02-02', '2024-03-01', '2024-01-04', '2024-02-01'],
])('before %s to %s comes %s to %s', (from, to, start, end) => {
  expect(periodBefore({ from, to })).toEqual({ from: start, to: end });
});

test('a period gives its whole months, and a shorter one gives none', () => {
  expect(wholeMonths({ from: '2025-12-31', to: '2026-03-01' })).toEqual({ from: '2026-01-01', before: '2026-03-01' });
  expect(wholeMonths({ from: '2026-01-01', to: '2026-01-31' })).toEqual({ from: '2026-01-01', before: '2026-02-01' });
  expect(wholeMonths({ from: '2026-01-02', to: '2026-02-27' })).toBeUndefined();
});

test('the periods that are offered end today or with the month before', () => {
  const of = (name: string) => PERIODS[name]?.of('2026-03-31') ?? { from: '', to: '' };
  expect([of('week'), of('days')].map(daysIn)).toEqual([7, 30]);
  expect([of('month'), of('last-month'), of('year')]).toEqual([
    { from: '2026-03-01', to: '2026-03-31' },
    { from: '2026-02-01', to: '2026-02-28' },
    { from: '2025-03-01', to: '2026-02-28' },
  ]);
});
