import { onlineWays } from '#contract/market/payment-ways.ts';
import { Problem } from '#contract/platform/problem.ts';
import type { Customer } from '#server/context/context.ts';
import { giveUpCorrection } from '#server/orders/corrections/difference.service.ts';
import { isId, newId } from '#server/platform/ids.ts';
import type { Jobs } from '#server/platform/jobs/queue.ts';
import { brandOf } from './checkout.service.ts';
import { type PaymentServices, settleSession } from './settle.service.ts';

const MINUTE_MS = 60_000;
/** The provider's shortest session is 30 minutes; a minute more covers the way there. */
const SESSION_MINUTES = 31;
/** A page with less time left is not given out again. */
const LEAST_MINUTES = 5;

const NOTHING = 'There is nothing to pay for this order any more. Reload the page to see it.';

/** The open correction of a customer's own order. Throws 404 for anyone else's, and 409 if there is none. */
async function readOwn({ db }: Pick<PaymentServices, 'db'>, who: Customer, id: string) {
  const own = db.selectFrom('orders').select(['id', 'reference']).where('userId', '=', who._id);
  const order = isId(id) ? await own.where('id', '=', id).executeTakeFirst() : undefined;
  if (!order) throw new Problem(404, 'Order not found');
  const open = db.selectFrom('orderCorrections').selectAll().where('orderId', '=', id).where('status', '=', 'open');
  const correction = await open.executeTakeFirst();
  if (!correction || Date.parse(correction.payUntil) <= Date.now()) throw new Problem(409, NOTHING);
  return { ...correction, reference: order.reference };
}

/**
 * Opens the provider's page for the difference of a correction, or returns the one that is open. An earlier page is closed first, so that only one can be
 * paid. Throws 404, 409, and 502 or 503 if the provider fails.
 */
export async function payDifference(services: PaymentServices, who: Customer, id: string): Promise<{ url: string }> {
  const { db, config, payments } = services;
  const { id: correctionId, reference, difference, plan, sessionId, sessionUntil, paymentUrl } = await readOwn(services, who, id);
  if (paymentUrl && sessionUntil && Date.parse(sessionUntil) > Date.now() + LEAST_MINUTES * MINUTE_MS) return { url: paymentUrl };
  if (sessionId && (await close(services, sessionId))) throw new Problem(409, NOTHING);
  const expiresAt = new Date(Date.now() + SESSION_MINUTES * MINUTE_MS).toISOString();
  const page = `${config.publicUrl}/order/${id}`;
  const session = await payments.createSession({
    orderId: id,
    key: newId(),
    reference,
    brand: brandOf(config),
    lines: [{ name: `Change of order ${reference}`, description: (plan as { more: string }).more, amount: difference, quantity: 1 }],
    discount: { amount: 0, name: '' },
    customerEmail: who.email,
    payer: { name: who.name, phone: '' },
    ways: onlineWays(config.company.payment, difference),
    successUrl: page,
    cancelUrl: page,
    expiresAt,
    countries: [],
    shippingOptions: [],
  });
  const { numUpdatedRows } = await db
    .updateTable('orderCorrections')
    .set({ sessionId: session.id, paymentUrl: session.url, sessionUntil: expiresAt })
    .where('id', '=', correctionId)
    .where('status', '=', 'open')
    .where('sessionId', 'is not distinct from', sessionId)
    .executeTakeFirst();
  if (numUpdatedRows === 1n) return { url: session.url };
  // It ended meanwhile, or another page was opened.
  await payments.expireSession(session.id);
  throw new Problem(409, 'The payment page is opening elsewhere. Please try again.');
}

/** Closes a page of the provider. Returns whether it was paid, which is settled. */
async function close(services: PaymentServices, sessionId: string): Promise<boolean> {
  const session = await services.payments.expireSession(sessionId);
  if (session?.isPaid) await settleSession(services, session);
  return session?.isPaid ?? false;
}

/** Ends a correction that was not paid in time, or that cannot be made any more. Its page is closed first, so that nobody pays for stock that was given back. */
export async function closeCorrection(services: PaymentServices, { correctionId }: Jobs['closeCorrection']): Promise<void> {
  const { db } = services;
  const found = await db.selectFrom('orderCorrections').select(['status', 'sessionId']).where('id', '=', correctionId).executeTakeFirst();
  if (found?.status !== 'open' && found?.status !== 'closing') return;
  if (found.sessionId) await close(services, found.sessionId);
  await db.transaction().execute((tx) => giveUpCorrection(tx, services, correctionId));
}
