import { sql } from 'kysely';
import type { Services } from '#server/context/services.ts';

/** Months made in advance; the alert `EventMonthsMissing` fires when they are missing. */
const MONTHS_AHEAD = 3;

/**
 * Makes the partitions of `order_events` for the coming months (migration 0492). Events of a month without one are in the default partition until
 * then. Fails after half a second of waiting for a lock, so that orders do not wait for it; the queue retries.
 */
export async function makeEventMonths({ db, log }: Pick<Services, 'db' | 'log'>): Promise<void> {
  const made = await db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = 500`.execute(tx);
    const { rows } = await sql<{ made: number }>`select make_events_months(${sql.lit(MONTHS_AHEAD)}) as made`.execute(tx);
    return rows[0]?.made ?? 0;
  });
  if (made > 0) log.info({ made }, 'the history of orders has a part for each of the coming months');
}
