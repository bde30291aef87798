import { expect, test } from 'vitest';
import { severalOf } from './several-of.ts';

test.each([
  ['desk', 'desks'],
  ['rugs', 'rugs'],
  ['mattress', 'mattresses'],
  ['bench', 'benches'],
  ['bookshelf', 'bookshelves'],
  ['tallboy', 'tallboys'],
  ['chest of drawers', 'chests of drawers'],
  ['shelving', 'shelving'],
  ['garden furniture', 'garden furniture'],
])('several of “%s” are “%s”', (kind, several) => {
  expect(severalOf(kind)).toBe(several);
});
