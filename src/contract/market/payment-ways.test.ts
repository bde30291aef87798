import { expect, test } from 'vitest';
import { instalmentsOf } from './payment-ways.ts';

test.each([
  ['Klarna', 129_900, '3 × £433.00 with Klarna'],
  ['Klarna', 64_900, '£216.34 and 2 × £216.33 with Klarna'],
  ['Klarna', 64_901, '2 × £216.34 and £216.33 with Klarna'],
  ['Clearpay', 10_002, '2 × £25.01 and 2 × £25.00 with Clearpay'],
] as const)('%s, %i pence: the instalments add up to the price', (lender, total, text) => {
  const ways = { wallets: [], instalments: [{ lender, from: 50, to: 2_000, words: 'Subject to status.' }] };
  expect(instalmentsOf(ways, total)).toEqual([{ text, words: 'Subject to status.' }]);
});
