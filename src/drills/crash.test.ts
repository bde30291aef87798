import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '#sandbox/sandbox.ts';
import { connect } from '#server/db/connect.ts';
import { reachEmbedded } from '#server/db/embedded.ts';
import { stripePayments } from '#server/gateways/payments.ts';
import { eventually } from '#server/testing/eventually.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';
import { freePort } from '#server/testing/ports.ts';
import { audit, fillStock, finishJobs } from './books.ts';
import { Buyers, type Dice, diceOf, reachShop } from './buyers.ts';
import { type ShopProcess, startShop } from './shop-process.ts';

const KILLS = Number(process.env.CRASH_KILLS ?? 6);
const SEED = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 1_000_000));
const VICTIMS = ['the server', 'PostgreSQL', 'both'] as const;
const say = (text: string) => void process.stdout.write(`${text}\n`);

/** A built shop with its embedded PostgreSQL, and a provider that outlives it. */
async function aShopToKill() {
  const dataDir = await mkdtemp(join(tmpdir(), 'shop-crash-'));
  // Open to PostgreSQL's own account, so that the database lies inside and goes with the folder.
  await chmod(dataDir, 0o711);
  const port = await freePort();
  const keys = { secretKey: 'sk_test_crash', webhookSecret: 'whsec_crash' };
  const webhookUrl = `http://127.0.0.1:${port}/stripe/webhook`;
  const sandbox = await startSandbox({ host: '127.0.0.1', port: 0, dir: join(dataDir, 'sandbox'), ...keys, webhookUrl });
  const settings = {
    SHOP_DATA_DIR: dataDir,
    STRIPE_SECRET_KEY: keys.secretKey,
    STRIPE_WEBHOOK_SECRET: keys.webhookSecret,
    STRIPE_API_BASE: sandbox.url,
    ...MANY_ORDERS,
  };
  const start = () => startShop(port, settings);
  let shop: ShopProcess = await start();
  const postgres = await reachEmbedded(join(dataDir, 'postgres'));
  const database = connect(postgres.url, { max: 4 });
  onTestFinished(async () => {
    await database.close();
    await shop.stop();
    await sandbox.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const folder = String((await database.pool.query('show data_directory')).rows[0]?.data_directory);
  const kill = async (victim: (typeof VICTIMS)[number]) => {
    if (victim !== 'the server') process.kill(Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
    if (victim === 'PostgreSQL') return;
    await shop.kill();
    shop = await start();
  };
  const payments = stripePayments({ ...keys, apiBase: sandbox.url }, pino({ level: 'silent' }));
  return { url: () => shop.url, db: database.db, payments, mail: join(dataDir, 'mail'), kill, output: () => shop.output() };
}

type ShopToKill = Awaited<ReturnType<typeof aShopToKill>>;

/** Each time some orders after the shop was open again, so that there is always something under way. */
async function killAtRandomMoments(shop: ShopToKill, buyers: Buyers, dice: Dice): Promise<void> {
  const promises = () => buyers.acknowledged.size + buyers.paid.size;
  for (let n = 0; n < KILLS; n += 1) {
    const enough = promises() + 2 + Math.floor(dice() * 10);
    await eventually(() => expect(promises()).toBeGreaterThanOrEqual(enough), 60);
    await setTimeout(dice() * 300);
    await shop.kill(VICTIMS[n % VICTIMS.length] ?? 'both');
    await eventually(async () => expect((await fetch(`${shop.url()}/readyz`)).status).toBe(200), 60);
  }
}

test(
  `after ${KILLS} kills in the middle of buying nothing is lost: every order, piece, hold, mail and payment (seed ${SEED})`,
  async () => {
    const start = Date.now();
    const dice = diceOf(SEED);
    const shop = await aShopToKill();
    const stock = await fillStock(shop.db);
    const buyers = new Buyers(await reachShop(shop.url), dice);
    await buyers.start(6);
    await killAtRandomMoments(shop, buyers, dice);
    // A checkout whose maker was killed keeps its customer from the next one for some seconds.
    await eventually(() => expect(buyers.paid.size).toBeGreaterThan(0), 60);
    await buyers.stop();

    await finishJobs(shop.db);
    expect(await audit({ ...shop, buyers, stock })).toEqual([]);
    expect(buyers.acknowledged.size).toBeGreaterThan(KILLS);
    say(
      `crash test, seed ${SEED}: ${KILLS} kills survived in ${Math.round((Date.now() - start) / 1000)} s, ${buyers.acknowledged.size} cash orders acknowledged and found, ` +
        `${buyers.paid.size} payments with their order, ${buyers.interrupted} requests interrupted`,
    );
  },
  120_000 + KILLS * 20_000,
);
