import { sql } from 'kysely';
import type { Services } from '#server/context/services.ts';
import { alertConfirmationMail, backInStockMail } from '#server/mail/alert-mails.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { newLinkToken } from '#server/platform/link-token.ts';

/** Mails queued per transaction. */
const PIECE = 200;

/**
 * Stores an unconfirmed alert and mails its owner a confirmation link. Does nothing if already confirmed. A retry makes a new link, since
 * only its hash is stored.
 */
export async function askToConfirm(
  { db, mailer, config }: Pick<Services, 'db' | 'mailer' | 'config'>,
  { email, productId }: { email: string; productId: string },
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
  if (product) await mailer.send(alertConfirmationMail(email, { _id: productId, name: product.name }, config.publicUrl, token));
}

/** Mails everyone waiting for a product that is back, once each, and deletes their addresses (every minute). */
export async function tellOfReturns({ db, config }: Pick<Services, 'db' | 'config'>): Promise<void> {
  while ((await tellSome(db, config.publicUrl)) === PIECE);
}

/** Deletes rows and queues their mails in one transaction, so each is sent once even with several processes. */
async function tellSome(db: Db, publicUrl: string): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ email: string; productId: string; name: string }>`
      with due as (
        select a.id, p.name from stock_alerts a join products p on p.id = a.product_id
        where a.confirmed_at is not null and p.is_available and p.deleted_at is null
        order by a.confirmed_at limit ${PIECE} for update of a skip locked),
      gone as (delete from stock_alerts a using due where a.id = due.id returning a.email, a.product_id, due.name)
      select email, product_id, name from gone`.execute(tx);
    for (const { email, productId, name } of rows)
      await enqueue(tx, 'sendMail', backInStockMail(email, { _id: productId, name }, publicUrl));
    return rows.length;
  });
}
