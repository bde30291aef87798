import { readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '#server/platform/ports.ts';
import { aFolder } from '#server/testing/a-folder.ts';
import { eventually } from '#server/testing/eventually.ts';
import { startShop } from '#server/testing/shop-process.ts';

test('a shop whose database files have gone says so at /healthz, serves on, and is well once they are back (§17.2)', async () => {
  const dir = aFolder('lost');
  const shop = await startShop(await freePort(), { SHOP_DATA_DIR: dir });
  onTestFinished(async () => {
    await shop.stop();
  });
  const status = async (path: string) => (await fetch(shop.url + path, { headers: { connection: 'close' } })).status;
  expect(await status('/healthz')).toBe(200);

  const [data, aside] = [join(dir, 'postgres/cluster/data'), join(dir, 'aside')];
  const postmaster = Number.parseInt(readFileSync(join(data, 'postmaster.pid'), 'utf8'), 10);
  renameSync(data, aside);
  process.kill(postmaster, 'SIGKILL');
  await eventually(async () => expect(await status('/healthz')).toBe(503));
  expect([await status('/readyz'), await status('/assets/none')]).toEqual([503, 404]);
  await eventually(() => expect(shop.output()).toContain('the embedded PostgreSQL does not start; it is tried again'));

  rmSync(join(aside, 'postmaster.pid'));
  renameSync(aside, data);
  await eventually(async () => expect(await status('/readyz')).toBe(200));
  await eventually(async () => expect(await status('/healthz')).toBe(200));
});
