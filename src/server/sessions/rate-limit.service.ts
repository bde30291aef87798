import { createHash } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import { Problem } from '#contract/platform/problem.ts';
import { networksOf } from '#server/platform/client-address.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { isKnownDevice } from './devices.service.ts';

interface Limit {
  /** Attempts of one network (an IPv4 address or an IPv6 /64) at all accounts together; the /56 and /48 around it have more. */
  network: number;
  /** Attempts of one address or IPv6 /48 at one account, and of one known device at its account: somebody who mistypes stays below it. */
  pair?: number;
  /** Attempts of all networks at one account, known devices aside: slows a guesser who has many networks. */
  account?: number;
  seconds: number;
  /** What else to do when the account as a whole is under attack. */
  advice?: string;
}

/**
 * What is limited, and how many attempts in how many seconds (decision 13). The setting RATE_LIMIT_FACTOR multiplies them all, for load tests.
 */
export const LIMITS = {
  login: {
    network: 60,
    pair: 10,
    account: 50,
    seconds: 15 * 60,
    advice: 'You can also choose a new password with “Forgot your password?”.',
  },
  // Codes of a second factor, at which only those guess who have the password: of a million codes three are right at a time.
  code: { network: 30, pair: 10, account: 20, seconds: 60 * 60 },
  // Password or code once more, before something that cannot be taken back.
  proof: { network: 60, pair: 10, account: 30, seconds: 60 * 60 },
  register: { network: 30, pair: 5, account: 50, seconds: 60 * 60 },
  // Each code gives its asker five guesses and everybody else five, so the account's limit also bounds the guesses at its codes.
  forgot: {
    network: 30,
    pair: 5,
    account: 10,
    seconds: 60 * 60,
    advice: 'On a device where you have logged in before, you do not have to wait.',
  },
  otp: { network: 60, pair: 10, seconds: 60 * 60 },
  // A new password is costly to hash, a new address gets a mail, and both ask for the current password.
  profile: { network: 60, pair: 10, account: 30, seconds: 60 * 60 },
  // Each asks the provider for a page. One account may place 60 orders an hour, and an office shares its network.
  checkout: { network: 1_200, pair: 60, account: 60, seconds: 60 * 60 },
  // Attempts, refused ones too, of all accounts of a network; what one account may order is counted in its orders.
  order: { network: 1_200, seconds: 60 * 60 },
  // What a page that waits for a payment has the provider asked; above it the page waits for the provider's notice alone.
  payment: { network: 600, pair: 60, seconds: 15 * 60 },
  // Pictures of a review are decoded, and a new rating makes every list anew.
  review: { network: 60, pair: 10, account: 20, seconds: 60 * 60 },
  // Each sends a mail to an address that need not be the asker's.
  alert: { network: 20, pair: 3, account: 5, seconds: 24 * 60 * 60 },
  // Each PDF takes up to a quarter of a second to write; those that are kept do not count.
  document: { network: 300, pair: 60, account: 60, seconds: 15 * 60 },
  // A cancellation, a wish to return or its withdrawal: each mails the customer and grows the order's history.
  afterSale: { network: 1_200, account: 240, seconds: 60 * 60 },
  vote: { network: 200, pair: 15, seconds: 5 * 60 },
} as const satisfies Record<string, Limit>;

type Limited = keyof typeof LIMITS;

/** How many times the attempts of a network its /56 and its /48 may make: a household's and a company's, or those of a mobile provider's customers. */
const WIDER = [1, 2, 8];

/** One attempt: from where, at which account (an email address or a user's id), on which device, and the factor on every limit. */
export interface Attempt {
  ip: string;
  account: string;
  /** The token that the browser keeps, if it sent one. */
  device?: string | undefined;
  factor: number;
}

const normalised = (account: string) => account.trim().toLowerCase();

/** The table holds no address of anyone, only what it takes to recognise one. */
const keyOf = (what: Limited, by: 'network' | 'pair' | 'account' | 'device', ...values: string[]) =>
  `${what}:${by}:${createHash('sha256').update(values.join('\n')).digest('base64url')}`;
