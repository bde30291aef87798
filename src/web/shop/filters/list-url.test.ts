import { expect, test } from 'vitest';
import { ListProductsQuery } from '#contract/catalogue/catalogue.schema.ts';
import { listQueryOf } from './list-url.ts';

test('the browser sends the parameters of a list in the order of the contract, the only one that a cache in front keeps', () => {
  expect(Object.keys(listQueryOf(new URLSearchParams()))).toEqual(Object.keys(ListProductsQuery.shape));
});
