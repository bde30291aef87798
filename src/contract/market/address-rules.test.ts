import { describe, expect, test } from 'vitest';
import { addressRulesOf, tidyPostalCode } from './address-rules.ts';
import { MARKETS } from './market.ts';

const [classic, uk] = [addressRulesOf(MARKETS.classic), addressRulesOf(MARKETS.uk)];

describe('classic', () => {
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
    ['bs1.5ty', true],
    ['BS1, 5TY.', true],
    ['bs1/5t', false],
    ['54000', false],
  ])('postcode %s is good: %s (U33)', (code, isGood) => {
    expect(uk.postalCodeProblem(code, 'United Kingdom') === undefined).toBe(isGood);
  });
});

test.each([
  ['bs1.5ty', 'United Kingdom', 'BS1 5TY'],
  ['54.000', 'Pakistan', '54.000'],
])('postal code %s of %s is stored as %s', (postalCode, country, stored) => {
  expect(tidyPostalCode({ postalCode, country })).toBe(stored);
});
