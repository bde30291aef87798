import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { connect } from '#server/platform/database/connect.ts';
import { startEmbedded } from '#server/platform/database/embedded.ts';
import { migrate } from '#server/platform/database/migrate.ts';
import { ROOT } from '#server/platform/root.ts';

/** Starts one PostgreSQL for the run and migrates a template, from which each test file gets a database of its own. */
export default async function setup(project: TestProject) {
  // `npm test` has built before; a single file in a fresh clone has not.
  if (!existsSync(join(ROOT, 'dist/.built'))) execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: ROOT, stdio: 'inherit' });
  const dir = await mkdtemp(join(tmpdir(), 'shop-test-'));
  // Open to PostgreSQL's own account, so that the database lies inside and goes with the folder.
  await chmod(dir, 0o711);
  const embedded = await startEmbedded(dir, {
    settings: {
      ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
      // What it vacuums and analyses by itself, at any moment, changes plans and counts.
      autovacuum: 'off',
    },
  });
  const admin = connect(embedded.url, { max: 1 });
  await admin.pool.query('create database shop_template');
  await admin.close();
  const template = connect(databaseUrl(embedded.url, 'shop_template'), { max: 2 });
  await migrate(template);
  await template.close();
  project.provide('postgresUrl', embedded.url);
  return async () => {
    await embedded.stop();
    await rm(dir, { recursive: true, force: true });
  };
}

function databaseUrl(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string;
  }
}
