import { sql } from 'kysely';
import type { z } from 'zod';
import type { TickBody } from '#contract/books/books.schema.ts';
import { type BookDay, type BookFault, type Books, tickSum } from '#contract/books/books.ts';
import { pounds } from '#contract/market/money.ts';
import { dayPlus, shopDate, shopDay } from '#contract/market/shop-time.ts';
import { PAYMENT_METHOD } from '#contract/orders/orders.ts';
import type { Period } from '#contract/orders/periods.ts';
import { Problem } from '#contract/platform/problem.ts';
import { recordChange } from '#server/context/audit.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { PROVIDER_LANE } from '#server/orders/jobs.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { declareJobs, job } from '#server/platform/jobs/queue.ts';
import { tellStaff } from '#server/staff-notices/notices.service.ts';
import { checkBooks } from './compare.service.ts';
import { withinDays } from './entries.service.ts';

export const bookJobs = declareJobs({
  checkBooks: job({ label: 'Compare the books with the payment provider', lane: PROVIDER_LANE, at: { minute: 27 } }),
  tellOfBook: job({ label: 'Send the morning book to staff', lane: PROVIDER_LANE, at: { hour: 5, minute: 7 } }),
});

/** The days of a period, newest first. Card payments are as the provider has them, beside what the shop has. */
export async function readDays(db: Db, period: Period): Promise<BookDay[]> {
  const cash = sql.lit(PAYMENT_METHOD.cash);
  const { rows } = await sql<BookDay>`
    with at_provider as (
      select shop_day(created_at) as day, coalesce(sum(amount) filter (where kind = 'charge'), 0)::bigint as taken,
        coalesce(-sum(amount) filter (where kind = 'refund'), 0)::bigint as refunded,
        coalesce(-sum(amount) filter (where kind = 'dispute'), 0)::bigint as disputed,
        -- The fees of entries, and those that are entries of their own, with negative amounts.
        coalesce(sum(fee) - coalesce(sum(amount) filter (where kind = 'fee'), 0), 0)::bigint as fees,
        coalesce(sum(amount) filter (where kind = 'other'), 0)::bigint as other, coalesce(-sum(amount) filter (where kind = 'payout'), 0)::bigint as paid_out
      from provider_entries where ${withinDays('created_at', period)} group by 1
    ), paid as (
      -- Further payments count on their own days, as do those that became no order.
      select shop_day(paid_at) as day, count(*) filter (where provider_payment_id is not null)::int as card_orders,
        coalesce(sum(total_price - waived_price - (select coalesce(sum(amount), 0) from order_payments where order_id = orders.id))
          filter (where provider_payment_id is not null and order_state <> 'refunded'), 0)::bigint as card_due
      from orders where ${withinDays('paid_at', period)} group by 1
    ), further_payments as (
      -- Also those that were not kept: the provider has taken them.
      select shop_day(paid_at) as day, sum(amount)::bigint as due
      from (select paid_at, amount from order_payments union all select paid_at, amount from second_payments) payments
      where ${withinDays('paid_at', period)} group by 1
    ), received as (
      select shop_day(received_at) as day, count(distinct order_id) filter (where amount > 0)::int as orders, sum(amount)::bigint as taken
      from (
        select order_id, received_at, amount from cash_receipts where ${withinDays('received_at', period)}
        -- What came in besides what was due, on the day when it was undone as well.
        union all select order_id, received_at, amount from overpayments where ${withinDays('received_at', period)} and received_by = 'cash'
        union all select order_id, ended_at, -amount from overpayments
          where ${withinDays('ended_at', period)} and received_by = 'cash' and status = 'undone'
      ) receipts group by 1
    ), arrived as (
      -- What the drivers of a cash order were to bring, and what came in for it in cash.
      select shop_day(delivered_at) as day, count(*)::int as delivered, sum(open + own + more)::bigint as due,
        sum(own + more)::bigint as taken, count(*) filter (where open > 0)::int as open
      from orders, lateral (
        select coalesce(sum(amount), 0) as before from overpayments where order_id = orders.id and status = 'owed' and payment_id is null
      ) owed, lateral (
        select case when paid_at is null then greatest(total_price - waived_price - before, to_collect)
            when received_by = 'transfer' then to_collect else 0 end as open,
          case when paid_at is null or received_by = 'transfer' then 0
            else total_price - waived_price - (select coalesce(sum(amount), 0) from overpayments where order_id = orders.id and status = 'used') end as own,
          (select coalesce(sum(amount), 0) from overpayments where order_id = orders.id and received_by = 'cash' and status <> 'undone') as more
      ) driver
      where ${withinDays('delivered_at', period)} and payment_method = ${cash} and open + own + more > 0 group by 1
    ), by_hand as (
      select shop_day(at) as day, sum(amount)::bigint as refunded
      from (
        select done_at as at, amount from order_refunds refund join orders on orders.id = order_id
        where ${withinDays('done_at', period)} and is_by_hand and refund.status = 'done'
          and (paid_back_by = 'cash' or paid_back_by is null and payment_method = ${cash})
        union all select ended_at, amount from overpayments where ${withinDays('ended_at', period)} and paid_back_by = 'cash'
      ) given group by 1
    ), ticked as (
      select day, kind, jsonb_build_object('amount', amount, 'actor', actor, 'at', ticked_at) as tick from book_ticks
    )
    select to_char(every, 'YYYY-MM-DD') as day,
      jsonb_build_object('orders', coalesce(card_orders, 0), 'due', coalesce(card_due, 0) + coalesce(further_payments.due, 0), 'taken', coalesce(at_provider.taken, 0),
        'refunded', coalesce(at_provider.refunded, 0), 'disputed', coalesce(disputed, 0), 'fees', coalesce(fees, 0), 'other', coalesce(other, 0),
        'paidOut', coalesce(paid_out, 0)) as card,
      jsonb_build_object('orders', coalesce(received.orders, 0), 'taken', coalesce(received.taken, 0), 'refunded', coalesce(by_hand.refunded, 0)) as cash,
      jsonb_build_object('delivered', coalesce(delivered, 0), 'due', coalesce(arrived.due, 0), 'taken', coalesce(arrived.taken, 0), 'open', coalesce(open, 0))
        as driver,
      jsonb_build_object('payouts', (select tick from ticked where ticked.day = every::date and kind = 'payouts'),
        'cash', (select tick from ticked where ticked.day = every::date and kind = 'cash')) as ticks
    from generate_series(${period.from}::date, ${period.to}::date, interval '1 day') as every
      left join at_provider on at_provider.day = every::date left join further_payments on further_payments.day = every::date
      left join paid on paid.day = every::date left join received on received.day = every::date left join arrived on arrived.day = every::date left join by_hand on by_hand.day = every::date
    order by every desc`.execute(db);
  return rows;
}

