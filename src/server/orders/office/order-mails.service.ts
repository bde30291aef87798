import { type SqlBool, sql } from 'kysely';
import type { OrderMail, OrderMails } from '#contract/orders/order-mails.schema.ts';
import type { Done } from '#contract/platform/lists.schema.ts';
import { Problem } from '#contract/platform/problem.ts';
import { recordChange } from '#server/context/audit.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import type { Mail } from '#server/gateways/mail.ts';
import { mailJobs } from '#server/mail/jobs.ts';
import { readOrderForMail } from '#server/orders/read.service.ts';
import { recordEvent } from '#server/orders/transitions.service.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { HOURLY_MAILS } from '#server/sessions/mail-limit.service.ts';

/** Within this time a mail is not sent again: a second press is a mistake. */
const PAUSE_MINUTES = 1;

const MAY_BE_A_STRANGERS =
  'This email went to another address than the customer’s emails go to now, and nobody has confirmed that one. It may be a stranger’s, so the email is not sent to it.';

const unknownMail = () => new Problem(404, 'There is no such email, or it is no longer kept.');

/** `hourly`: the limit that it was sent with, which is lower for an address that nobody has confirmed. */
interface KeptMail extends Mail {
  hourly?: number | undefined;
}

/**
 * Keeps a mail about an order that was sent just now, unless its customer was erased meanwhile. A link that confirms the address leads to the profile instead:
 * only who reads the mailbox has the secret, not who is sent the mail again or exports it.
 */
export async function keepOrderMail(db: Db, orderId: string, mail: KeptMail): Promise<void> {
  const kept = JSON.stringify(mail).replace(/#confirm-email=[\w-]+/g, 'profile');
  await sql`
    insert into order_mails (order_id, mail)
    select id, ${kept}::jsonb from orders where id = ${orderId} and user_email <> '' for share`.execute(db);
}

const selectMails = (db: Db) => db.selectFrom('orderMails').select(['id as _id', 'orderId', 'sentAt', sql<KeptMail>`mail`.as('mail')]);

/** The emails about an order that were sent, the latest first. Throws 404 for an unknown order. */
export async function listOrderMails(db: Db, _: Admin, orderId: string): Promise<OrderMails> {
  const order = await db.selectFrom('orders').select('id').where('id', '=', orderId).executeTakeFirst();
  if (!order) throw new Problem(404, 'Order not found');
  const rows = await db
    .selectFrom('orderMails')
    .select(['id as _id', 'sentAt', sql<string>`mail ->> 'to'`.as('to'), sql<string>`mail ->> 'subject'`.as('subject')])
    .where('orderId', '=', orderId)
    .orderBy('sentAt', 'desc')
    .execute();
  return { mails: rows };
}

/** An email as it was sent. Throws 404. */
export async function readOrderMail(db: Db, _: Admin, id: string): Promise<OrderMail> {
  const row = await selectMails(db).where('id', '=', id).executeTakeFirstOrThrow(unknownMail);
  const { _id, sentAt, mail } = row;
  return { _id, sentAt, to: mail.to, subject: mail.subject, text: mail.text, html: mail.html, documents: mail.documents ?? [] };
}

/**
 * Sends an email again, to where the customer's emails go now. Throws 404, and 409 just after it was sent, or if it has what the buyer typed and would go to
 * another address that nobody has confirmed.
 */
export async function sendMailAgain(db: Db, who: Admin, id: string): Promise<Done> {
  return transactionOf(db, who, async (tx) => {
    const row = await selectMails(tx).where('id', '=', id).forUpdate().executeTakeFirstOrThrow(unknownMail);
    const { order, hourlyLimit, isConfirmed } = await readOrderForMail(tx, row.orderId);
    const to = order.user.email;
    const isAnother = to.toLowerCase() !== row.mail.to.toLowerCase();
    if (isAnother && !isConfirmed && row.mail.hourly !== HOURLY_MAILS.unconfirmed) throw new Problem(409, MAY_BE_A_STRANGERS);
    const key = `again ${id}`;
    // Each sending is kept as a mail of its own, so they are told by subject.
    const recent = await tx
      .selectFrom('orderMails')
      .select('id')
      .where('orderId', '=', row.orderId)
      .where(sql<SqlBool>`mail ->> 'subject' = ${row.mail.subject} and abs(extract(epoch from now() - sent_at)) < ${PAUSE_MINUTES * 60}`)
      .executeTakeFirst();
    const queued = await tx.selectFrom('jobs').select('id').where('key', '=', key).executeTakeFirst();
    if (recent || queued) throw new Problem(409, 'This email was sent a moment ago. Wait a minute before you send it again.');
    await enqueue(tx, mailJobs.sendMail, { ...row.mail, to, hourly: hourlyLimit, orderId: row.orderId }, { key });
    await recordEvent(tx, row.orderId, { kind: 'email sent again', actor: who.name, detail: row.mail.subject });
    await recordChange(tx, who, 'order', row.orderId, `Sent “${row.mail.subject}” again`);
    return { message: `We are sending it to ${to}.` };
  });
}

/** Deletes the emails sent more than the given number of days ago. */
export async function removeOldMails(db: Db, days: number): Promise<void> {
  await db.deleteFrom('orderMails').where(sql<SqlBool>`sent_at < now() - make_interval(days => ${days})`).execute();
}
