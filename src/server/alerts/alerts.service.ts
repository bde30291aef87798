import { sql } from 'kysely';
import { Problem } from '#contract/platform/problem.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { isId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { tokenHash } from '#server/platform/link-token.ts';

/** Attempts to send a confirmation. */
const MAIL_TRIES = 7;
const UNKNOWN = 'We do not recognise this link, or it is no longer needed.';

/**
 * Queues a confirmation mail for an alert. A job looks up the address, so the response reveals nothing about it. Throws 404 for an unknown
 * product, and 409 for one in stock.
 */
export async function requestAlert(db: Db, productId: string, email: string): Promise<void> {
  const product = isId(productId)
    ? await db.selectFrom('products').select('isAvailable').where('id', '=', productId).where('deletedAt', 'is', null).executeTakeFirst()
    : undefined;
  if (!product) throw new Problem(404, 'Product not found');
  if (product.isAvailable) throw new Problem(409, 'This piece is in stock: you can order it now.');
  await enqueue(db, 'confirmAlert', { email, productId }, { maxAttempts: MAIL_TRIES });
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

/** Exports the alerts of an address. */
export async function exportAlerts(db: Db, email: string): Promise<Record<string, unknown>[]> {
  return db
    .selectFrom('stockAlerts')
    .select(['productId', 'createdAt', 'confirmedAt'])
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .orderBy('id')
    .execute();
}

/** Deletes the alerts of an address. Returns their number. */
export async function forgetAlerts(tx: Tx, email: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('stockAlerts')
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes alerts that are unconfirmed after 7 days, older than 180 days, or for deleted products (a daily job). */
export async function removeOldAlerts(db: Db): Promise<void> {
  await sql`
    delete from stock_alerts where created_at < now() - interval '7 days' and confirmed_at is null
      or created_at < now() - interval '180 days'
      or product_id in (select id from products where deleted_at is not null)`.execute(db);
}
