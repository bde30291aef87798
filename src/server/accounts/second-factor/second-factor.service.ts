import { randomBytes } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import type { RecoveryCodes, SecondFactor, SetUp } from '#contract/accounts/second-factor.ts';
import type { Done } from '#contract/platform/lists.schema.ts';
import { Problem } from '#contract/platform/problem.ts';
import type { Account } from '#server/accounts/find-account.service.ts';
import { type COMMAND_LINE, recordChange } from '#server/context/audit.ts';
import { type Admin, type ProvenAdmin, signedInAdmin } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { secondFactorMail } from '#server/mail/account-mails.ts';
import { mailJobs } from '#server/mail/jobs.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { type SealedColumn, seal, unseal } from '#server/platform/database/sealed-secret.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { endSessions } from '#server/sessions/session.service.ts';
import { countRecoveryCodes, makeRecoveryCodes, normalised } from './codes.service.ts';
import { qrPath } from './qr-code.ts';
import { base32, matchingStep, otpauthUrl } from './totp.ts';

type Needs = Pick<Services, 'db' | 'config'>;

/** The encrypted columns: a start of the shop encrypts them by the first key of SECOND_FACTOR_KEY, so that older keys can be dropped. */
export const SEALED_FACTORS: readonly SealedColumn[] = [
  { table: 'second_factors', id: 'user_id', column: 'secret' },
  { table: 'second_factors', id: 'user_id', column: 'pending_secret' },
];

/** An administrator's second factor: whether and since when it is on, and the recovery codes left. */
export async function readSecondFactor({ db, config }: Needs, who: Admin): Promise<SecondFactor> {
  const row = await db.selectFrom('secondFactors').select('confirmedAt').where('userId', '=', who._id).executeTakeFirst();
  const since = row?.confirmedAt ?? null;
  const isRequired = config.isSecondFactorRequired;
  return { isOn: since !== null, since, recoveryCodes: await countRecoveryCodes(db, who._id), isRequired };
}

/** Exports a second factor without its secrets; `since` is null if it was begun and not confirmed. Null without one. */
export async function exportSecondFactor(db: Db, userId: string): Promise<{ since: string | null; recoveryCodes: number } | null> {
  const row = await db.selectFrom('secondFactors').select('confirmedAt as since').where('userId', '=', userId).executeTakeFirst();
  return row ? { ...row, recoveryCodes: await countRecoveryCodes(db, userId) } : null;
}

/** Deletes unconfirmed secrets after a day (a daily job): the row, or the replacement of a confirmed secret. */
export async function removeOldSetUps(db: Db): Promise<void> {
  const old = sql<SqlBool>`pending_at < now() - interval '1 day'`;
  // First the rows: without `pending_at`, none would be old.
  await db.deleteFrom('secondFactors').where('secret', 'is', null).where(old).execute();
  await db.updateTable('secondFactors').set({ pendingSecret: null, pendingAt: null }).where(old).execute();
}

/** Starts or restarts setup. The previous second factor works until the first code of the new one is confirmed, within an hour. */
export async function beginSecondFactor(services: Needs, who: ProvenAdmin): Promise<SetUp> {
  const { secret, address } = await storePending(services, who);
  return { secret, address, qr: qrPath(address) };
}

/** Stores a pending secret beside the confirmed one, if there is one. Returns it as text, and as the URL that authenticator apps scan. */
export async function storePending({ db, config }: Needs, { _id: userId, email }: Account): Promise<{ secret: string; address: string }> {
  // 160 bits, as RFC 4226 recommends.
  const secret = randomBytes(20);
  const pending = { pendingSecret: seal(secret, userId, config.secondFactorKeys), pendingAt: sql<string>`now()` };
  await db
    .insertInto('secondFactors')
    .values({ userId, ...pending })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(pending))
    .execute();
  return { secret: base32(secret), address: otpauthUrl(secret, email, config.company.shop) };
}

