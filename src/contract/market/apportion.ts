import type { Pence } from './money.ts';

/**
 * Divides an amount in proportion to weights, each share rounded at the running total, so that they add up to the amount. No share exceeds its
 * weight while the amount does not exceed their sum.
 */
export function apportion(amount: Pence, weights: readonly Pence[]): Pence[] {
  const whole = BigInt(weights.reduce((sum, weight) => sum + weight, 0));
  let total = 0n;
  const upTo = () => (whole === 0n ? 0 : Number((BigInt(amount) * total) / whole));
  return weights.map((weight) => {
    const before = upTo();
    total += BigInt(weight);
    return upTo() - before;
  });
}
