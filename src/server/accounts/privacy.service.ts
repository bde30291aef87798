import { sql } from 'kysely';
import type { Done } from '#contract/platform/lists.schema.ts';
import { Problem } from '#contract/platform/problem.ts';
import { exportSecondFactor } from '#server/accounts/second-factor/second-factor.service.ts';
import { exportAlerts, forgetAlerts } from '#server/alerts/alerts.service.ts';
import { COMMAND_LINE, eraseChanges, listChanges, recordChange } from '#server/context/audit.ts';
import { type Admin, type ProvenAdmin, requireRight, transactionOf } from '#server/context/context.ts';
import { exportNotes } from '#server/office/notes.service.ts';
import { exportTags } from '#server/office/tags.service.ts';
import { anonymiseOrders, exportOrders } from '#server/orders/erase.service.ts';
import { hasEmail } from '#server/platform/database/arrays.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { deleteJobs } from '#server/platform/jobs/queue.ts';
import { exportReviews, forgetReviews, NO_REVIEWS } from '#server/reviews/erase.service.ts';
import { exportLists } from '#server/wishlist/wishlist.service.ts';
import { confirmedEmailOf } from './addresses.service.ts';

const NOBODY = 'No data is held about this address.';

function selectAccount(db: Db, email: string) {
  return db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'isEmailConfirmed', 'confirmedEmail', 'formerEmail', 'isAdmin', 'createdAt', 'updatedAt'])
    .where(hasEmail(email));
}

/**
 * The email address that is certainly this person's, by which orders of deleted accounts are found: the account's confirmed one, since anybody can
 * register somebody else's; without an account, the requested one. Stock alerts are also found by the requested one, which their mailbox confirmed.
 */
const provenEmailOf = (account: Parameters<typeof confirmedEmailOf>[0] | null, requested: string) =>
  account ? confirmedEmailOf(account) : requested;

/** Queued jobs for addresses, oldest first; only mails have a subject. */
function listQueuedJobs(db: Db, emails: readonly (string | null)[]) {
  return db
    .selectFrom('jobs')
    .select(['id', 'createdAt as since', sql<string | null>`payload ->> 'subject'`.as('subject')])
    .where(sql<boolean>`lower(coalesce(payload ->> 'to', payload ->> 'email')) = any(${emails.map((email) => email?.toLowerCase())})`)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

/** Exports all data held on a customer except secrets (hashes of password and tokens). Throws 404 for an unknown one. */
export async function exportCustomer(db: Db, email: string) {
  const account = (await selectAccount(db, email).executeTakeFirst()) ?? null;
  const sessions = account
    ? await db.selectFrom('sessions').select(['createdAt', 'expiresAt']).where('userId', '=', account.id).orderBy('createdAt').execute()
    : [];
  const knownDevices = account
    ? await db.selectFrom('knownDevices').select(['createdAt', 'usedAt']).where('userId', '=', account.id).orderBy('createdAt').execute()
    : [];
  const changes = account ? await listChanges(db, 'user', account.id, 1_000) : [];
  const logins = account ? await listChanges(db, 'login', account.id, 1_000) : [];
  const provenEmail = provenEmailOf(account, email);
  const queuedJobs = await listQueuedJobs(db, [email, provenEmail]);
  const reviewData = account ? await exportReviews(db, account.id) : NO_REVIEWS;
  const held = {
    account,
    sessions,
    secondFactor: account && (await exportSecondFactor(db, account.id)),
    knownDevices,
    changesByStaff: changes.map(({ at, change }) => ({ at, change })),
    loginsAsStaff: logins.map(({ at, change }) => ({ at, change })),
    orders: await exportOrders(db, { userId: account?.id ?? null, email: provenEmail }),
    ...reviewData,
    lists: account && (await exportLists(db, account.id)),
    staffNotes: account ? await exportNotes(db, account.id) : [],
    staffTags: account ? await exportTags(db, account.id) : [],
    stockAlerts: await exportAlerts(db, provenEmail, email),
    mailsWaiting: queuedJobs.flatMap(({ subject, since }) => (subject === null ? [] : [{ subject, since }])),
  };
  if (!account && held.orders.length + held.mailsWaiting.length + held.stockAlerts.length === 0) throw new Problem(404, NOBODY);
  return held;
}

/**
 * Erases a customer: deletes account, sessions, codes, lists, reviews, votes and queued mails, and anonymises orders. All or nothing. Throws 404
 * if nothing is held, and 409 for an administrator, a payment under way and, unless `isForced`, an open delivery.
 */
export async function eraseCustomer(db: Db, email: string, isForced: boolean): Promise<Erased> {
  return db.transaction().execute((tx) => eraseIn(tx, COMMAND_LINE, email, isForced));
}

interface Erased {
  hadAccount: boolean;
  orders: number;
}

async function eraseIn(tx: Tx, who: Admin | typeof COMMAND_LINE, email: string, isForced: boolean): Promise<Erased> {
  const account = await selectAccount(tx, email).forUpdate().executeTakeFirst();
  if (account?.isAdmin) throw new Problem(409, 'This account is an administrator. Remove the role in the back office first.');
  const provenEmail = provenEmailOf(account ?? null, email);
  const orderCount = await anonymiseOrders(tx, { userId: account?.id ?? null, email: provenEmail }, isForced);
  const jobIds = (await listQueuedJobs(tx, [email, provenEmail])).map(({ id }) => id);
  await deleteJobs(tx, jobIds);
  const alertCount = await forgetAlerts(tx, provenEmail, email);
  if (!account && orderCount + jobIds.length + alertCount === 0) throw new Problem(404, NOBODY);
  if (account) {
    await eraseChanges(tx, account.id);
    await forgetReviews(tx, account.id);
    await tx.deleteFrom('users').where('id', '=', account.id).execute();
    await recordChange(tx, who, 'user', account.id, 'Erased the account on request');
  }
  return { hadAccount: account !== undefined, orders: orderCount };
}

/** An account, locked against changes. Throws 404. */
async function lockUser(tx: Tx, id: string): Promise<{ email: string; isAdmin: boolean }> {
  const user = await tx.selectFrom('users').select(['email', 'isAdmin']).where('id', '=', id).forUpdate().executeTakeFirst();
  if (!user) throw new Problem(404, 'User not found');
  return user;
}

/**
 * Exports a customer as `exportCustomer` does, from the back office; the audit log says by whom. Throws 404, and 403 for an administrator's account without
 * the right to manage staff.
 */
export function exportUser(db: Db, who: ProvenAdmin, id: string): Promise<Awaited<ReturnType<typeof exportCustomer>>> {
  return transactionOf(db, who, async (tx) => {
    const { email, isAdmin } = await lockUser(tx, id);
    if (isAdmin && who._id !== id) requireRight(who, 'manage staff');
    const held = await exportCustomer(tx, email);
    await recordChange(tx, who, 'user', id, 'Exported all data of the account');
    return held;
  });
}

/** Erases a customer as `eraseCustomer` does, from the back office. Throws 404 and 409. */
export function eraseUser(db: Db, who: ProvenAdmin, id: string, isForced: boolean): Promise<Done> {
  return transactionOf(db, who, async (tx) => {
    const { orders } = await eraseIn(tx, who, (await lockUser(tx, id)).email, isForced);
    return {
      message:
        orders === 0
          ? 'The account is erased.'
          : `The account is erased. ${orders === 1 ? '1 order is kept' : `${orders} orders are kept`} without personal data.`,
    };
  });
}
