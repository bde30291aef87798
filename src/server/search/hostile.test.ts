import { expect, test } from 'vitest';
import { ListProductsQuery } from '#contract/catalogue.schema.ts';
import { withoutAddresses } from '#server/base/log.ts';
import { partsOf } from './understand.ts';

/** As long as an address may be. */
const LENGTH = 14_000;

function millisecondsOf(run: () => unknown): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

test.each(['1', ',111', '1 cm ', "1'1", '1.1', 'under 1 ', 'a', '£', ' ', 'sofa '])(
  'a search of nothing but %j, as long as it can be sent, keeps the shop from nobody',
  (part) => {
    const search = `1${part.repeat(LENGTH / part.length)}`;
    // Seconds, before only the beginning was read.
    expect(millisecondsOf(() => partsOf(ListProductsQuery.parse({ search }).search ?? ''))).toBeLessThan(500);
  },
);

test('an error that quotes a long text is written to the log in time that grows with its length', () => {
  expect(millisecondsOf(() => withoutAddresses('a'.repeat(50_000)))).toBeLessThan(2_000);
  expect(withoutAddresses(`<${'a'.repeat(200)}@b.example> unknown`)).toBe('<…@…> unknown');
});
