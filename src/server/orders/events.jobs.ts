import { sql } from 'kysely';
import type { Services } from '#server/context/services.ts';

/** So many months after this one are ready for their orders' events; the alert `EventMonthsMissing` says when they are not. */
const MONTHS_AHEAD = 3;

/**
 * Makes the parts of the table of events for the coming months (migration 0492), each once. Until a month has its part, events of its orders are
 * kept with those of unknown months, and are moved when it gets it. Gives way within half a second to whoever uses the tables, and fails then; the
 * queue tries again.
 */
export async function makeEventMonths({ db, log }: Pick<Services, 'db' | 'log'>): Promise<void> {
  const made = await db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = 500`.execute(tx);
    const { rows } = await sql<{ made: number }>`select make_events_months(${sql.lit(MONTHS_AHEAD)}) as made`.execute(tx);
    return rows[0]?.made ?? 0;
  });
  if (made > 0) log.info({ made }, 'the history of orders has a part for each of the coming months');
}
