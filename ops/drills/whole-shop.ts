import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { connect } from '#server/platform/database/connect.ts';
import { reachEmbedded } from '#server/platform/database/embedded.ts';
import { freePort } from '#server/platform/ports.ts';
import { aFolder } from '#server/testing/a-folder.ts';
import { eventually } from '#server/testing/eventually.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';
import { type ShopProcess, startShop } from '#server/testing/shop-process.ts';
import { openSandbox } from './sandbox.ts';

export const VICTIMS = ['the server', 'PostgreSQL', 'both'] as const;

/** A built shop with its embedded PostgreSQL in `dataDir`, and a provider that outlives it and keeps its files elsewhere. */
export async function aWholeShop(dataDir: string, more: Record<string, string> = {}) {
  const port = await freePort();
  const sandbox = await openSandbox(`http://127.0.0.1:${port}`, join(aFolder(), 'sandbox'));
  const settings = {
    SHOP_DATA_DIR: dataDir,
    ...sandbox.env,
    ...MANY_ORDERS,
    ...more,
  };
  const start = () => startShop(port, settings);
  let shop: ShopProcess = await start();
  const postgres = await reachEmbedded(join(dataDir, 'postgres'));
  const database = connect(postgres.url, { max: 4 });
  onTestFinished(async () => {
    await database.close();
    await shop.stop();
    await sandbox.close();
  });
  const folder = String((await database.pool.query('show data_directory')).rows[0]?.data_directory);
  const postmaster = () => Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const kill = async (victim: (typeof VICTIMS)[number]) => {
    // After an earlier kill it may still be starting: until then its file is missing, or names a process that has ended.
    if (victim !== 'the server') await eventually(() => process.kill(postmaster(), 'SIGKILL'));
    if (victim === 'PostgreSQL') return;
    await shop.kill();
    shop = await start();
  };
  return {
    url: () => shop.url,
    pool: database.pool,
    /** Ends the server and PostgreSQL for good, as a lost machine does. */
    lose: async () => {
      const pid = postmaster();
      await shop.kill();
      process.kill(pid, 'SIGKILL');
    },
    pid: () => shop.pid,
    db: database.db,
    payments: sandbox.payments,
    mail: join(dataDir, 'mail'),
    kill,
    output: () => shop.output(),
  };
}
