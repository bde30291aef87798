import { defineConfig } from 'vitest/config';

/** `npm run drills`: what kills, fills, freezes and wears out the shop. One after the other, since each wants the machine for itself. */
export default defineConfig({
  test: {
    root: '.',
    include: ['ops/drills/**/*.drill.ts'],
    globalSetup: ['src/server/testing/setup.ts'],
    setupFiles: ['src/server/testing/seed.ts'],
    // Of tests that a drill repeats.
    tags: [{ name: 'thorough', description: 'Left out by `npm test`.' }],
    pool: 'forks',
    isolate: false,
    maxWorkers: 1,
    testTimeout: 3_600_000,
    hookTimeout: 300_000,
  },
});
