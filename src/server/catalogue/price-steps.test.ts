import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '#server/testing/harness.ts';
import { stepsWithin } from './price-steps.ts';

const { db } = await testDatabase(1);
/** Pence: one of the narrowest ranges. */
const NARROWEST = 1_024;
const DEAREST = 2_097_152;
const price = fc.oneof(
  fc.integer({ min: 0, max: 300_000 }),
  fc.integer({ min: 0, max: 40 }).map((place) => place * 65_536),
  fc.integer({ min: 0, max: 2_147_483_647 }),
);

test('the steps of a range hold all of its prices, and none that is further off than the narrowest step', async () => {
  await fc.assert(
    fc.asyncProperty(price, price, fc.array(price, { minLength: 20, maxLength: 60 }), async (one, other, prices) => {
      const [min, max] = [Math.min(one, other), Math.max(one, other)];
      const near = [min, max, min - 1, max + 1, min - NARROWEST, max + NARROWEST].filter((at) => at >= 0 && at <= 2_147_483_647);
      const { rows } = await sql<{ price: number; isHeld: boolean }>`
        select price, price_steps(price) && ${stepsWithin(min, max)}::integer[] as "isHeld"
        from unnest(${[...prices, ...near]}::integer[]) as price`.execute(db);
      for (const { price, isHeld } of rows) {
        if (price >= min && price <= max) expect(isHeld).toBe(true);
        else if (price < min - NARROWEST && price < DEAREST) expect(isHeld).toBe(false);
        else if (price > max + NARROWEST && max < DEAREST) expect(isHeld).toBe(false);
      }
    }),
    { numRuns: 200 },
  );
});

test('the steps at which words are found rise with the price, and are at most a thirtieth of it wide', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(price, { minLength: 60, maxLength: 60 }), async (prices) => {
      const { rows } = await sql<{ price: number; step: number }>`
        select price, price_step(price) as step from unnest(${prices}::integer[]) as price order by price`.execute(db);
      for (const [index, { price, step }] of rows.entries()) {
        const before = rows[index - 1];
        if (!before) continue;
        expect(step).toBeGreaterThanOrEqual(before.step);
        if (step === before.step && price < 4_194_304) expect(price - before.price).toBeLessThanOrEqual(Math.max(128, price / 30));
      }
    }),
    { numRuns: 50 },
  );
});

test('a range has few steps', () => {
  expect(stepsWithin(0, 2_147_483_647)).toHaveLength(33);
  expect(stepsWithin(44_900, 44_900)).toEqual([10_043]);
  expect(stepsWithin(10_000, 20_000).length).toBeLessThanOrEqual(16);
});
