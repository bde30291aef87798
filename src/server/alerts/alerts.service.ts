import { sql } from 'kysely';
import { Problem } from '#contract/platform/problem.ts';
import type { Services } from '#server/context/services.ts';
import { alertConfirmationMail, backInStockMail } from '#server/mail/alert-mails.ts';
import { mailJobs } from '#server/mail/jobs.ts';
import { hasEmail } from '#server/platform/database/arrays.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { newId } from '#server/platform/ids.ts';
import { declareJobs, enqueue, job, type PayloadOf } from '#server/platform/jobs/queue.ts';
import { newLinkToken, tokenHash } from '#server/platform/link-token.ts';

export const alertJobs = declareJobs({
  confirmAlert: job<{ email: string; productId: string }>({ label: 'Ask a customer to confirm a stock alert', mayHang: true }),
  tellOfReturns: job({ label: 'Tell customers that a product is back', at: {} }),
});

/** Attempts to send a confirmation. */
const MAIL_TRIES = 7;
const UNKNOWN = 'We do not recognise this link, or it is no longer needed.';

/**
 * Queues a confirmation mail for an alert. A job looks up the address, so the response reveals nothing about it. Throws 404 for an unknown
 * product, and 409 for one in stock.
 */
export async function requestAlert(db: Db, productId: string, email: string): Promise<void> {
  const product = await db
    .selectFrom('products')
    .select('isAvailable')
    .where('id', '=', productId)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow(() => new Problem(404, 'Product not found'));
  if (product.isAvailable) throw new Problem(409, 'This piece is in stock: you can order it now.');
  await enqueue(db, alertJobs.confirmAlert, { email, productId }, { maxAttempts: MAIL_TRIES });
}

/**
 * Stores an unconfirmed alert and mails its owner a confirmation link. Does nothing if already confirmed. A retry makes a new link, since
 * only its hash is stored.
 */
export async function askToConfirm(
  { db, mailer, config }: Pick<Services, 'db' | 'mailer' | 'config'>,
  { email, productId }: PayloadOf<typeof alertJobs.confirmAlert>,
): Promise<void> {
  const { token, hash } = newLinkToken();
  const { rows } = await sql<{ name: string }>`
    with noted as (
      insert into stock_alerts (id, product_id, email, token_hash)
      select ${newId()}, id, ${email}, ${hash} from products where id = ${productId} and deleted_at is null
      on conflict (product_id, lower(email)) do update set token_hash = excluded.token_hash, created_at = now()
        where stock_alerts.confirmed_at is null
      returning product_id)
    select name from noted join products on products.id = noted.product_id`.execute(db);
  const [product] = rows;
  if (product) await mailer.send(alertConfirmationMail(config, email, { _id: productId, name: product.name }, token));
}

/** Confirms an alert. Idempotent. Throws 404. */
export async function confirmAlert(db: Db, token: string): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('stockAlerts')
    .set({ confirmedAt: sql<string>`coalesce(confirmed_at, now())` })
    .where('tokenHash', '=', tokenHash(token))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Problem(404, UNKNOWN);
}

/** Deletes an alert at its owner's request. Throws 404. */
export async function stopAlert(db: Db, token: string): Promise<void> {
  const { numDeletedRows } = await db.deleteFrom('stockAlerts').where('tokenHash', '=', tokenHash(token)).executeTakeFirst();
  if (numDeletedRows === 0n) throw new Problem(404, UNKNOWN);
}

/** Mails queued per transaction. */
const BATCH = 200;

/** Mails everyone waiting for a product that is back, once each, and deletes their addresses (every minute). */
export async function tellOfReturns({ db, config }: Pick<Services, 'db' | 'config'>): Promise<void> {
  while ((await tellSome(db, config)) === BATCH);
}

/** Deletes rows and queues their mails in one transaction, so each is sent once even with several processes. */
async function tellSome(db: Db, config: Services['config']): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ email: string; productId: string; name: string }>`
      with due as (
        select a.id, p.name from stock_alerts a join products p on p.id = a.product_id
        where a.confirmed_at is not null and p.is_available and p.deleted_at is null
        order by a.confirmed_at limit ${BATCH} for update of a skip locked),
      gone as (delete from stock_alerts a using due where a.id = due.id returning a.email, a.product_id, due.name)
      select email, product_id, name from gone`.execute(tx);
    for (const { email, productId, name } of rows)
      await enqueue(tx, mailJobs.sendMail, backInStockMail(config, email, { _id: productId, name }));
    return rows.length;
  });
}

/** Exports the alerts of an address that the person has proven, and of the account's address those that its mailbox has confirmed. */
export async function exportAlerts(db: Db, provenEmail: string | null, email: string): Promise<Record<string, unknown>[]> {
  return db
    .selectFrom('stockAlerts')
    .select(['productId', 'createdAt', 'confirmedAt'])
    .where(({ eb, or }) => or([hasEmail(provenEmail ?? ''), eb.and([hasEmail(email), eb('confirmedAt', 'is not', null)])]))
    .orderBy('id')
    .execute();
}

/** Deletes the alerts of both addresses. Returns their number. */
export async function forgetAlerts(tx: Tx, provenEmail: string | null, email: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('stockAlerts')
    .where(({ or }) => or([hasEmail(provenEmail ?? ''), hasEmail(email)]))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes alerts that are unconfirmed after 7 days, older than 180 days, or for deleted products (a daily job). */
export async function removeOldAlerts(db: Db): Promise<void> {
  await sql`
    delete from stock_alerts where created_at < now() - interval '7 days' and confirmed_at is null
      or created_at < now() - interval '180 days'
      or product_id in (select id from products where state = 'deleted')`.execute(db);
}
