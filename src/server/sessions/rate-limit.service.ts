import { createHash } from 'node:crypto';
import { Problem } from '#contract/platform/problem.ts';
import { networksOf } from '#server/platform/client-address.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { isKnownDevice } from './devices.service.ts';
import { mailboxOf } from './mail-limit.service.ts';
import { countInWindow, removeEnded, takeOff } from './windows.service.ts';

interface Limit {
  /** Attempts per network (IPv4 address or IPv6 /64) at all accounts; /56 and /48 get multiples. */
  network: number;
  /** Attempts per address or IPv6 /48 at one account, and per known device at its account. High enough for typing errors. */
  pair?: number;
  /** Attempts at one account from all networks except known devices: slows distributed guessing. */
  account?: number;
  /** Once those are used up, seconds between attempts for one address, instead of a refusal: strangers can use them up. */
  spacing?: number;
  /** Attempts of all known devices of an account together, for actions that mail its address. Here a device is known only if the address is confirmed. */
  devices?: number;
  /** Counts all addresses of a mailbox as one account (`victim+1@`, `victim+2@`), for actions that mail it. */
  byMailbox?: true;
  seconds: number;
  /** Advice for the error message when the account's own limit is reached. */
  advice?: string;
}

/** Limits by action: attempts per number of seconds (decision 13). RATE_LIMIT_FACTOR multiplies all, for load tests. */
export const LIMITS = {
  login: {
    network: 60,
    pair: 10,
    account: 50,
    seconds: 15 * 60,
    advice: 'You can also choose a new password with “Forgot your password?”.',
  },
  // Second-factor codes: guessers already have the password, and 3 of a million codes are valid at a time.
  code: { network: 30, pair: 10, account: 20, seconds: 60 * 60 },
  // Password or code again, before an irreversible action.
  proof: { network: 60, pair: 10, account: 30, seconds: 60 * 60 },
  // Offices, universities and mobile networks share an address, and each new customer is one attempt.
  register: { network: 300, pair: 5, account: 50, seconds: 60 * 60 },
  // Each code allows 5 guesses by its asker and 5 by everyone else, so the account's limits bound guesses too. The spacing is shorter than a code's life.
  forgot: { network: 30, pair: 5, account: 10, spacing: 6 * 60, devices: 20, byMailbox: true, seconds: 60 * 60 },
  otp: { network: 60, pair: 10, devices: 100, seconds: 60 * 60 },
  // Hashing is costly, a new address gets a mail, and both check the current password.
  profile: { network: 60, pair: 10, account: 30, seconds: 60 * 60 },
  // Each attempt creates a page at the provider. An account may place 60 orders an hour; an office shares one network.
  checkout: { network: 1_200, pair: 60, account: 60, seconds: 60 * 60 },
  // Attempts per network, including refused ones. Orders per account are limited by counting orders.
  order: { network: 1_200, seconds: 60 * 60 },
  // Status checks at the provider by the payment page. Above this the page waits for the webhook alone.
  payment: { network: 600, pair: 60, seconds: 15 * 60 },
  // Reviews decode pictures, and a new rating rebuilds every list.
  review: { network: 60, pair: 10, account: 20, seconds: 60 * 60 },
  // Each sends a mail to an address that may not be the sender's.
  alert: { network: 20, pair: 3, account: 5, seconds: 24 * 60 * 60 },
  // An administrator's test emails, which go to any address.
  testMail: { network: 120, account: 20, seconds: 60 * 60 },
  // A PDF takes up to 250 ms to render; cached ones do not count.
  document: { network: 300, pair: 60, account: 60, seconds: 15 * 60 },
  // Cancelling, asking for a return or withdrawing it: each mails the customer and grows the order's history.
  afterSale: { network: 1_200, account: 240, seconds: 60 * 60 },
  // Unknown discount codes: an attempt with a known one is uncounted.
  discountCode: { network: 40, seconds: 60 * 60 },
  discountCodeOfAccount: { network: 200, account: 15, seconds: 60 * 60 },
  // Each creates or changes a stored list, which a visitor without an account shares.
  wishlist: { network: 60, seconds: 60 * 60 },
  wishlistOfDay: { network: 240, seconds: 24 * 60 * 60 },
  // Each load of a page sends the lists of an account, and each change of them is written.
  lists: { network: 3_000, account: 600, seconds: 15 * 60 },
  vote: { network: 200, pair: 15, seconds: 5 * 60 },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;

/** Multipliers for the /64, its /56 (household or company) and its /48 (a mobile provider's customers). */
const WIDER = [1, 2, 8];

/** `factor` multiplies every limit. */
export interface Attempt {
  ip: string;
  /** An email address or a user id; empty for a visitor, of whom only the network counts. */
  account: string;
  /** The browser's device token, if sent. */
  device?: string | undefined;
  factor: number;
}

const normalised = (account: string) => account.trim().toLowerCase();

/** Hashed, so the table holds no addresses. */
const keyOf = (what: LimitName, by: 'network' | 'pair' | 'account' | 'spacing' | 'device' | 'devices', ...values: string[]) =>
  `${what}:${by}:${createHash('sha256').update(values.join('\n')).digest('base64url')}`;
const networkKeys = (what: LimitName, { ip }: Attempt) => networksOf(ip).map((network) => keyOf(what, 'network', network));
/** Uses the widest network: five addresses of one /48 are one guesser. */
const pairKey = (what: LimitName, { ip, account }: Attempt) => keyOf(what, 'pair', normalised(account), networksOf(ip).at(-1) ?? '');
const accountKey = (what: LimitName, { account }: Attempt) => keyOf(what, 'account', normalised(account));
const spacingKey = (what: LimitName, { account }: Attempt) => keyOf(what, 'spacing', normalised(account));
const devicesKey = (what: LimitName, { account }: Attempt) => keyOf(what, 'devices', normalised(account));
const deviceKey = (what: LimitName, { account, device = '' }: Attempt) => keyOf(what, 'device', normalised(account), device);

const asCounted = (what: LimitName, attempt: Attempt): Attempt =>
  (LIMITS[what] as Limit).byMailbox ? { ...attempt, account: mailboxOf(attempt.account) } : attempt;

/** A counted attempt, with its keys: `forgive` and `uncount` lower no others. */
export interface Counted {
  /** It came within `spacing` of another for this address: the caller answers as ever, and does nothing. */
  isTooSoon: boolean;
  /** Seconds until the next attempt: 0 unless this was the last one allowed. */
  wait: number;
  /** Counts of the account, which a success clears. */
  own: readonly string[];
  /** Counts of the networks, which others may share. */
  shared: readonly string[];
}

/**
 * Counts an attempt in the database, so the limit holds across processes. Throws 429 with the seconds to wait.
 * A known device has a separate count that nobody else can use up. A person with the password can make any number of devices known, so attempts that mail
 * the address count all of an account's devices together as well. For unknown devices the account is counted last: a network above its own limit adds nothing
 * to it, so one network cannot lock an account.
 */
export async function limit(db: Db, what: LimitName, attempt: Attempt): Promise<Counted> {
  const { network, pair, account, spacing, devices, seconds, advice }: Limit = LIMITS[what];
  const allow = (attempts: number) => attempts * attempt.factor;
  const waits: number[] = [];
  const mustBeConfirmed = devices !== undefined;
  if (attempt.device && (await isKnownDevice(db, attempt.account, attempt.device, { mustBeConfirmed }))) {
    const key = deviceKey(what, attempt);
    waits.push(await count(db, key, allow(pair ?? network), seconds));
    if (devices) waits.push(await count(db, devicesKey(what, attempt), allow(devices), seconds));
    return { isTooSoon: false, wait: Math.max(...waits), own: [key], shared: [] };
  }
  const shared = networkKeys(what, attempt);
  for (const [n, key] of shared.entries()) waits.push(await count(db, key, allow(network) * (WIDER[n] ?? 1), seconds));
  const ofMailbox = asCounted(what, attempt);
  const own = [pairKey(what, ofMailbox), accountKey(what, ofMailbox)];
  if (pair && attempt.account) waits.push(await count(db, pairKey(what, ofMailbox), allow(pair), seconds));
  if (!account || !attempt.account) return { isTooSoon: false, wait: Math.max(...waits), own, shared };
  if (!spacing) {
    waits.push(await count(db, accountKey(what, ofMailbox), allow(account), seconds, advice));
    return { isTooSoon: false, wait: Math.max(...waits), own, shared };
  }
  const { tries } = await countInWindow(db, accountKey(what, ofMailbox), seconds);
  if (tries <= allow(account)) return { isTooSoon: false, wait: Math.max(...waits), own, shared };
  // By address, not by mailbox: strangers ask for others of the mailbox, too.
  const spaced = await countInWindow(db, spacingKey(what, attempt), spacing);
  return { isTooSoon: spaced.tries > 1, wait: Math.max(...waits, spaced.wait), own, shared };
}

/** After a success: clears the counts of the account that this attempt raised, and takes it off its networks. */
export async function forgive(db: Db, { own, shared }: Counted): Promise<void> {
  await clear(db, own);
  await takeOff(db, shared);
}

/** Takes one attempt off its networks and its account, whose other attempts still count. */
export const uncount = (db: Db, { own, shared }: Counted): Promise<void> => takeOff(db, [...own, ...shared]);

/** Clears the counts of an account and of this device and network at it, after the account was proved otherwise. */
export async function clearAccount(db: Db, what: LimitName, attempt: Attempt): Promise<void> {
  const ofMailbox = asCounted(what, attempt);
  await clear(db, [pairKey(what, ofMailbox), accountKey(what, ofMailbox), spacingKey(what, attempt), deviceKey(what, attempt)]);
}

async function clear(db: Db, keys: readonly string[]): Promise<void> {
  await db.deleteFrom('rateLimits').where('key', 'in', keys).execute();
}

/** Deletes windows that have ended (a daily job). */
export async function removeOldLimits(db: Db): Promise<void> {
  const longest = Math.max(...Object.values(LIMITS).map(({ seconds }) => seconds));
  await removeEnded(db, longest);
}

/** Counts one attempt. Returns the seconds until the next is allowed; throws 429 if this one is over the limit. */
async function count(db: Db, key: string, allowed: number, seconds: number, advice?: string): Promise<number> {
  const { tries, wait } = await countInWindow(db, key, seconds);
  if (tries < allowed) return 0;
  if (tries === allowed) return wait;
  const message = [`Too many attempts. Please wait ${inWords(wait)} and try again.`, advice].filter(Boolean).join(' ');
  throw new Problem(429, message, undefined, Math.max(1, wait));
}

function inWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes > 90) return `${Math.ceil(minutes / 60)} hours`;
  return seconds > 90 ? `${minutes} minutes` : `${seconds} seconds`;
}