/** Shown when the secret is more than an hour old, confirmed or switched off meanwhile, or sealed with a key that is gone. */
const EXPIRED = 'Please start again: this QR code is no longer valid.';
const WRONG = 'This code is wrong. Check that your phone’s clock is right, and enter the newest code.';

/**
 * Activates the pending secret after its first right code. Ends other sessions, which started without it. Returns the recovery codes.
 * Throws 400 at the field `code`.
 */
export async function confirmPending(
  tx: Tx,
  { config }: Pick<Needs, 'config'>,
  user: Account,
  code: string,
  by: { actor: Admin | typeof COMMAND_LINE; token?: string },
): Promise<RecoveryCodes> {
  const row = await tx
    .selectFrom('secondFactors')
    .select('pendingSecret')
    .where('userId', '=', user._id)
    .where('pendingAt', '>', sql<string>`now() - interval '1 hour'`)
    .forUpdate()
    .executeTakeFirst();
  const secret = row?.pendingSecret && unseal(row.pendingSecret, user._id, config.secondFactorKeys);
  if (!secret) throw new Problem(400, EXPIRED, { code: EXPIRED });
  const lastStep = matchingStep(secret, normalised(code), Date.now());
  if (!lastStep) throw new Problem(400, WRONG, { code: WRONG });
  // `lastStep` makes this code a used one, so that it does not log in as well.
  const confirmed = { secret: row.pendingSecret, pendingSecret: null, pendingAt: null, confirmedAt: sql<string>`now()`, lastStep };
  await tx.updateTable('secondFactors').set(confirmed).where('userId', '=', user._id).execute();
  const recoveryCodes = await makeRecoveryCodes(tx, user._id);
  await endSessions(tx, user._id, by.token);
  await recordChange(tx, by.actor, 'user', user._id, 'Set up two-step login');
  await enqueue(tx, mailJobs.sendMail, secondFactorMail(config, user, 'set up'));
  return { recoveryCodes };
}

/**
 * Locks the account, then re-checks the session, which may have ended while it waited for the lock. A concurrent login either sees the change or
 * is ended by it.
 */
async function lockOwnAccount(tx: Tx, who: Admin): Promise<void> {
  await lockAccount(tx, who._id);
  await signedInAdmin({ db: tx, token: who.token, ip: who.ip }, who.right);
}

export async function lockAccount(tx: Db, userId: string): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
}

/** Confirms the administrator's own second factor by an app code. Throws 400. */
export async function confirmSecondFactor({ db, config }: Needs, who: Admin, code: string): Promise<RecoveryCodes> {
  return db.transaction().execute(async (tx) => {
    await lockOwnAccount(tx, who);
    return confirmPending(tx, { config }, who, code, { actor: who, token: who.token });
  });
}

/**
 * Removes the administrator's own second factor. Throws 409 without a confirmed one, or if the settings require one (it can still be replaced).
 */
export async function removeSecondFactor({ db, config }: Needs, who: ProvenAdmin): Promise<Done> {
  if (config.isSecondFactorRequired)
    throw new Problem(409, 'This shop requires two-step login for every administrator. You can set it up again.');
  await db.transaction().execute(async (tx) => {
    await lockOwnAccount(tx, who);
    if (!(await dropSecondFactor(tx, config, who, who))) throw new Problem(409, 'Two-step login is not switched on.');
  });
  return { message: 'Two-step login is switched off.' };
}

/** Removes a confirmed second factor with its recovery codes, and notifies the user by mail. Returns whether there was one. */
export async function dropSecondFactor(
  tx: Tx,
  config: Services['config'],
  user: Account,
  actor: Admin | typeof COMMAND_LINE,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('secondFactors')
    .where('userId', '=', user._id)
    .where('confirmedAt', 'is not', null)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  await tx.deleteFrom('recoveryCodes').where('userId', '=', user._id).execute();
  await recordChange(tx, actor, 'user', user._id, 'Switched two-step login off');
  await enqueue(tx, mailJobs.sendMail, secondFactorMail(config, user, 'switched off'));
  return true;
}
