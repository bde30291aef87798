import { sql } from 'kysely';
import { PAYMENT_METHOD } from '#contract/orders/orders.ts';
import type { ProviderSession } from '#server/gateways/provider-session.ts';
import { giveUpCheckout, recordMissingPayment, recordRefund } from '#server/orders/card.service.ts';
import { hasEvent } from '#server/orders/read.service.ts';
import { isDisputed } from '#server/orders/refunds/refund-outcomes.service.ts';
import { listed, sold } from '#server/orders/rules/states.ts';
import { recordEvent } from '#server/orders/transitions.service.ts';
import type { Jobs } from '#server/platform/jobs/queue.ts';
import { reconcileRefunds } from './refunds.jobs.ts';
import { isNews, type PaymentServices, settleSession } from './settle.service.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** The session that was made for an order, also when the shop died before it could note its id. */
async function findProviderSession(
  { payments }: Pick<PaymentServices, 'payments'>,
  orderId: string,
  since: string,
): Promise<ProviderSession | undefined> {
  const sessions = await payments.listSessions(new Date(Date.parse(since) - MINUTE_MS));
  return sessions.find((session) => session.orderId === orderId);
}

/**
 * Ends a hold whose time is over. The provider is asked to close the session first, so that nobody pays for stock that was given back;
 * whatever it says then, other than that it was paid, the stock is for others.
 */
export async function expireHold(services: PaymentServices, { orderId }: { orderId: string }): Promise<void> {
  const { db, payments } = services;
  const order = await db
    .selectFrom('orders')
    .select(['orderState', 'providerSessionId', 'createdAt'])
    .where('id', '=', orderId)
    .executeTakeFirst();
  if (order?.orderState !== 'awaiting_payment') return;
  const sessionId = order.providerSessionId ?? (await findProviderSession(services, orderId, order.createdAt))?.id;
  const session = sessionId ? await payments.expireSession(sessionId) : undefined;
  if (session) await settleSession(services, session);
  if (!session?.isPaid) await giveUpCheckout(db, orderId, 'the payment was never made');
}

/**
 * Since when sessions may have ended unheard: an hour before the provider was last asked (in a shop that was restored, by the shop before it), or
 * longer where an older order still waits for its payment. Where it is not known when it was asked, the newest order says when the shop last worked.
 */
async function startOfDoubt({ db }: Pick<PaymentServices, 'db'>): Promise<number> {
  const { rows } = await sql<{ asked: string | null; newest: string | null; waiting: string | null }>`select
    (select asked_until from payment_watch) as asked,
    (select max(created_at) from orders) as newest,
    (select min(created_at) from orders where order_state = 'awaiting_payment') as waiting`.execute(db);
  const { asked, newest, waiting } = rows[0] ?? {};
  const lastKnown = asked ?? newest;
  return Math.min(
    Date.now() - HOUR_MS,
    lastKnown ? Date.parse(lastKnown) - HOUR_MS : Number.POSITIVE_INFINITY,
    waiting ? Date.parse(waiting) - MINUTE_MS : Number.POSITIVE_INFINITY,
  );
}

/** Notes that everything up to that moment was asked for, and what was heard is stored. */
async function recordAsked({ db }: Pick<PaymentServices, 'db'>, until: string): Promise<void> {
  await db
    .insertInto('paymentWatch')
    .values({ askedUntil: until })
    .onConflict((conflict) => conflict.column('onlyRow').doUpdateSet({ askedUntil: until }))
    .execute();
}

/**
 * Makes up for lost webhooks: every recent session of the provider is settled, every recent order that says paid is looked for at the provider, and
 * refunds and disputes that were made there are taken in.
 */
export async function reconcilePayments(services: PaymentServices): Promise<void> {
  const { db, payments } = services;
  const asked = new Date().toISOString();
  const since = await startOfDoubt(services);
  const settled = await db
    .selectFrom('orders')
    .select('providerSessionId')
    .where('createdAt', '>=', new Date(since - HOUR_MS).toISOString())
    .where(listed)
    .where('providerSessionId', 'is not', null)
    .execute();
  const known = new Set(settled.map(({ providerSessionId }) => providerSessionId));
  const paid = new Set<string>();
  for (const session of await payments.listSessions(new Date(since))) {
    if (session.isPaid) paid.add(session.id);
    if (session.status !== 'open' && !known.has(session.id)) await settleSession(services, session);
  }
  await findMissingPayments(services, since, paid);
  await reconcileRefunds(services, new Date(since));
  await recordAsked(services, asked);
}

/**
 * The other way round: an order that says it was paid by card, of which the provider knows no payment. It is said once, in the log and
 * in the order's history; what becomes of the order a person decides.
 */
async function findMissingPayments(services: PaymentServices, since: number, paid: ReadonlySet<string>): Promise<void> {
  const { db, payments, log, metrics } = services;
  const orders = await db
    .selectFrom('orders')
    .select(['id', 'providerSessionId'])
    .where('createdAt', '>=', new Date(since).toISOString())
    .where(sold)
    .where('paymentMethod', '=', PAYMENT_METHOD.card)
    .execute();
  for (const { id, providerSessionId } of orders) {
    if (providerSessionId && paid.has(providerSessionId)) continue;
    // One by one, of the few that are left: joined to all of these orders, every month of events would be read.
    if (await hasEvent(db, id, 'payment not found')) continue;
    if (providerSessionId && (await payments.findSession(providerSessionId))?.isPaid) continue;
    await recordMissingPayment(db, id, providerSessionId);
    log.error({ order: id, session: providerSessionId }, 'an order says paid, but the provider knows no payment');
    metrics.paymentEnded('missing');
  }
}

/** Gives a payment back through the provider and tells the customer: both once, however often the job runs. */
export async function refundPayment({ db, payments, metrics }: PaymentServices, refund: Jobs['refundPayment']): Promise<void> {
  const { orderId, paymentId } = refund;
  if (await isDisputed(db, paymentId)) {
    await db.transaction().execute(async (tx) => {
      if (await isNews(tx, `not refunded ${paymentId}`, 'disputed'))
        await recordEvent(tx, orderId, {
          kind: 'refund by hand needed',
          actor: 'Payment provider',
          detail: 'The customer disputed this payment at their bank',
        });
    });
    return;
  }
  await payments.refund(paymentId, `refund-${paymentId}`);
  const isFirst = await db.transaction().execute(async (tx) => {
    if (!(await isNews(tx, `refunded ${paymentId}`, 'refunded'))) return false;
    await recordRefund(tx, refund);
    return true;
  });
  if (isFirst) metrics.paymentEnded('refunded');
}
