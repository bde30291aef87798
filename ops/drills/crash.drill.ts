import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { aFolder } from '#server/testing/a-folder.ts';
import { eventually } from '#server/testing/eventually.ts';
import { audit, fillStock, finishJobs } from './books.ts';
import { Buyers, type Dice, diceOf, reachShop } from './buyers.ts';
import { aWholeShop, VICTIMS } from './whole-shop.ts';

const KILLS = Number(process.env.CRASH_KILLS ?? 6);
const SEED = Number(process.env.CRASH_SEED ?? 1);
const say = (text: string) => void process.stdout.write(`${text}\n`);

type ShopToKill = Awaited<ReturnType<typeof aWholeShop>>;

/** Each kill comes some orders after the shop was open again, so that orders are always under way. */
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
    const shop = await aWholeShop(aFolder());
    const stock = await fillStock(shop.db);
    const buyers = new Buyers(await reachShop(shop.url), dice);
    await buyers.start(6);
    await killAtRandomMoments(shop, buyers, dice);
    // A checkout whose process was killed blocks its customer's next one for some seconds.
    await eventually(() => expect([buyers.paid.size > 0, buyers.acknowledged.size > KILLS]).toEqual([true, true]), 60);
    await buyers.stop();

    await finishJobs(shop.db);
    expect(await audit({ ...shop, buyers, stock })).toEqual([]);
    say(
      `crash test, seed ${SEED}: ${KILLS} kills survived in ${Math.round((Date.now() - start) / 1000)} s, ${buyers.acknowledged.size} cash orders acknowledged and found, ` +
        `${buyers.paid.size} payments with their order, ${buyers.interrupted} requests interrupted`,
    );
  },
  120_000 + KILLS * 20_000,
);
