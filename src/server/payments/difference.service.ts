import { pounds } from '#contract/market/money.ts';
import { onlineWays } from '#contract/market/payment-ways.ts';
import { Problem } from '#contract/platform/problem.ts';
import type { Customer } from '#server/context/context.ts';
import { giveUpCorrection } from '#server/orders/corrections/difference.service.ts';
import { dueOf } from '#server/orders/corrections/payment-link.service.ts';
import { LEAST_BY_CARD } from '#server/orders/rules/ceilings.service.ts';
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

/** What a customer's own order asks them to pay. Throws 404 for anyone else's, and 409 if it is nothing. */
async function readOwn({ db }: Pick<PaymentServices, 'db'>, who: Customer, id: string) {
  const own = db.selectFrom('orders').select(['id', 'reference', 'totalPrice', 'waivedPrice']).where('userId', '=', who._id);
  const order = isId(id) ? await own.where('id', '=', id).executeTakeFirst() : undefined;
  if (!order) throw new Problem(404, 'Order not found');
  const open = db.selectFrom('orderCorrections').selectAll().where('orderId', '=', id).where('status', '=', 'open');
  const asked = await open.executeTakeFirst();
  if (!asked || Date.parse(asked.payUntil) <= Date.now()) throw new Problem(409, NOTHING);
  const { reference } = order;
  // An order by phone may have been corrected since its page was opened.
  const amount = asked.isWhole ? dueOf(order) : asked.difference;
  if (amount < LEAST_BY_CARD) throw new Problem(409, `By card we can take ${pounds(LEAST_BY_CARD)} or more. Please call us.`);
  const line = asked.isWhole
    ? { name: `Order ${reference}`, description: '' }
    : { name: `Change of order ${reference}`, description: (asked.plan as { more: string }).more };
  return { ...asked, reference, amount, line };
}

/**
 * Opens the provider's page for the difference of a correction or for an order by phone, or returns the one that is open. An earlier page is closed first,
 * so that only one can be paid. Throws 404, 409, and 502 or 503 if the provider fails.
 */
export async function payDifference(services: PaymentServices, who: Customer, id: string): Promise<{ url: string }> {
  const { db, config, payments } = services;
  const { id: askedId, reference, amount, line, sessionId, ...asked } = await readOwn(services, who, id);
  const isFresh = asked.sessionUntil && Date.parse(asked.sessionUntil) > Date.now() + LEAST_MINUTES * MINUTE_MS;
  if (asked.paymentUrl && isFresh && asked.difference === amount) return { url: asked.paymentUrl };
  // Paid meanwhile; another sum than is asked for now was refunded.
  if (sessionId && (await close(services, sessionId))) await readOwn(services, who, id);
  const expiresAt = new Date(Date.now() + SESSION_MINUTES * MINUTE_MS).toISOString();
  const page = `${config.publicUrl}/order/${id}`;
  const session = await payments.createSession({
    orderId: id,
    key: newId(),
    reference,
    brand: brandOf(config),
    lines: [{ ...line, amount, quantity: 1 }],
    discount: { amount: 0, name: '' },
    customerEmail: who.email,
    payer: { name: who.name, phone: '' },
    ways: onlineWays(config.company.payment, amount),
    successUrl: page,
    cancelUrl: page,
    expiresAt,
    countries: [],
    shippingOptions: [],
  });
  const { numUpdatedRows } = await db
    .updateTable('orderCorrections')
    .set({ sessionId: session.id, paymentUrl: session.url, sessionUntil: expiresAt, difference: amount })
    .where('id', '=', askedId)
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
