import type { Pence } from '#contract/market/money.ts';
import { onlineWays } from '#contract/market/payment-ways.ts';
import { MINUTE_MS } from '#contract/market/shop-time.ts';
import { keptNames } from '#contract/orders/alike.ts';
import type { Order, PaymentLink } from '#contract/orders/orders.ts';
import { hasLeft } from '#contract/orders/pay-by.ts';
import type { OrderStatus } from '#contract/orders/states.ts';
import { Problem } from '#contract/platform/problem.ts';
import { cut } from '#contract/platform/text.ts';
import type { Customer } from '#server/context/context.ts';
import { giveUpCorrection } from '#server/orders/corrections/difference.service.ts';
import { dueOf } from '#server/orders/corrections/payment-link.service.ts';
import type { orderJobs } from '#server/orders/jobs.ts';
import { readAnyOrder, readOrderForMail } from '#server/orders/read.service.ts';
import { overpaid } from '#server/orders/rules/asked.ts';
import { CARD_SUMS, isPayableByCard } from '#server/orders/rules/ceilings.service.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { newId } from '#server/platform/ids.ts';
import type { PayloadOf } from '#server/platform/jobs/queue.ts';
import { tokenHash } from '#server/platform/link-token.ts';
import { brandOf } from './checkout.service.ts';
import { type PaymentServices, settleSession } from './settle.service.ts';

/** The provider's shortest session is 30 minutes; a minute more covers the way there. */
const SESSION_MINUTES = 31;
/** A page with less time left is not given out again. */
const LEAST_MINUTES = 5;

/** More would hide the sum on the provider's page. */
const LONGEST_DESCRIPTION = 300;

const NOTHING_TO_PAY = 'There is nothing left to pay for this order. Reload the page to see it.';

/** The requests for payment: corrections that cost more, and whole orders by phone. */
const selectRequests = (db: Db) =>
  db
    .selectFrom('orderCorrections as request')
    .innerJoin('orders', 'orders.id', 'request.orderId')
    .selectAll('request')
    .select(['reference', 'totalPrice', 'waivedPrice', 'orderState', overpaid.as('overpaid')]);
type PaymentRequest = Awaited<ReturnType<ReturnType<typeof selectRequests>['executeTakeFirstOrThrow']>>;

/** What is to be paid now: an order by phone may have been corrected since its payment was requested. Its `difference` is the sum of its latest page. */
const amountOf = (request: PaymentRequest): Pence => (request.isWhole ? dueOf(request) : request.difference);

/** Whether the pieces were sent before they were paid: the request then has no end. */
const isSent = ({ isWhole, orderState }: PaymentRequest) => isWhole && hasLeft(orderState as OrderStatus);

/** Whether it can be paid. While some of a whole order's price is here by hand, the rest is asked for by hand too. */
const isOpen = (request: PaymentRequest) =>
  request.status === 'open' &&
  !(request.isWhole && request.overpaid > 0) &&
  amountOf(request) > 0 &&
  (isSent(request) || Date.parse(request.payUntil) > Date.now());

/** The open request of a customer's own order. Throws 404 for anyone else's, and 409 without an open request. */
async function readOwnRequest({ db }: Pick<PaymentServices, 'db'>, who: Customer, id: string): Promise<PaymentRequest> {
  const ownOrders = db.selectFrom('orders').select('id').where('userId', '=', who._id);
  if (!(await ownOrders.where('id', '=', id).executeTakeFirst())) throw new Problem(404, 'Order not found');
  const request = await selectRequests(db).where('orderId', '=', id).where('request.status', '=', 'open').executeTakeFirst();
  if (!request) throw new Problem(409, NOTHING_TO_PAY);
  return request;
}

/** The request whose link has this token. Throws 404. */
async function readByToken({ db }: Pick<PaymentServices, 'db'>, token: string): Promise<PaymentRequest> {
  const request = await selectRequests(db).where('tokenHash', '=', tokenHash(token)).executeTakeFirst();
  if (!request) throw new Problem(404, 'This link is not complete. Please open it from the email again.');
  return request;
}

/** What a request asks to pay for, in words. */
const piecesOf = (request: PaymentRequest, { orderItems }: Pick<Order, 'orderItems'>): string =>
  request.isWhole ? keptNames(orderItems) : (request.plan as { more: string }).more;

/** The public view of a payment link: the order's reference, its pieces and the sum, no personal data. Throws 404. */
export async function readPaymentLink(services: Pick<PaymentServices, 'db'>, token: string): Promise<PaymentLink> {
  const request = await readByToken(services, token);
  const { reference, payUntil, isWhole, status } = request;
  const state = status === 'paid' ? 'paid' : isOpen(request) ? 'open' : 'ended';
  const amount = state === 'paid' ? request.difference : amountOf(request);
  const pieces = piecesOf(request, await readAnyOrder(services.db, request.orderId));
  return { reference, amount, pieces, payUntil, isWhole, isSent: isSent(request), state };
}

