import { expect, test } from 'vitest';
import { listParametersOf } from '#contract/catalogue/list-parameters.ts';
import { chipsOf } from './applied-filters.ts';

test('the links that take filters off are few and short enough for a page, whatever the URL names', () => {
  const names = Array.from({ length: 60 }, (_, n) => `${n}${"'".repeat(22)}`).join('_');
  const filters = ['query', 'subCategory', 'colour', 'material', 'fit', 'brand', 'seats'];
  const url = new URLSearchParams(filters.map((name) => [name, names]));
  const links = chipsOf(new URLSearchParams(listParametersOf(url)), null);
  expect(links.reduce((sum, { href }) => sum + href.length, 0)).toBeLessThan(600_000);
});
