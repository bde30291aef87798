import { expect, test } from 'vitest';
import type { OfficeProduct } from '#contract/catalogue/catalogue.ts';
import { stockWarning } from './product-fields.ts';

const warningOf = (countInStock: number, quantities: number[], setParts = '') =>
  stockWarning({ countInStock, setParts, sizes: quantities.map((quantity) => ({ size: 'S', quantity })) as OfficeProduct['sizes'] });

test('a product whose count is not that of its sizes says after saving how many can be sold', () => {
  expect(warningOf(6, [4, 3])).toBe('The count in stock is 6, but the sizes add up to 7: only 6 can be sold.');
  expect(warningOf(9, [4, 3])).toBe('The count in stock is 9, but the sizes add up to 7: only 7 can be sold.');
  expect(warningOf(0, [4, 3])).toBe('The count in stock is 0, but the sizes add up to 7: nothing can be sold.');
  expect([warningOf(7, [4, 3]), warningOf(6, []), warningOf(6, [4], 'a set')]).toEqual([undefined, undefined, undefined]);
});
