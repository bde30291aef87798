import { sql } from 'kysely';
import type { Services } from '#server/context/services.ts';
import { productsChanged } from '#server/platform/cache/catalogue-changes.ts';
import type { Db } from '#server/platform/database/connect.ts';

const BATCH = 500;
/** The longest pause before looking for the next price change. One that is due earlier is awaited to the millisecond. */
const LOOK_MS = 1_000;
/** The pause before asking again for products that an order has locked. */
const AGAIN_MS = 100;

/**
 * Begins and ends the sales that are due (decision 120), in batches under the products' locks. Products that an order has locked are left for the next
 * call. Several processes may call it at once.
 */
export async function applyDuePrices(db: Db): Promise<void> {
  for (let changed = BATCH; changed === BATCH; )
    changed = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ id: string }>`
        select id from products where price_changes_at <= now() order by id limit ${BATCH} for update skip locked`.execute(tx);
      const ids = rows.map(({ id }) => id);
      if (ids.length === 0) return 0;
      await sql`select refresh_prices(${ids}::uuid[])`.execute(tx);
      await productsChanged(tx, ids);
      return ids.length;
    });
}

/** Milliseconds until the next price change, negative if it is overdue; null if no sale begins or ends. */
async function untilNextChange(db: Db): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from min(price_changes_at) - clock_timestamp()) * 1000)::float8 as ms from products
    where price_changes_at is not null`.execute(db);
  return rows[0]?.ms ?? null;
}

/** Keeps the prices of the shop on time. Every process does it, so that no sale waits for one that is down. */
export function watchPrices({ db, cache, log }: Pick<Services, 'db' | 'cache' | 'log'>): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isFailing = false;
  const look = async () => {
    let pause = LOOK_MS;
    try {
      const ms = await untilNextChange(db);
      cache.nextPriceChange = ms === null ? Infinity : Date.now() + ms;
      if (ms !== null && ms <= 0) {
        await applyDuePrices(db);
        pause = AGAIN_MS;
      } else if (ms !== null) pause = Math.min(LOOK_MS, ms);
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.error({ reason: String(error) }, 'sales cannot begin or end until the database answers');
      isFailing = true;
    }
    if (!isStopped)
      timer = setTimeout(() => {
        looking = look();
      }, pause).unref();
  };
  let looking = look();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