/** The faults of the last check, oldest first. */
export const listFaults = (db: Db): Promise<BookFault[]> =>
  db.selectFrom('bookFaults').select(['text', 'advice', 'path', 'foundAt']).orderBy('foundAt').orderBy('key').execute();

/** The number of faults, for the office's menu. */
export const countFaults = sql`select count(*)::int from book_faults`;

/** The books of some days, with the faults and the time of the last check. */
export async function readBooks(db: Db, _: Admin, period: Period): Promise<Books> {
  const [days, faults, check] = await Promise.all([
    readDays(db, period),
    listFaults(db),
    db.selectFrom('bookCheck').select('checkedAt').executeTakeFirst(),
  ]);
  return { days, faults, checkedAt: check?.checkedAt ?? null };
}

/** Checks the books now. Throws 503 or 502 if the provider cannot be reached. */
export async function checkNow(services: Pick<Services, 'db' | 'config' | 'payments'>, _: Admin): Promise<{ message: string }> {
  const { faults } = await checkBooks(services);
  return { message: `${agreement(faults)}.` };
}

const agreement = (faults: number): string =>
  faults === 0 ? 'Everything agrees' : `${faults === 1 ? 'One thing does' : `${faults} things do`} not agree`;

const KIND_WORDS = { payouts: 'what was paid out', cash: 'the cash' };

/** Ticks a day's sum against the bank or the cash box, or unticks it. Throws 409 if the sum is no longer the one that was shown. */
export async function tickBook(db: Db, who: Admin, { day, kind, isTicked, amount }: z.infer<typeof TickBody>): Promise<BookDay> {
  return transactionOf(db, who, async (tx) => {
    const readDay = async () => (await readDays(tx, { from: day, to: day }))[0] as BookDay;
    const sum = tickSum(await readDay(), kind);
    if (isTicked && sum !== amount) throw new Problem(409, `The sum is ${pounds(sum)} by now. Please compare it again.`);
    if (isTicked) {
      const tick = { amount, actor: who.name, tickedAt: new Date().toISOString() };
      await tx
        .insertInto('bookTicks')
        .values({ day, kind, ...tick })
        .onConflict((conflict) => conflict.columns(['day', 'kind']).doUpdateSet(tick))
        .execute();
    } else await tx.deleteFrom('bookTicks').where('day', '=', day).where('kind', '=', kind).execute();
    const text = `${isTicked ? 'Ticked' : 'Took back the tick of'} ${KIND_WORDS[kind]} of ${day}${isTicked ? `, ${pounds(amount)}` : ''}`;
    await recordChange(tx, who, 'user', who._id, text);
    return readDay();
  });
}

/** A day's book in one sentence, such as `Book of 25 Nov 2026: £300.00 by card, …`. */
export function bookText({ day, card, cash, driver }: BookDay, faults: number): string {
  const parts = [
    `${pounds(card.taken)} by card`,
    `${pounds(cash.taken)} in cash`,
    `${pounds(card.refunded + cash.refunded)} refunded`,
    `${pounds(card.fees)} fees`,
    card.disputed !== 0 && `${pounds(card.disputed)} disputed`,
    `${pounds(card.paidOut)} paid out`,
    driver.open > 0 && `${driver.open} delivered without their cash`,
  ];
  return `Book of ${shopDate(`${day}T12:00:00.000Z`)}: ${parts.filter(Boolean).join(', ')}. ${agreement(faults)}`;
}

const isQuiet = ({ card, cash, driver }: BookDay) =>
  [card.taken, card.refunded, card.disputed, card.fees, card.other, card.paidOut, cash.taken, cash.refunded, driver.delivered].every(
    (value) => value === 0,
  );

/** Tells the staff of yesterday's book (a daily job), unless nothing happened. */
export async function tellOfBook({ db, config, payments }: Pick<Services, 'db' | 'config' | 'payments'>): Promise<void> {
  await checkBooks({ db, config, payments });
  const yesterday = dayPlus(shopDay(new Date().toISOString()), -1);
  await db.transaction().execute(async (tx) => {
    const [day] = await readDays(tx, { from: yesterday, to: yesterday });
    const faults = await listFaults(tx);
    if (!day || (isQuiet(day) && faults.length === 0)) return;
    const twoWeeksFrom = dayPlus(yesterday, -13);
    const path = `/admin/books?from=${twoWeeksFrom}&to=${yesterday}`;
    await tellStaff(tx, { config }, { event: 'book', text: bookText(day, faults.length), path });
  });
}
