import { expect, test } from 'vitest';
import { hasLeadTime, madeToOrderText, readyAt } from './lead-time.ts';

const NOW = '2026-11-25T10:00:00.000Z';

test('an order leaves once the last of its pieces is there', () => {
  const inStock = { leadWeeks: null, readyFrom: null };
  expect(readyAt(NOW, [])).toBeNull();
  expect(readyAt(NOW, [inStock, { leadWeeks: null, readyFrom: '2026-11-01T00:00:00.000Z' }])).toBeNull();
  expect(readyAt(NOW, [inStock, { leadWeeks: 6, readyFrom: null }, { leadWeeks: 2, readyFrom: null }])).toBe('2027-01-06T10:00:00.000Z');
  expect(readyAt(NOW, [{ leadWeeks: 1, readyFrom: '2026-12-01T00:00:00.000Z' }])).toBe('2026-12-08T00:00:00.000Z');
});

test('a piece whose day is past is in stock', () => {
  expect(hasLeadTime({ leadWeeks: null, readyFrom: '2026-11-25T09:59:59.000Z' }, NOW)).toBe(false);
  expect(hasLeadTime({ leadWeeks: null, readyFrom: '2026-11-25T10:00:01.000Z' }, NOW)).toBe(true);
  expect(hasLeadTime({ leadWeeks: 2, readyFrom: '2026-11-01T00:00:00.000Z' }, NOW)).toBe(true);
});

test('weeks are said in words', () => {
  expect(madeToOrderText({ leadWeeks: 1 })).toBe('Made to order in about a week');
  expect(madeToOrderText({ leadWeeks: 6 })).toBe('Made to order in about 6 weeks');
  expect(madeToOrderText({ leadWeeks: null })).toBeUndefined();
});
