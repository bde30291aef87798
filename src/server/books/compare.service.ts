import { sql } from 'kysely';
import { pounds } from '#contract/market/money.ts';
import { DAY_MS } from '#contract/market/shop-time.ts';
import type { Services } from '#server/context/services.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { orderPath, tellStaff } from '#server/staff-notices/notices.service.ts';
import { type EntriesPeriod, storeNewEntries } from './entries.service.ts';
import { brokenText, listBrokenRules } from './shop-rules.ts';

/** How far back orders and payments are compared. */
const DAYS = 31;
/** Younger payments may still be on their way between shop and provider. */
const GRACE_MS = 15 * 60_000;
const BOOKS = '/admin/books';

/** A disagreement between shop and provider, or a broken rule of the shop. */
interface Fault {
  /** Identifies the fault from one check to the next. */
  key: string;
  text: string;
  advice: string;
  path: string;
}

/** A payment as the provider has it, and its order as the shop has it. */
interface Compared {
  paymentId: string;
  charged: number;
  refunded: number;
  disputed: number;
  orderId: string | null;
  reference: string;
  /** What this payment had to pay: an order that a correction made more expensive has several payments. */
  total: number;
  /** Refunds of this payment that the shop has as done, and those that are still under way. */
  refundedHere: number;
  pendingHere: number;
  disputesHere: number;
  /** A payment that was not kept: all of it has to go back. */
  isSecond: boolean;
  /** What staff have paid back of it, or are to. */
  byHand: number;
}

const ADVICE = {
  stranger: 'Look for it at the provider. If nobody is owed an order for it, refund it there.',
  missing: 'Look for the payment at the provider before anything leaves. If it is not there, ask the customer, or cancel the order.',
  amount: 'Refund the difference at the provider, or ask the customer for it.',
  refund: 'Compare the refunds of the order with those at the provider. Those made only there arrive with the next check.',
  dispute: 'Answer the dispute at the provider, and send nothing more.',
  second: 'Refund it at the provider, unless that is still to come.',
  twice: 'Answer the dispute at the provider, saying that it was refunded. If it is lost, ask the customer for the money.',
  byHand: 'Ask the customer for the money.',
  rule: 'The shop never does this itself. Make a backup now, and ask your developer.',
};

function faultsOf(compared: Compared): Fault[] {
  const { paymentId, charged, refunded, disputed, orderId, reference, total, refundedHere, pendingHere, disputesHere, isSecond, byHand } =
    compared;
  const path = orderId ? orderPath(orderId) : BOOKS;
  if (!orderId)
    return charged <= refunded
      ? []
      : [
          {
            path,
            key: `stranger ${paymentId}`,
            text: `The payment ${paymentId} of ${pounds(charged)}, of which ${pounds(refunded)} was refunded, belongs to no order`,
            advice: ADVICE.stranger,
          },
        ];
  if (isSecond) {
    const rest = total - refunded - disputed - byHand;
    const of = `Order ${reference}: of ${pounds(total)} that was paid and not kept,`;
    if (rest > 0) return [{ path, key: `second ${paymentId}`, text: `${of} ${pounds(rest)} has not gone back`, advice: ADVICE.second }];
    if (rest === 0) return [];
    const isDisputed = disputed > 0;
    const twice = `${of} ${pounds(-rest)} has gone back twice, ${isDisputed ? 'since the customer disputed it at their bank as well' : 'by hand and at the provider'}`;
    return [{ path, key: `twice ${paymentId}`, text: twice, advice: isDisputed ? ADVICE.twice : ADVICE.byHand }];
  }
  if (charged === 0)
    return [
      {
        path,
        key: `missing ${paymentId}`,
        text: `Order ${reference} is paid by card, and the provider has no such payment`,
        advice: ADVICE.missing,
      },
    ];
  const faults: Fault[] = [];
  if (charged !== total)
    faults.push({
      path,
      key: `amount ${paymentId}`,
      text: `Order ${reference} costs ${pounds(total)}, and the provider took ${pounds(charged)}`,
      advice: ADVICE.amount,
    });
  if (refunded < refundedHere || refunded > refundedHere + pendingHere)
    faults.push({
      path,
      key: `refund ${paymentId}`,
      text: `Order ${reference}: ${pounds(refundedHere)} is refunded here, and ${pounds(refunded)} at the provider`,
      advice: ADVICE.refund,
    });
  if (disputed > 0 && disputesHere === 0)
    faults.push({
      path,
      key: `dispute ${paymentId}`,
      text: `Order ${reference}: the provider took ${pounds(disputed)} back for a dispute that is not here`,
      advice: ADVICE.dispute,
    });
  return faults;
}

