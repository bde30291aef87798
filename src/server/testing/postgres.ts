/** The PostgreSQL of a run of tests, in a process of its own that ends with the run (`scripts/attached.mjs`). Prints its address once a template is migrated. */

import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { connect } from '#server/platform/database/connect.ts';
import { startEmbedded } from '#server/platform/database/embedded.ts';
import { migrate } from '#server/platform/database/migrate.ts';
import { newFolder } from '#server/testing/new-folder.ts';

const dir = newFolder('test');
const embedded = await startEmbedded(dir, {
  settings: {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    // For each of Vitest's workers, one more than there are cores.
    max_connections: String(70 * (availableParallelism() + 1)),
    // What it vacuums and analyses by itself, at any moment, changes plans and counts.
    autovacuum: 'off',
  },
});
process.once('SIGTERM', async () => {
  await embedded.stop();
  await rm(dir, { recursive: true, force: true });
  process.exit();
});
// Ctrl-C reaches every process of the run; this one ends after those that use it.
process.on('SIGINT', () => undefined);

const admin = connect(embedded.url, { max: 1 });
await admin.pool.query('create database shop_template');
await admin.close();
const url = new URL(embedded.url);
url.pathname = '/shop_template';
const template = connect(url.href, { max: 2 });
await migrate(template);
await template.close();
process.stdout.write(embedded.url);
// Nothing else keeps this process until it is told to end.
setInterval(() => undefined, 60_000);
