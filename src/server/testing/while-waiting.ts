import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { eventually } from './eventually.ts';
import type { SignedIn } from './factories.ts';

/** The number of statements of this test's database that wait for a lock. */
export async function lockWaits(db: Db): Promise<number> {
  const { rows } = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.length;
}

/** Sends a request while a user's row is locked, and changes that user before the request gets the lock. */
export async function whileWaiting<R>(
  db: Db,
  user: SignedIn,
  send: () => PromiseLike<R>,
  happens: (tx: Tx) => Promise<unknown>,
): Promise<R> {
  let reply: PromiseLike<R> | undefined;
  await db.transaction().execute(async (tx) => {
    await tx.selectFrom('users').select('id').where('id', '=', user._id).forUpdate().execute();
    reply = send();
    await eventually(async () => expect(await lockWaits(db)).toBe(1));
    await happens(tx);
  });
  return reply as PromiseLike<R>;
}

export const endSessionOf = (user: SignedIn) => (tx: Tx) => tx.deleteFrom('sessions').where('userId', '=', user._id).execute();
export const demote = (user: SignedIn) => (tx: Tx) => tx.updateTable('users').set({ isAdmin: false }).where('id', '=', user._id).execute();
