import { type Expression, type SqlBool, sql } from 'kysely';
import type { OrderStatus } from '#contract/orders/states.ts';
import { Problem } from '#contract/platform/problem.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { erasing } from '#server/platform/database/erasing.ts';
import { NOTE_CHANGED } from './delivery-note.service.ts';
import { isAllowed, listed } from './rules/states.ts';

/** Whose orders are meant: those of the account, and those of deleted accounts that had confirmed its email address. */
export interface Buyer {
  userId: string | null;
  /** Null if the account has not confirmed it. */
  email: string | null;
}

const ERASED = 'Erased customer';

const boughtBy = ({ userId, email }: Buyer): Expression<SqlBool> =>
  sql<SqlBool>`(orders.user_id = ${userId}::uuid
    or (orders.user_id is null and orders.is_user_email_confirmed and lower(orders.user_email) = lower(${email}::text)))`;

/**
 * Before an account is deleted: its orders get the address that it has confirmed last, by which they are found from then on (`boughtBy`). Without one they keep
 * what they have, and no address finds them: it may be a stranger's.
 */
export async function keepConfirmedEmail(tx: Tx, userId: string, confirmed: string | null): Promise<void> {
  await sql`
    update orders set user_email = coalesce(${confirmed}::text, user_email), is_user_email_confirmed = ${confirmed !== null},
      was_email_confirmed = ${confirmed !== null}
    where user_id = ${userId}::uuid and user_email <> ''`.execute(tx);
}

/** Exports a customer's orders with everything that belongs to them, oldest first; amounts in pence. */
export async function exportOrders(db: Db, buyer: Buyer): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<{ order: Record<string, unknown> }>`
    select to_jsonb(orders) - 'payload_hash' - 'cancel_mark_hash' - 'payment_url' || jsonb_build_object(
      'items', (select coalesce(jsonb_agg(to_jsonb(item) - 'order_id' - 'cost_price' order by item.position), '[]') from order_items item where item.order_id = orders.id),
      'refunds', (select coalesce(jsonb_agg(to_jsonb(refund) - 'order_id' - 'request_key' - 'for_rates' order by refund.created_at), '[]') from order_refunds refund where refund.order_id = orders.id),
      'overpayments', (select coalesce(jsonb_agg(to_jsonb(more) - 'order_id' - 'actor' - 'request_key' - 'request_hash' - 'tried_at' order by more.received_at), '[]') from overpayments more where more.order_id = orders.id),
      'parcels', (select coalesce(jsonb_agg(to_jsonb(parcel) - 'order_id' - 'actor' order by parcel.sent_at, parcel.id), '[]') from parcels parcel where parcel.order_id = orders.id),
      'invoices', (select coalesce(jsonb_agg(to_jsonb(invoice) - 'order_id' - 'corrects' order by invoice.issued_at), '[]') from invoices invoice where invoice.order_id = orders.id),
      'returns', (select coalesce(jsonb_agg(to_jsonb(back) - 'order_id' - 'actor' || jsonb_build_object('items',
        (select jsonb_agg(to_jsonb(piece) - 'return_id' order by piece.position) from order_return_items piece where piece.return_id = back.id))
        order by back.asked_at, back.id), '[]') from order_returns back where back.order_id = orders.id),
      'discounts', (select coalesce(jsonb_agg(to_jsonb(used) - 'order_id' - 'promotion_id' - 'goods' - 'meant_for' order by used.name), '[]') from redemptions used where used.order_id = orders.id),
      'furtherPayments', (select coalesce(jsonb_agg(to_jsonb(payment) - 'order_id' order by payment.paid_at), '[]') from order_payments payment where payment.order_id = orders.id),
      'secondPayments', (select coalesce(jsonb_agg(to_jsonb(payment) - 'order_id' || jsonb_build_object('outcomes',
        (select coalesce(jsonb_agg(to_jsonb(outcome) - 'payment_id' order by outcome.id), '[]') from second_payment_outcomes outcome where outcome.payment_id = payment.payment_id))
        order by payment.paid_at), '[]') from second_payments payment where payment.order_id = orders.id),
      'corrections', (select coalesce(jsonb_agg(to_jsonb(correction) - 'order_id' - 'actor' - 'payment_url' - 'token_hash' order by correction.created_at), '[]') from order_corrections correction where correction.order_id = orders.id),
      'disputes', (select coalesce(jsonb_agg(to_jsonb(dispute) - 'order_id' order by dispute.id), '[]') from order_disputes dispute where dispute.order_id = orders.id),
      'askedForReview', (select asked_at from review_requests request where request.order_id = orders.id),
      'staffNotes', (select coalesce(jsonb_agg(to_jsonb(note) - 'order_id' - 'user_id' - 'id' - 'actor' order by note.created_at), '[]') from staff_notes note where note.order_id = orders.id),
      'staffTags', (select coalesce(jsonb_agg(jsonb_build_object('created_at', tagged.created_at, 'tag', tagged.tag) order by tagged.created_at), '[]') from staff_tags tagged where tagged.order_id = orders.id),
      'mails', (select coalesce(jsonb_agg(jsonb_build_object('sent_at', sent.sent_at, 'to', sent.mail -> 'to', 'subject', sent.mail -> 'subject', 'text', sent.mail -> 'text') order by sent.sent_at), '[]') from order_mails sent where sent.order_id = orders.id),
      'events', (select coalesce(jsonb_agg(to_jsonb(event) - 'order_id' - 'id' order by event.id), '[]') from order_events event where event.order_id = orders.id)
    ) as "order"
    from orders where ${boughtBy(buyer)} order by created_at, id`.execute(db);
  return rows.map(({ order }) => order);
}

