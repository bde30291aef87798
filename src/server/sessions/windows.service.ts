import { type SqlBool, sql } from 'kysely';
import type { Db } from '#server/platform/database/connect.ts';

/** Whether a window has ended. One that ends later than a new one would was set by a wrong clock and counts as ended; the minute covers concurrent attempts. */
const hasEnded = (seconds: number) =>
  sql<SqlBool>`(old.resets_at < now() or old.resets_at > now() + make_interval(secs => ${seconds + 60}))`;

interface Count {
  tries: number;
  /** Seconds until the window ends. */
  wait: number;
  /** When it ends (ISO). */
  resetsAt: string;
}

/** Counts an attempt in the key's window, which begins with the first one. With `most`, counts to one more than that and no further. */
export async function countInWindow(db: Db, key: string, seconds: number, most?: number): Promise<Count> {
  const { rows } = await sql<Count>`
    insert into rate_limits as old (key, tries, resets_at) values (${key}, 1, now() + make_interval(secs => ${seconds}))
    on conflict (key) do update set
      tries = case when ${hasEnded(seconds)} then 1 else least(old.tries, ${most ?? null}::int) + 1 end,
      resets_at = case when ${hasEnded(seconds)} then excluded.resets_at else old.resets_at end
    returning tries, ceil(extract(epoch from resets_at - now()))::int as wait, resets_at`.execute(db);
  return rows[0] as Count;
}

/** Takes an attempt off each of the keys' windows. */
export async function takeOff(db: Db, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await db
    .updateTable('rateLimits')
    .set((eb) => ({ tries: eb('tries', '-', 1) }))
    .where('key', 'in', keys)
    .where('tries', '>', 0)
    .execute();
}

/** Deletes windows that have ended. */
export async function removeEnded(db: Db, longestSeconds: number): Promise<void> {
  await db.deleteFrom('rateLimits as old').where(hasEnded(longestSeconds)).execute();
}
