import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { MINUTE_MS, nextShopHour } from '#contract/market/shop-time.ts';
import { listenersOf, type StaffEvent } from '#contract/settings/staff-events.ts';
import type { Services } from '#server/context/services.ts';
import { mailJobs } from '#server/mail/jobs.ts';
import { staffMail } from '#server/mail/staff-mails.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { declareJobs, enqueue, job } from '#server/platform/jobs/queue.ts';
import { takeMail } from '#server/sessions/mail-limit.service.ts';

export const noticeJobs = declareJobs({
  sendStaffNotices: job({ label: 'Send notices to staff', lane: 'staff notices', at: {} }),
});

export interface StaffNotice {
  event: StaffEvent;
  /** One sentence without anything that customers typed. */
  text: string;
  /** The page of the back office that shows it. */
  path: string;
}

/** The most emails an hour to one address; further notices wait for the next hour and are sent in one email. */
const HOURLY = 12;

/** Queues a notice for each address that subscribes to the event, in the transaction of the event itself. */
export async function tellStaff(tx: Tx, { config }: Pick<Services, 'config'>, { event, text, path }: StaffNotice): Promise<void> {
  const now = new Date();
  const rows = listenersOf(config.staff, event).map(({ address, isDaily }) => ({
    address,
    event,
    text,
    path,
    dueAt: isDaily ? nextShopHour(config.staff.dailyHour, now) : now.toISOString(),
  }));
  if (rows.length > 0) await tx.insertInto('staffNotices').values(rows).execute();
}

export const orderPath = (id: string): string => `/admin/orderdetails/${id}`;
export const productPath = (id: string): string => `/admin/editproduct/${id}`;

/** Whether a notice is due. One that a clock ahead of ours has stored is: no notice waits for longer than a day. */
const isDue = (now: Date): RawBuilder<SqlBool> => {
  const after = (minutes: number) => new Date(now.getTime() + minutes * MINUTE_MS).toISOString();
  return sql`(due_at <= ${after(0)} or due_at > ${after(26 * 60)} or created_at > ${after(5)})`;
};

/** Queues the emails that are due (a job each minute), each in one transaction with the deletion of its notices. */
export async function sendStaffNotices({ db, config }: Pick<Services, 'db' | 'config'>): Promise<void> {
  const due = await db.selectFrom('staffNotices').select('address').distinct().where(isDue(new Date())).execute();
  for (const { address } of due) await db.transaction().execute((tx) => sendDue(tx, { config }, address));
}

async function sendDue(tx: Tx, { config }: Pick<Services, 'config'>, address: string): Promise<void> {
  const due = isDue(new Date());
  // Addresses removed from the list get no more emails.
  if (!config.staff.notices.some((row) => row.address === address)) {
    await tx.deleteFrom('staffNotices').where('address', '=', address).execute();
    return;
  }
  const until = await takeMail(tx, address, HOURLY * config.rateLimitFactor, 'staff');
  if (until !== undefined) {
    await tx
      .updateTable('staffNotices')
      .set({ dueAt: until, createdAt: sql<string>`least(created_at, now())` })
      .where('address', '=', address)
      .where(due)
      .execute();
    return;
  }
  const rows = await tx.deleteFrom('staffNotices').where('address', '=', address).where(due).returningAll().execute();
  const lines = rows
    .sort((a, b) => a.createdAt.localeCompare(b.createdAt))
    .map(({ event, text, path, createdAt }) => ({ event: event as StaffEvent, text, path, at: createdAt }));
  if (lines.length > 0) await enqueue(tx, mailJobs.sendMail, staffMail(address, lines, config.publicUrl));
}
