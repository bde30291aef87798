/**
 * Before each file of tests: properties are tried with the same values in every run, so that one that fails fails again. Others are tried with
 * `PROPERTY_SEED=2 npx vitest run …`.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

const { testPath = '' } = expect.getState();
// Loaded only where it is used: it takes a tenth of a second.
if (readFileSync(testPath, 'utf8').includes("from 'fast-check'")) {
  const { configureGlobal } = await import('fast-check');
  configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });
}
