import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'src/**/*.test.tsx'],
    globalSetup: ['src/server/testing/setup.ts'],
    setupFiles: ['src/server/testing/seed.ts'],
    tags: [{ name: 'thorough', description: 'Left out by `npm test` for its ten minutes: `npm run thorough`.' }],
    pool: 'forks',
    isolate: false,
    // One more than there are cores: about a sixth of the time a file waits, for a timeout, a lock or another process.
    maxWorkers: availableParallelism() + 1,
    // Ends what hangs: far more than a test takes on a busy machine, and no limit that one relies on.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