/** Compares each payment that either side has touched in a period. Leaves out payments whose `paid_at` in the shop is before `paidSince`. */
async function comparePayments(db: Db, { since, until, paidSince }: EntriesPeriod & { paidSince: string }): Promise<Fault[]> {
  const { rows } = await sql<Compared>`
    with touched as (
      select payment_id from provider_entries where created_at >= ${since} and created_at < ${until} and payment_id is not null
      union select provider_payment_id from orders where paid_at >= ${since} and paid_at < ${until} and provider_payment_id is not null
      union select payment_id from order_payments where paid_at >= ${since} and paid_at < ${until}
    ), at_provider as (
      select touched.payment_id, coalesce(sum(amount) filter (where kind = 'charge'), 0)::int as charged,
        coalesce(-sum(amount) filter (where kind = 'refund'), 0)::int as refunded, coalesce(-sum(amount) filter (where kind = 'dispute'), 0)::int as disputed
      from touched left join provider_entries entry on entry.payment_id = touched.payment_id group by 1
    )
    select at_provider.*, o.id as order_id, coalesce(o.reference, '') as reference, coalesce(payment.total, 0) as total,
      refunds.done as refunded_here, refunds.pending as pending_here,
      coalesce(payment.is_second, false) as is_second, (select coalesce(sum(amount), 0)::int from overpayments more
        where more.payment_id = at_provider.payment_id and status in ('owed', 'paid_back', 'used')) as by_hand,
      (select count(*)::int from order_disputes d where d.order_id = o.id and d.status <> 'inquiry') as disputes_here
    from at_provider left join lateral (
      -- The first payment of an order, without what its further payments have paid; or a further payment.
      select id as order_id, paid_at, total_price - waived_price - (select coalesce(sum(amount), 0)::int from order_payments where order_id = orders.id) as total, false as is_second
      from orders where provider_payment_id = at_provider.payment_id and order_state <> 'refunded'
      union all select order_id, paid_at, amount, false from order_payments where payment_id = at_provider.payment_id
      union all select order_id, paid_at, amount, true from second_payments where payment_id = at_provider.payment_id
    ) payment on true left join orders o on o.id = payment.order_id, lateral (
      select coalesce(sum(amount) filter (where status = 'done' and not is_by_hand), 0)::int as done,
        coalesce(sum(amount) filter (where status = 'pending' and not is_by_hand), 0)::int as pending
      from order_refunds r where r.order_id = o.id and coalesce(r.payment_id, o.provider_payment_id) = at_provider.payment_id
    ) refunds
    where payment.order_id is null or payment.paid_at >= ${paidSince}`.execute(db);
  return rows.flatMap(faultsOf);
}

async function findFaults(db: Db, period: EntriesPeriod, graceMs: number): Promise<Fault[]> {
  const start = Date.now() - DAYS * DAY_MS;
  const iso = (time: number) => new Date(time).toISOString();
  const payments = await comparePayments(db, {
    since: iso(Math.max(Date.parse(period.since), start)),
    until: iso(Date.parse(period.until) - graceMs),
    // The shop may record a payment late, after a lost webhook: the charge of one that it recorded on the first day may be older than all entries.
    paidSince: iso(Date.parse(period.since) + DAY_MS),
  });
  const broken = await listBrokenRules(db, new Date(start));
  return [...payments, ...broken.map((one) => ({ key: `rule ${one.rule}`, text: brokenText(one), advice: ADVICE.rule, path: BOOKS }))];
}

/** Replaces the faults of the check before. Returns those that are new. */
async function storeFaults(tx: Tx, faults: readonly Fault[], period: EntriesPeriod): Promise<Fault[]> {
  const before = new Set((await tx.selectFrom('bookFaults').select('key').execute()).map(({ key }) => key));
  const keys = faults.map(({ key }) => key);
  await tx
    .deleteFrom('bookFaults')
    .$if(keys.length > 0, (query) => query.where('key', 'not in', keys))
    .execute();
  for (const fault of faults)
    await tx
      .insertInto('bookFaults')
      .values(fault)
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ text: fault.text }))
      .execute();
  const values = { ...period, checkedAt: new Date().toISOString() };
  await tx
    .insertInto('bookCheck')
    .values(values)
    .onConflict((conflict) => conflict.column('onlyRow').doUpdateSet(values))
    .execute();
  return faults.filter(({ key }) => !before.has(key));
}

/** Limit of staff notices from one check: each new fault has its own. */
const MOST_TOLD = 20;

/**
 * Reads the provider's new entries, compares its payments of the last 31 days with the orders, and checks the shop's own rules. Faults are kept until the
 * next check, and the staff are told of new ones. Throws a Problem if the provider cannot be reached.
 */
export async function checkBooks(services: Pick<Services, 'db' | 'config' | 'payments'>, graceMs = GRACE_MS): Promise<{ faults: number }> {
  const { db, config } = services;
  const period = await storeNewEntries(services);
  const faults = await findFaults(db, period, graceMs);
  await db.transaction().execute(async (tx) => {
    for (const { text, path } of (await storeFaults(tx, faults, period)).slice(0, MOST_TOLD))
      await tellStaff(tx, { config }, { event: 'payment', text, path });
  });
  return { faults: faults.length };
}
