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
  test.each([
    ['07700900123', undefined],
    ['07700 900-123', undefined],
    ['+44 7700 900123', undefined],
    ['+44 (0) 7700 900123', undefined],
    ['0044 7700 900123', undefined],
    ['07700.900.123', undefined],
    ['00447700900', undefined],
    ['0770090012', 'Phone number must be 11 digits'],
    ['077009001234', 'Phone number must be 11 digits'],
    ['0770090012x', 'Phone number must be 11 digits'],
    ['', 'Phone number is required'],
    ['  ', 'Phone number is required'],
  ])('phone %j: %s (§5.3)', (phone, problem) => {
    expect(classic.phoneProblem(phone)).toBe(problem);
  });
  test.each([
    ['54000', 'Pakistan', undefined],
    ['54 000', 'Pakistan', undefined],
    ['5400', 'Pakistan', 'ZIP code must be 5 digits'],
    ['LS1 4AP', 'Pakistan', 'ZIP code must be 5 digits'],
    ['LS1 4AP', 'United Kingdom', undefined],
    ['sw1a1aa', 'United Kingdom', undefined],
    ['54000', 'United Kingdom', undefined],
    ['LS1 4A', 'United Kingdom', undefined],
    ['LS1', 'United Kingdom', 'ZIP code must be 5 digits'],
    ['', 'Pakistan', 'ZIP code is required'],
  ])('ZIP %j in %s: %s (§5.3)', (code, country, problem) => {
    expect(classic.postalCodeProblem(code, country)).toBe(problem);
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
  test.each([
    ['07700 900123', true],
    ['+44 20 7946 0000', true],
    ['0123456789', true],
    ['1234', false],
    ['00000000000', false],
  ])('phone %s is good: %s', (phone, isGood) => {
    expect(uk.phoneProblem(phone) === undefined).toBe(isGood);
  });
  test.each([
    ['SW1A 1AA', true],
    ['m1 1ae', true],
    ['54000', false],
  ])('postcode %s is good: %s', (code, isGood) => {
    expect(uk.postalCodeProblem(code, 'United Kingdom') === undefined).toBe(isGood);
  });
});
