import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Read the sources and documents as text. The stage `lint` runs them. */
const DOCUMENTS = ['documents', 'folders', 'guide', 'owners', 'specification', 'words'].map((name) => `src/${name}.test.ts`);
const CONTRACT = ['src/contract/**/*.test.ts'];

export default defineConfig({
  test: {
    setupFiles: ['src/server/testing/seed.ts'],
    tags: [{ name: 'thorough', description: 'Left out by `npm test` for its ten minutes: `npm run thorough`.' }],
    pool: 'forks',
    isolate: false,
    // One more than there are cores: about a sixth of the time a file waits, for a timeout, a lock or another process.
    maxWorkers: availableParallelism() + 1,
    // Ends what hangs: far more than a test takes on a busy machine, and no limit that one relies on.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Only the last needs a build and PostgreSQL.
    projects: [
      { extends: true, test: { name: 'documents', include: DOCUMENTS } },
      { extends: true, test: { name: 'contract', include: CONTRACT } },
      {
        extends: true,
        test: {
          name: 'shop',
          include: ['src/**/*.test.ts', 'src/**/*.test.tsx'],
          exclude: [...DOCUMENTS, ...CONTRACT],
          globalSetup: ['src/server/testing/setup.ts'],
        },
      },
    ],
  },
});