const networkKeys = (what: Limited, { ip }: Attempt) => networksOf(ip).map((network) => keyOf(what, 'network', network));
/** By the widest network: five of one /48 are not five guessers. */
const pairKey = (what: Limited, { ip, account }: Attempt) => keyOf(what, 'pair', normalised(account), networksOf(ip).at(-1) ?? '');
const accountKey = (what: Limited, { account }: Attempt) => keyOf(what, 'account', normalised(account));
const deviceKey = (what: Limited, { account, device = '' }: Attempt) => keyOf(what, 'device', normalised(account), device);

/**
 * Counts an attempt in the database, so that the limit holds over all processes. Throws 429 with the seconds to wait.
 * A known device has a count of its own, which nobody else can use up. For everybody else the account is counted last:
 * a network that has used up its own attempts adds nothing to it, so one network alone cannot lock anybody out.
 * Resolves to the seconds until the next attempt is allowed: 0 unless this one was the last.
 */
export async function limit(db: Db, what: Limited, attempt: Attempt): Promise<number> {
  const { network, pair, account, seconds, advice }: Limit = LIMITS[what];
  const allow = (attempts: number) => attempts * attempt.factor;
  if (attempt.device && (await isKnownDevice(db, attempt.account, attempt.device)))
    return count(db, deviceKey(what, attempt), allow(pair ?? network), seconds);
  const waits: number[] = [];
  for (const [n, key] of networkKeys(what, attempt).entries()) waits.push(await count(db, key, allow(network) * (WIDER[n] ?? 1), seconds));
  if (pair) waits.push(await count(db, pairKey(what, attempt), allow(pair), seconds));
  if (account) waits.push(await count(db, accountKey(what, attempt), allow(account), seconds, advice));
  return Math.max(...waits);
}

/** A success clears the account's counts, so that someone who mistyped starts afresh, and does not count for the network, which many may share. */
export async function forgive(db: Db, what: Limited, attempt: Attempt): Promise<void> {
  const own = [pairKey(what, attempt), accountKey(what, attempt), deviceKey(what, attempt)];
  await db.deleteFrom('rateLimits').where('key', 'in', own).execute();
  await db
    .updateTable('rateLimits')
    .set((eb) => ({ tries: eb('tries', '-', 1) }))
    .where('key', 'in', networkKeys(what, attempt))
    .where('tries', '>', 0)
    .execute();
}

/**
 * Whether a window is over, or ends later than one that begins now could: then a wrong clock has set it. A minute is between attempts that are
 * counted at the same time.
 */
const isOver = (seconds: number) => sql<SqlBool>`(old.resets_at < now() or old.resets_at > now() + make_interval(secs => ${seconds + 60}))`;

/** Clears away windows that are over (a daily job). */
export async function removeOldLimits(db: Db): Promise<void> {
  const longest = Math.max(...Object.values(LIMITS).map(({ seconds }) => seconds));
  await db.deleteFrom('rateLimits as old').where(isOver(longest)).execute();
}

/** Counts one attempt. Resolves to the seconds until the next is allowed; throws 429 when this one is too many. */
async function count(db: Db, key: string, allowed: number, seconds: number, advice?: string): Promise<number> {
  const { rows } = await sql<{ tries: number; wait: number }>`
    insert into rate_limits as old (key, tries, resets_at) values (${key}, 1, now() + make_interval(secs => ${seconds}))
    on conflict (key) do update set
      tries = case when ${isOver(seconds)} then 1 else old.tries + 1 end,
      resets_at = case when ${isOver(seconds)} then excluded.resets_at else old.resets_at end
    returning tries, ceil(extract(epoch from resets_at - now()))::int as wait`.execute(db);
  const [row] = rows;
  if (!row || row.tries + 1 <= allowed) return 0;
  if (row.tries <= allowed) return row.wait;
  const wait = row.wait > 90 ? `${Math.ceil(row.wait / 60)} minutes` : `${row.wait} seconds`;
  const words = [`Too many attempts. Please wait ${wait} and try again.`, advice].filter(Boolean).join(' ');
  throw new Problem(429, words, undefined, Math.max(1, row.wait));
}
