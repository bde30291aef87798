import { expect, test } from 'vitest';
import type { BookDay } from '#contract/books/books.ts';
import { agreementText } from './agreement.ts';

const aDay = (cash: number, ticked: number | null) =>
  ({
    cash: { taken: cash, refunded: 0 },
    card: { paidOut: 0 },
    ticks: { payouts: null, cash: ticked === null ? null : { amount: ticked } },
  }) as unknown as BookDay;

test('the books do not say that everything agrees above a ticked sum that has changed', () => {
  const textOf = (...days: BookDay[]) => agreementText({ faults: [], days });
  expect(textOf(aDay(244_800, null), aDay(500, 500))).toBe('Everything agrees.');
  expect(textOf(aDay(0, 244_800), aDay(500, 500))).toBe('The payments agree, but a ticked sum has changed since.');
  expect(textOf(aDay(0, 244_800), aDay(0, 500))).toBe('The payments agree, but 2 ticked sums have changed since.');
});
