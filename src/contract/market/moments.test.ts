import { expect, test } from 'vitest';
import { momentOf } from './moments.ts';

test.each([
  ['2026-12-04 09:00', '2026-12-04T09:00:00.000Z'],
  ['2026-07-04T09:00', '2026-07-04T08:00:00.000Z'],
  ['04/07/2026 09:30', '2026-07-04T08:30:00.000Z'],
  ['4/12/2026', '2026-12-04T00:00:00.000Z'],
  ['2026-07-04T09:00:00+02:00', '2026-07-04T07:00:00.000Z'],
  // The hour that the clocks skip.
  ['2026-03-29 01:30', '2026-03-29T01:30:00.000Z'],
  ['2026-02-30', undefined],
  ['tomorrow', undefined],
])('“%s”, typed in the shop’s time, is %s', (typed, moment) => {
  expect(momentOf(typed)).toBe(moment);
});
