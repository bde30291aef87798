import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { Problem } from '#contract/platform/problem.ts';
import { recordChange } from '#server/context/audit.ts';
import type { Admin } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { invitationMail } from '#server/mail/account-mails.ts';
import { mailJobs } from '#server/mail/jobs.ts';
import { hasEmail } from '#server/platform/database/arrays.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { freeAddress } from './addresses.service.ts';
import { type Account, trustOf } from './find-account.service.ts';
import { hashPassword } from './password.ts';
import { endAccess, ONLY_ADDRESS } from './reset.service.ts';

const unknownPassword = () => hashPassword(randomBytes(32).toString('base64url'));

/**
 * Ends the password and the sessions of an account before it gets an order by phone, if its email address was never confirmed and nothing was paid or delivered
 * with it: somebody else may have registered the address. A code that is mailed to it opens the account again. Throws 409 for a member of staff.
 */
async function closeUntrusted(tx: Tx, { config }: Pick<Services, 'config'>, id: string): Promise<void> {
  const closed = await tx
    .updateTable('users')
    .set({ passwordHash: await unknownPassword(), ...ONLY_ADDRESS })
    .where('id', '=', id)
    .where(trustOf, '=', 'none')
    .returning(['email', 'isAdmin'])
    .executeTakeFirst();
  if (!closed) return;
  // Taking an order must not close the back office to its staff.
  if (closed.isAdmin)
    throw new Problem(
      409,
      'This address belongs to a member of staff who never confirmed it. They must choose a new password by a code first.',
    );
  await endAccess(tx, id);
  await enqueue(tx, mailJobs.sendMail, invitationMail(config, closed.email));
}

/**
 * The account for an order by phone, found by its email address or created. A created one, and one that may be a stranger's (`trustOf`), get a random password
 * and a mail that says how to choose another. Locks the account against erasure until the transaction ends.
 */
export async function findOrInvite(
  tx: Tx,
  { config }: Pick<Services, 'config'>,
  who: Admin,
  { name, email }: Omit<Account, '_id'>,
): Promise<Account> {
  // Before the search: an account that changed to this address and never confirmed it goes back to its own.
  await freeAddress(tx, email);
  const existing = await tx
    .selectFrom('users')
    .select(['id as _id', 'name', 'email'])
    .where(hasEmail(email))
    .forKeyShare()
    .executeTakeFirst();
  if (existing) {
    await closeUntrusted(tx, { config }, existing._id);
    return existing;
  }
  const account = { _id: newId(), name, email };
  const passwordHash = await unknownPassword();
  const created = await tx
    .insertInto('users')
    .values({ id: account._id, name, email, passwordHash, isEmailConfirmed: false })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .returning('id')
    .executeTakeFirst();
  // Somebody else has created it meanwhile.
  if (!created) return findOrInvite(tx, { config }, who, { name, email });
  await enqueue(tx, mailJobs.sendMail, invitationMail(config, email));
  await recordChange(tx, who, 'user', account._id, 'Made the account for an order by phone');
  return account;
}
