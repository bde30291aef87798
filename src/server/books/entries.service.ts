import { type SqlBool, sql } from 'kysely';
import { ENTRIES_SHOWN } from '#contract/books/books.schema.ts';
import type { BookEntries } from '#contract/books/books.ts';
import { DAY_MS, HOUR_MS, SHOP_TIME_ZONE, shopTime } from '#contract/market/shop-time.ts';
import type { Period } from '#contract/orders/periods.ts';
import type { Admin } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { BYTE_ORDER_MARK, csvRow } from '#server/platform/csv.ts';
import { arrayOf } from '#server/platform/database/arrays.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { inBatches } from '#server/platform/in-batches.ts';

const ZONE = sql.lit(SHOP_TIME_ZONE);
/** How far back the first check reads entries. */
const FIRST_DAYS = 31;
/** Each later check reads again the last hour of the one before, for entries that came late. */
const OVERLAP_MS = HOUR_MS;
const BATCH = 500;

/** The condition that a column's time is within a period. */
export const withinDays = (column: string, { from, to }: Period) => sql<SqlBool>`(
  ${sql.ref(column)} >= ${from}::date::timestamp at time zone ${ZONE} and ${sql.ref(column)} < (${to}::date + 1)::timestamp at time zone ${ZONE})`;

/** The period of which all the provider's entries are stored. */
export interface EntriesPeriod {
  since: string;
  until: string;
}

/** Stores the provider's new entries. Returns the period that is stored now. Throws a Problem if the provider cannot be reached. */
export async function storeNewEntries({ db, payments }: Pick<Services, 'db' | 'payments'>): Promise<EntriesPeriod> {
  const until = new Date().toISOString();
  const before = await db.selectFrom('bookCheck').select(['since', 'until']).executeTakeFirst();
  // A clock that was ahead may have stored a time in the future.
  const last = before && before.until <= until ? Date.parse(before.until) - OVERLAP_MS : Date.now() - FIRST_DAYS * DAY_MS;
  const start = new Date(last);
  const entries = await payments.listEntries(start);
  for (let at = 0; at < entries.length; at += BATCH)
    await db
      .insertInto('providerEntries')
      .values(entries.slice(at, at + BATCH))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  return { since: before?.since ?? start.toISOString(), until };
}

const selectEntries = (db: Db) =>
  db
    .selectFrom('providerEntries as entry')
    .select(['entry.id', 'entry.kind', 'entry.createdAt', 'entry.amount', 'entry.fee', 'entry.sourceId', 'entry.paymentId']);

/** The orders of payments, by the payments' ids. */
async function ordersOf(db: Db, payments: readonly (string | null)[]): Promise<ReadonlyMap<string, { _id: string; reference: string }>> {
  const ids = [...new Set(payments.flatMap((id) => id ?? []))];
  const { rows } = await sql<{ paymentId: string; id: string; reference: string }>`
    select provider_payment_id as payment_id, id, reference from orders where provider_payment_id = any(${arrayOf(ids, 'text')})
    union all select payment_id, orders.id, reference
    from (select payment_id, order_id from order_payments union all select payment_id, order_id from second_payments) further join orders on orders.id = order_id
    where payment_id = any(${arrayOf(ids, 'text')})`.execute(db);
  return new Map(rows.map(({ paymentId, id, reference }) => [paymentId, { _id: id, reference }]));
}

/** The provider's entries of a day, newest first, each with the order of its payment. */
export async function listEntries(db: Db, _: Admin, day: string): Promise<BookEntries> {
  const where = withinDays('entry.created_at', { from: day, to: day });
  const rows = await selectEntries(db)
    .where(where)
    .orderBy('entry.createdAt', 'desc')
    .orderBy('entry.id', 'desc')
    .limit(ENTRIES_SHOWN)
    .execute();
  const { total } = await db
    .selectFrom('providerEntries as entry')
    .select(sql<number>`count(*)::int`.as('total'))
    .where(where)
    .executeTakeFirstOrThrow();
  const orders = await ordersOf(
    db,
    rows.map(({ paymentId }) => paymentId),
  );
  return {
    entries: rows.map(({ id, createdAt, ...entry }) => ({
      ...entry,
      _id: id,
      at: createdAt,
      order: orders.get(entry.paymentId ?? '') ?? null,
    })),
    total,
  };
}

/** The provider's entries of a period as CSV, oldest first, amounts in pounds. */
export async function* exportEntries(db: Db, _: Admin, period: Period): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvRow(['Time', 'Kind', 'Amount (£)', 'Fee (£)', 'Net (£)', 'Order', 'Payment', 'Source', 'Entry']);
  // `exactly` has the microseconds, which `createdAt` lacks.
  const batches = inBatches((last: { exactly: string; id: string } | undefined, limit) =>
    selectEntries(db)
      .select(sql<string>`entry.created_at::text`.as('exactly'))
      .where(withinDays('entry.created_at', period))
      .where(sql<SqlBool>`(entry.created_at, entry.id) > (${last?.exactly ?? '-infinity'}::timestamptz, ${last?.id ?? ''})`)
      .orderBy('entry.createdAt')
      .orderBy('entry.id')
      .limit(limit)
      .execute(),
  );
  for await (const rows of batches) {
    const orders = await ordersOf(
      db,
      rows.map(({ paymentId }) => paymentId),
    );
    for (const { id, kind, createdAt, amount, fee, paymentId, sourceId } of rows)
      yield csvRow([
        shopTime(createdAt),
        kind,
        { pence: amount },
        { pence: fee },
        { pence: amount - fee },
        orders.get(paymentId ?? '')?.reference ?? '',
        paymentId ?? '',
        sourceId,
        id,
      ]);
  }
}
