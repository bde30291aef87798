import { isIPv6 } from 'node:net';
import { sql } from 'kysely';
import { Problem } from '#contract/problem.ts';
import type { Db } from '#server/db/connect.ts';

/** What is limited, and how many tries in how many seconds: by visitor's address and by account. */
export const LIMITS = {
  login: { address: 60, account: 10, seconds: 15 * 60 },
  register: { address: 30, account: 5, seconds: 60 * 60 },
  forgot: { address: 30, account: 5, seconds: 60 * 60 },
  otp: { address: 60, account: 15, seconds: 15 * 60 },
} as const;

/** IPv6 visitors own a whole /64. */
function network(ip: string): string {
  return isIPv6(ip) && !ip.startsWith('::ffff:') ? ip.split(':').slice(0, 4).join(':') : ip;
}

const accountKey = (what: string, account: string) => `${what}:account:${account.trim().toLowerCase()}`;

/** Counts a try in the database, so that the limit holds over all processes. Throws 429 with the seconds to wait. */
export async function limit(db: Db, what: keyof typeof LIMITS, ip: string, account: string): Promise<void> {
  const { address, account: perAccount, seconds } = LIMITS[what];
  await count(db, `${what}:address:${network(ip)}`, address, seconds);
  await count(db, accountKey(what, account), perAccount, seconds);
}

/** A success clears the account's count, so that someone who mistyped starts afresh. */
export async function forgive(db: Db, what: keyof typeof LIMITS, account: string): Promise<void> {
  await db.deleteFrom('rateLimits').where('key', '=', accountKey(what, account)).execute();
}

/** Clears away windows that are over (a daily job). */
export async function removeOldLimits(db: Db): Promise<void> {
  await db.deleteFrom('rateLimits').where('resetsAt', '<', sql<string>`now()`).execute();
}

async function count(db: Db, key: string, allowed: number, seconds: number): Promise<void> {
  const { rows } = await sql<{ tries: number; wait: number }>`
    insert into rate_limits as old (key, tries, resets_at) values (${key}, 1, now() + make_interval(secs => ${seconds}))
    on conflict (key) do update set
      tries = case when old.resets_at < now() then 1 else old.tries + 1 end,
      resets_at = case when old.resets_at < now() then excluded.resets_at else old.resets_at end
    returning tries, ceil(extract(epoch from resets_at - now()))::int as wait`.execute(db);
  const [row] = rows;
  if (!row || row.tries <= allowed) return;
  const wait = row.wait > 90 ? `${Math.ceil(row.wait / 60)} minutes` : `${row.wait} seconds`;
  throw new Problem(429, `Too many tries. Please wait ${wait} and try again.`, undefined, row.wait);
}
