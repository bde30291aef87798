import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { sql } from 'kysely';
import { Problem } from '#contract/problem.ts';
import type { Db } from '#server/db/connect.ts';

/**
 * What is limited, and how many tries in how many seconds: by visitor's address and by account. Someone who mistypes five times is
 * let in; a guesser is not. The setting RATE_LIMIT_FACTOR multiplies them all, for load tests.
 */
export const LIMITS = {
  login: { address: 60, account: 10, seconds: 15 * 60 },
  register: { address: 30, account: 5, seconds: 60 * 60 },
  forgot: { address: 30, account: 5, seconds: 60 * 60 },
  // With five tries a code this bounds the guesses at one account's codes, however many of them are asked for.
  otp: { address: 60, account: 10, seconds: 60 * 60 },
  // A new password is costly to hash, and a new address gets a mail.
  profile: { address: 60, account: 10, seconds: 60 * 60 },
} as const;

type Limited = keyof typeof LIMITS;

/** Who tries: the visitor's address, what they try to reach (an e-mail address or a user's id), and the factor on every limit. */
export interface Try {
  ip: string;
  account: string;
  factor: number;
}

/** What counts as one visitor: an IPv4 address, or the whole /64 that an IPv6 visitor owns. */
export function networkOf(ip: string): string {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (!isIPv6(plain)) return plain;
  const [left = '', right = ''] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const groups = (part: string) => part.split(':').filter(Boolean);
  const zeros = new Array<string>(8 - groups(left).length - groups(right).length).fill('0');
  return [...groups(left), ...zeros, ...groups(right)].slice(0, 4).join(':');
}

/** The table holds no address of anyone, only what it takes to recognise one. */
const keyOf = (what: Limited, by: 'address' | 'account', value: string) =>
  `${what}:${by}:${createHash('sha256').update(value).digest('base64url')}`;
const addressKey = (what: Limited, ip: string) => keyOf(what, 'address', networkOf(ip));
const accountKey = (what: Limited, account: string) => keyOf(what, 'account', account.trim().toLowerCase());

/** Counts a try in the database, so that the limit holds over all processes. Throws 429 with the seconds to wait. */
export async function limit(db: Db, what: Limited, { ip, account, factor }: Try): Promise<void> {
  const allowed = LIMITS[what];
  await count(db, addressKey(what, ip), allowed.address * factor, allowed.seconds);
  await count(db, accountKey(what, account), allowed.account * factor, allowed.seconds);
}

/** A success clears the account's count, so that someone who mistyped starts afresh, and does not count for the address, which many may share. */
export async function forgive(db: Db, what: Limited, { ip, account }: Pick<Try, 'ip' | 'account'>): Promise<void> {
  await db.deleteFrom('rateLimits').where('key', '=', accountKey(what, account)).execute();
  await db
    .updateTable('rateLimits')
    .set((eb) => ({ tries: eb('tries', '-', 1) }))
    .where('key', '=', addressKey(what, ip))
    .where('tries', '>', 0)
    .execute();
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
  throw new Problem(429, `Too many tries. Please wait ${wait} and try again.`, undefined, Math.max(1, row.wait));
}
