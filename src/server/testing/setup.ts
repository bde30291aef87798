import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ROOT } from '#server/platform/root.ts';

/** Starts one PostgreSQL for the run with a migrated template, from which each test file gets a database of its own. */
export default async function setup(project: TestProject) {
  // `npm test` has built before; a single file in a fresh clone has not.
  if (!existsSync(join(ROOT, 'dist/.built'))) execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: ROOT, stdio: 'inherit' });
  const postgres = spawn(process.execPath, ['--import', './scripts/attached.mjs', 'src/server/testing/postgres.ts'], {
    cwd: ROOT,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(postgres, 'exit');
  const [url] = await Promise.race([
    once(postgres.stdout, 'data'),
    ended.then(() => Promise.reject(new Error('PostgreSQL did not start.'))),
  ]);
  project.provide('postgresUrl', String(url));
  return async () => {
    postgres.stdin.end();
    await ended;
  };
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string;
  }
}
