import { expect, test } from 'vitest';
import { daysOf, quarterOf } from './quarters.ts';

test('a quarter is that of the shop’s day', () => {
  expect(quarterOf('2026-11-22T03:00:00.000Z')).toBe('2026-Q4');
  // In London it is the 1st of July already.
  expect(quarterOf('2026-06-30T23:30:00.000Z')).toBe('2026-Q3');
  expect([0, 1, 2, 3, 4].map((back) => quarterOf('2026-02-01T00:00:00.000Z', back))).toEqual([
    '2026-Q1',
    '2025-Q4',
    '2025-Q3',
    '2025-Q2',
    '2025-Q1',
  ]);
});

test('a quarter has three months', () => {
  expect(daysOf('2026-Q1')).toEqual({ from: '2026-01-01', before: '2026-04-01' });
  expect(daysOf('2026-Q4')).toEqual({ from: '2026-10-01', before: '2027-01-01' });
});
