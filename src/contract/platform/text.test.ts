import { expect, test } from 'vitest';
import { cut } from './text.ts';

test.each([
  ['sofa', 4, 'sofa'],
  ['sofa', 3, 'sof'],
  ['ab🛋️', 3, 'ab'],
  ['ab🛋️', 4, 'ab🛋'],
  ['🛋️', 0, ''],
])('%s cut to %i units is %s, without half a character (§5.8)', (text, most, expected) => {
  expect(cut(text, most)).toBe(expected);
});
