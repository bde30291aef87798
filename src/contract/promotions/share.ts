import type { Pence } from '#contract/market/money.ts';

/**
 * Shares an amount among lines in proportion to their sums, by largest remainder, so that the shares add up to it. The amount is at most the sum of the
 * weights, and then no share exceeds its weight.
 */
export function shareOut(amount: Pence, weights: readonly Pence[]): Pence[] {
  const whole = BigInt(weights.reduce((sum, weight) => sum + weight, 0));
  if (whole === 0n) return weights.map(() => 0);
  const exact = weights.map((weight) => BigInt(amount) * BigInt(weight));
  const shares = exact.map((share) => Number(share / whole));
  let left = amount - shares.reduce((sum, share) => sum + share, 0);
  const byRemainder = exact.map((share, line) => ({ line, remainder: share % whole })).sort((a, b) => Number(b.remainder - a.remainder));
  for (const { line } of byRemainder) {
    if (left === 0) break;
    shares[line] = (shares[line] ?? 0) + 1;
    left -= 1;
  }
  return shares;
}
