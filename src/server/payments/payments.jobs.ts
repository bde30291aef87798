import type { ProviderSession } from '#server/gateways/payments.ts';
import { enqueue } from '#server/jobs/queue.ts';
import { paymentRefunded } from '#server/mail/order-mails.ts';
import { recordEvent } from '#server/orders/place.service.ts';
import { readAnyOrder } from '#server/orders/read.service.ts';
import type { Services } from '#server/services.ts';
import { releaseOrder, settle } from './settle.service.ts';

const HOUR_MS = 3_600_000;

async function settleSession({ db, config, log }: Services, session: ProviderSession): Promise<void> {
  await db.transaction().execute((tx) => settle(tx, config, session, log));
}

/** The session that was made for an order, also when the shop died before it could note its id. */
async function findProviderSession({ payments }: Services, orderId: string, since: string): Promise<ProviderSession | undefined> {
  for await (const session of payments.listSessions(new Date(Date.parse(since) - 60_000))) if (session.orderId === orderId) return session;
  return undefined;
}

/** Ends a hold whose time is over. The provider is asked to close the session first, so that nobody pays for stock that was given back. */
export async function expireHold(services: Services, { orderId }: { orderId: string }): Promise<void> {
  const { db, payments } = services;
  const order = await db
    .selectFrom('orders')
    .select(['status', 'providerSessionId', 'createdAt'])
    .where('id', '=', orderId)
    .executeTakeFirst();
  if (order?.status !== 'awaiting_payment') return;
  const sessionId = order.providerSessionId ?? (await findProviderSession(services, orderId, order.createdAt))?.id;
  if (sessionId) await settleSession(services, await payments.expireSession(sessionId));
  else await db.transaction().execute((tx) => releaseOrder(tx, orderId, 'no payment session was made'));
}

/** Makes up for lost webhooks: every recent session of the provider is settled; what is settled already stays as it is. */
export async function reconcilePayments(services: Services): Promise<void> {
  const { db, payments } = services;
  const oldest = await db
    .selectFrom('orders')
    .select((eb) => eb.fn.min('createdAt').as('createdAt'))
    .where('status', '=', 'awaiting_payment')
    .executeTakeFirst();
  const since = Math.min(Date.now() - HOUR_MS, oldest?.createdAt ? Date.parse(oldest.createdAt) - 60_000 : Number.POSITIVE_INFINITY);
  const settled = await db
    .selectFrom('orders')
    .select('providerSessionId')
    .where('createdAt', '>=', new Date(since - HOUR_MS).toISOString())
    .where('status', 'in', ['placed', 'refunded'])
    .where('providerSessionId', 'is not', null)
    .execute();
  const known = new Set(settled.map(({ providerSessionId }) => providerSessionId));
  for await (const session of payments.listSessions(new Date(since))) {
    if (session.status !== 'open' && !known.has(session.id)) await settleSession(services, session);
  }
}

/** Gives a payment back through the provider, once however often it runs, and tells the customer. */
export async function refundPayment(
  { db, payments, config }: Services,
  { orderId, paymentId }: { orderId: string; paymentId: string },
): Promise<void> {
  await payments.refund(paymentId, `refund-${orderId}`);
  await db.transaction().execute(async (tx) => {
    await recordEvent(tx, orderId, 'refunded', 'Payment provider', paymentId);
    await enqueue(tx, 'sendMail', paymentRefunded(await readAnyOrder(tx, orderId), config.market));
  });
}
