import fc from 'fast-check';
import { expect, test } from 'vitest';
import { apportion } from './apportion.ts';

const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0);

test('an amount is divided to the penny, and no share exceeds its weight (§22.2)', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(100_000_000), { minLength: 1, maxLength: 20 }), fc.nat(1_000), (weights, thousandths) => {
      const whole = Math.floor((sum(weights) * thousandths) / 1_000);
      const shares = apportion(whole, weights);
      expect(sum(shares)).toBe(sum(weights) === 0 ? 0 : whole);
      for (const [index, share] of shares.entries()) {
        const weight = weights[index] ?? 0;
        expect(share).toBeLessThanOrEqual(weight);
        // Each is within a penny of its exact part.
        if (whole > 0) expect(Math.abs(share - (whole * weight) / sum(weights))).toBeLessThan(1 + 1e-6);
      }
    }),
  );
});