/**
 * Anonymises a customer's orders and returns their number. Lines, amounts and country stay for the books; invoices keep the buyer for as long as tax
 * law requires.
 * Throws 409 during a card payment, whose webhook would write the name back, and, unless `isForced`, before an open delivery.
 */
export async function anonymiseOrders(tx: Tx, buyer: Buyer, isForced: boolean): Promise<number> {
  const orders = await tx.selectFrom('orders').select(['id', 'orderState']).where(boughtBy(buyer)).orderBy('id').forUpdate().execute();
  if (orders.some(({ orderState }) => orderState === 'awaiting_payment'))
    throw new Problem(409, 'A card payment is under way. Try again when it is paid or given up, within the hour.');
  const open = orders.filter(({ orderState }) => isAllowed('deliver', orderState as OrderStatus)).length;
  if (open > 0 && !isForced)
    throw new Problem(
      409,
      `${open} of the orders ${open === 1 ? 'is' : 'are'} not delivered yet. Deliver first, or erase undelivered orders too (--force): the address will be gone.`,
    );
  await forgetBuyer(
    tx,
    orders.map(({ id }) => id),
  );
  // Someone else may have had an order confirmed to this address.
  await sql`update orders set email = '' where lower(email) = lower(${buyer.email}::text)`.execute(tx);
  return orders.length;
}

/** Anonymises orders with their history. */
const forgetBuyer = (tx: Tx, ids: readonly string[]): Promise<void> =>
  erasing(tx, async () => {
    // A note for the driver has the name of its customer only in old entries; that of staff is in the log too.
    await sql`
    update order_events event set actor = ${ERASED} where order_id = any(${ids}::uuid[]) and (kind in ('placed', 'payment started')
      or kind = 'note for the driver' and not exists (
        select from audit_entries entry where entity = 'order' and entity_id = event.order_id and actor_name = event.actor
          and change = ${NOTE_CHANGED}))`.execute(tx);
    // A payment id without a session was typed by the customer.
    await sql`
    update orders set user_name = ${ERASED}, user_email = '', full_name = ${ERASED}, email = '', phone = '', line1 = '', line2 = '',
      city = '', state = '', postal_code = '', delivery_note = '', business = null, idempotency_key = null, payload_hash = null,
      order_payment_id = case when provider_session_id is null then null else order_payment_id end
    where id = any(${ids}::uuid[])`.execute(tx);
    await sql`delete from order_networks where order_id = any(${ids}::uuid[])`.execute(tx);
    // A tracking number reveals the address at the carrier; a note for the driver may be a gate code; the reason for a price may name somebody.
    await sql`
    update order_events set detail = '' where order_id = any(${ids}::uuid[]) and kind in ('dispatched', 'dispatched in part', 'parcel changed', 'note for the driver', 'delivery details changed', 'taken by phone', 'return agreed', 'return refused')`.execute(
      tx,
    );
    await sql`update parcels set tracking_number = '', tracking_link = '' where order_id = any(${ids}::uuid[])`.execute(tx);
    await sql`delete from order_mails where order_id = any(${ids}::uuid[])`.execute(tx);
    await sql`delete from staff_notes where order_id = any(${ids}::uuid[])`.execute(tx);
    await sql`delete from staff_tags where order_id = any(${ids}::uuid[])`.execute(tx);
    // Notes and answers may name people.
    await sql`update order_returns set note = '', answer = '' where order_id = any(${ids}::uuid[])`.execute(tx);
  });

/** Orders per transaction, so that no statement runs into its timeout. */
const BATCH = 1_000;

/** Tax law requires six years after the financial year: seven at most (as for invoices). */
const YEARS = 7;

/** Anonymises card checkouts that were never paid, after a number of days (a daily job). */
export const forgetUnpaid = (db: Db, days: number): Promise<void> =>
  forgetAll(db, sql<SqlBool>`order_state = 'expired' and created_at < now() - ${days} * interval '1 day'`);

/** Anonymises orders past the retention period (a daily job). */
export const forgetOld = (db: Db): Promise<void> =>
  forgetAll(db, sql<SqlBool>`${listed} and created_at < now() - ${sql.lit(YEARS)} * interval '1 year'`);

async function forgetAll(db: Db, where: Expression<SqlBool>): Promise<void> {
  while ((await forgetSome(db, where)) === BATCH);
}

function forgetSome(db: Db, where: Expression<SqlBool>): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string }>`
      select id from orders where ${where} and user_name <> ${sql.lit(ERASED)} order by id limit ${sql.lit(BATCH)} for update`.execute(tx);
    const ids = rows.map(({ id }) => id);
    await forgetBuyer(tx, ids);
    await sql`update orders set user_id = null where id = any(${ids}::uuid[])`.execute(tx);
    return ids.length;
  });
}