/** The line of the provider's page. Throws 409 if there is nothing to pay. */
function lineOf(request: PaymentRequest, order: Pick<Order, 'orderItems'>) {
  if (!isOpen(request)) throw new Problem(409, NOTHING_TO_PAY);
  const { reference } = request;
  const amount = amountOf(request);
  if (!isPayableByCard(amount)) throw new Problem(409, `By card we can take ${CARD_SUMS}. Please call us.`);
  const name = `${request.isWhole ? 'Order' : 'Change of order'} ${reference}`;
  return { name, description: cut(piecesOf(request, order), LONGEST_DESCRIPTION), amount, quantity: 1 };
}

/**
 * Opens the provider's page for the difference of a correction or for an order by phone, or returns the one that is open. An earlier page is closed first,
 * so that only one can be paid. Throws 404, 409, and 502 or 503 if the provider fails.
 */
export const payDifference = (services: PaymentServices, who: Customer, id: string): Promise<{ url: string }> =>
  openPage(services, () => readOwnRequest(services, who, id), `/order/${id}`);

/** The same for anybody with the link, without a login. */
export const payByLink = (services: PaymentServices, token: string): Promise<{ url: string }> =>
  openPage(services, () => readByToken(services, token), `/pay/${token}`, '?paid=1');

/** The page names no customer, since anyone with the link sees the same page. */
async function openPage(
  services: PaymentServices,
  read: () => Promise<PaymentRequest>,
  path: string,
  paidQuery = '',
): Promise<{ url: string }> {
  const { db, config, payments } = services;
  const request = await read();
  const { order } = await readOrderForMail(db, request.orderId);
  const line = lineOf(request, order);
  const { amount } = line;
  const { sessionId } = request;
  const minutesLeft = request.sessionUntil ? (Date.parse(request.sessionUntil) - Date.now()) / MINUTE_MS : 0;
  // One with more than the most was opened under a clock that was ahead.
  const isFresh = minutesLeft > LEAST_MINUTES && minutesLeft <= SESSION_MINUTES + 1;
  if (request.paymentUrl && isFresh && request.difference === amount) return { url: request.paymentUrl };
  const wasPaid = sessionId !== null && (await closePage(services, sessionId));
  // Throws 409 if nothing is left to pay. A payment of another sum was refunded, so it still has to be paid.
  if (wasPaid) lineOf(await read(), order);
  const expiresAt = new Date(Date.now() + SESSION_MINUTES * MINUTE_MS).toISOString();
  const returnUrl = config.publicUrl + path;
  const session = await payments.createSession({
    orderId: request.orderId,
    key: newId(),
    reference: request.reference,
    brand: brandOf(config),
    lines: [line],
    discount: { amount: 0, name: '' },
    ways: onlineWays(config.company.payment, amount),
    successUrl: returnUrl + paidQuery,
    cancelUrl: returnUrl,
    expiresAt,
    countries: [],
    shippingOptions: [],
  });
  const { numUpdatedRows } = await db
    .updateTable('orderCorrections')
    .set({ sessionId: session.id, paymentUrl: session.url, sessionUntil: expiresAt, difference: amount })
    .where('id', '=', request.id)
    .where('status', '=', 'open')
    .where('sessionId', 'is not distinct from', sessionId)
    .executeTakeFirst();
  if (numUpdatedRows === 1n) return { url: session.url };
  // It ended meanwhile, or another page was opened.
  await payments.expireSession(session.id);
  throw new Problem(409, 'The payment page is opening elsewhere. Please try again.');
}

/** Closes a page at the provider, and settles its payment if it was paid. Returns whether it was. */
async function closePage(services: PaymentServices, sessionId: string): Promise<boolean> {
  const session = await services.payments.expireSession(sessionId);
  if (session?.isPaid) await settleSession(services, session);
  return session?.isPaid ?? false;
}

/** Ends a correction that was not paid in time, or that cannot be made any more. Its page is closed first, so that nobody pays for stock that was given back. */
export async function closeCorrection(
  services: PaymentServices,
  { correctionId, isClosing }: PayloadOf<typeof orderJobs.closeCorrection>,
): Promise<void> {
  const { db } = services;
  const found = await db
    .selectFrom('orderCorrections')
    .select(['status', 'sessionId', 'paymentUrl'])
    .where('id', '=', correctionId)
    .executeTakeFirst();
  if (found?.status !== 'open' && found?.status !== 'closing') return;
  // It was opened again, and so was its page.
  if (isClosing && found.status === 'open' && found.paymentUrl) return;
  if (found.sessionId) await closePage(services, found.sessionId);
  await db.transaction().execute((tx) => giveUpCorrection(tx, services, correctionId, isClosing ?? found.status === 'closing'));
}
