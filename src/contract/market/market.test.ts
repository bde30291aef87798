import { describe, expect, test } from 'vitest';
import { MARKETS } from './market.ts';
import { decimal, pounds } from './money.ts';

const { classic, uk } = MARKETS;

test.each([
  [0, '£0.00'],
  [5, '£0.05'],
  [49_999, '£499.99'],
  [129_900, '£1,299.00'],
  [123_456_789, '£1,234,567.89'],
])('%i pence are %s (§9.3)', (pence, text) => {
  expect(pounds(pence)).toBe(text);
});
test('an amount below nothing keeps its sign, before the pound', () => {
  expect(decimal(-250)).toBe('-2.50');
  expect(pounds(-357_120)).toBe('−£3,571.20');
});

describe('classic', () => {
  test('shows dollars in the order history, and undivided pounds with a note in the back office', () => {
    expect(classic.orderPrice(49_999)).toBe('$499.99');
    expect(classic.adminOrderPrice(49_999)).toEqual({ text: '£49999', note: '£499.99' });
    expect(classic.adminShipping(9_900)).toBe(0);
  });
});

describe('uk', () => {
  test('shows pounds everywhere (§1.3)', () => {
    expect([uk.orderPrice(49_999), uk.adminOrderPrice(49_999), uk.adminShipping(4_900)]).toEqual([
      '£499.99',
      { text: '£499.99', note: undefined },
      4_900,
    ]);
  });
});
