import { sql } from 'kysely';
import { isProblem } from '#contract/base/problem.ts';
import type { Market } from '#contract/market/market.ts';
import { PAYMENT_METHOD } from '#contract/orders.ts';
import type { Config } from '#server/base/config.ts';
import { isId } from '#server/base/ids.ts';
import type { Log } from '#server/base/log.ts';
import type { Services } from '#server/context/services.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { ProviderSession } from '#server/gateways/provider-session.ts';
import { enqueue } from '#server/jobs/queue.ts';
import { orderConfirmation } from '#server/mail/order-mails.ts';
import { recordEvent } from '#server/orders/place.service.ts';
import { checkStock } from '#server/orders/pricing.ts';
import { readOrderForMail } from '#server/orders/read.service.ts';
import { type OrderStatus, statesBefore } from '#server/orders/states.ts';
import { giveStockBack, lockProducts, takeStock } from '#server/orders/stock.service.ts';
import { giveBack, type Refusal, refusePayment } from './refuse.service.ts';

const PROVIDER = 'Payment provider';
type Settings = Pick<Config, 'market' | 'publicUrl'>;

interface HeldOrder {
  id: string;
  status: OrderStatus;
  providerSessionId: string | null;
  /** Of a card order that was paid: the session that paid it. */
  orderPaymentId: string | null;
  subTotalPrice: number;
}

/** The order of a session, locked until the transaction ends: everything that can happen to a payment happens one after the other. */
async function lockOrder(tx: Tx, orderId: string): Promise<HeldOrder | undefined> {
  if (!isId(orderId)) return undefined;
  const order = await tx
    .selectFrom('orders')
    .select(['id', 'status', 'providerSessionId', 'orderPaymentId', 'subTotalPrice'])
    .where('id', '=', orderId)
    .forUpdate()
    .executeTakeFirst();
  return order && { ...order, status: order.status as OrderStatus };
}

async function piecesOf(tx: Tx, orderId: string) {
  return tx.selectFrom('orderItems').select(['productId', 'size', 'qty', 'price', 'name']).where('orderId', '=', orderId).execute();
}

/** What a session came to, where that is worth counting. */
type Outcome = 'settled' | 'unmatched' | Refusal | undefined;

/** Writes an id down, and says whether it was new: what is said or done once is guarded by it. */
export async function isNews(tx: Db, id: string, kind: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('paymentEvents')
    .values({ id, kind })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/**
 * The one way in which a session of the provider takes effect, for webhooks, reconciliation and expiry alike.
 * Whatever was said before and however often, the same session ends in the same state. A notice is stored together with its effect.
 */
export async function settleSession(
  { db, config, log, metrics }: Services,
  session: ProviderSession,
  notice?: { id: string; kind: string },
): Promise<void> {
  const outcome = await db.transaction().execute(async (tx) => {
    if (notice && !(await isNews(tx, notice.id, notice.kind))) return undefined;
    return settle(tx, config, session, log);
  });
  if (outcome && outcome !== 'refused') metrics.paymentEnded(outcome);
  if (outcome === 'settled') metrics.orderPlaced(PAYMENT_METHOD.card);
}

async function settle(tx: Tx, settings: Settings, session: ProviderSession, log: Log): Promise<Outcome> {
  const order = await lockOrder(tx, session.orderId);
  if (!order) {
    // Said once, however often the provider is asked. It may be another shop's on the same account, so that nobody but a person gives it back.
    if (!session.isPaid || !(await isNews(tx, `unmatched ${session.id}`, 'unmatched'))) return undefined;
    log.error({ session: session.id, order: session.orderId }, 'a payment names no order of this shop');
    return 'unmatched';
  }
  if (session.isPaid) return settlePaid(tx, settings, order, session, log);
  if (session.status === 'expired' && (order.providerSessionId ?? session.id) === session.id)
    await releaseHold(tx, order, 'payment session expired');
  return undefined;
}

/** Gives the stock of an unpaid order back, once. */
async function releaseHold(tx: Tx, { id, status }: HeldOrder, reason: string): Promise<void> {
  if (status !== 'awaiting_payment') return;
  // Its idempotency key is free again: a request that is sent again after this starts a new checkout.
  await tx.updateTable('orders').set({ status: 'expired', idempotencyKey: null, payloadHash: null }).where('id', '=', id).execute();
  await giveStockBack(tx, await piecesOf(tx, id));
  await recordEvent(tx, id, 'hold given back', PROVIDER, reason);
}

/** The same for an order whose session could not be made, or was never found. */
export async function releaseOrder(tx: Tx, orderId: string, reason: string): Promise<void> {
  const order = await lockOrder(tx, orderId);
  if (order) await releaseHold(tx, order, reason);
}

async function settlePaid(tx: Tx, settings: Settings, order: HeldOrder, session: ProviderSession, log: Log): Promise<Outcome> {
  if (!statesBefore('placed').includes(order.status)) return settleAgain(tx, order, session, log);
  const shipping = shippingOf(settings.market, order.subTotalPrice, session.shipping);
  if (shipping === undefined || session.currency !== 'gbp' || session.total !== order.subTotalPrice + shipping.price) {
    log.error(
      { order: order.id, session: session.id, paid: session.total, currency: session.currency },
      'a payment is not what the order costs',
    );
    await releaseHold(tx, order, 'another amount was paid');
    return refusePayment(
      tx,
      log,
      order.id,
      session,
      'amount',
      `Paid ${session.total} ${session.currency}, which is not what the order costs`,
    );
  }
  const totals = { shippingMethod: shipping.id, shippingPrice: shipping.price, totalPrice: session.total };
  if (order.status === 'expired' && !(await takeStockAgain(tx, order.id))) {
    await tx.updateTable('orders').set(totals).where('id', '=', order.id).execute();
    return refusePayment(tx, log, order.id, session, 'sold', 'Paid after its stock was given back and sold');
  }
  const { line1, line2, city, state, postalCode, country } = session.address;
  await tx
    .updateTable('orders')
    .set({
      status: 'placed',
      paymentMethod: PAYMENT_METHOD.card,
      orderPaymentId: session.id,
      providerSessionId: session.id,
      providerPaymentId: session.paymentId,
      paidAt: sql<string>`now()`,
      fullName: session.name,
      email: session.email,
      phone: session.phone,
      ...totals,
      ...{ line1, line2, city, state, postalCode, country },
    })
    .where('id', '=', order.id)
    .execute();
  await recordEvent(tx, order.id, 'paid', PROVIDER, session.id);
  await enqueue(tx, 'sendMail', orderConfirmation(await readOrderForMail(tx, order.id), settings.publicUrl));
  return 'settled';
}

/** A payment of an order that is settled: told again of the one that settled it, or a second one, whose money goes back once. */
async function settleAgain(tx: Tx, order: HeldOrder, session: ProviderSession, log: Log): Promise<Outcome> {
  if (order.orderPaymentId === session.id || !(await isNews(tx, `second ${session.id}`, 'second'))) return undefined;
  log.error({ order: order.id, session: session.id }, 'an order was paid a second time');
  return giveBack(tx, log, order.id, session, 'twice', `Paid a second time, by session ${session.id}`);
}

/** The way of sending that the payer chose, known by its price; undefined for a price that the market does not have. */
function shippingOf(market: Market, subtotal: number, paid: number) {
  return market.shippingOptions(subtotal).find(({ price }) => price === paid);
}

/** A late payment: the pieces are taken again if they are all still there. Prices are those of the order. */
async function takeStockAgain(tx: Tx, orderId: string): Promise<boolean> {
  const pieces = await piecesOf(tx, orderId);
  const products = await lockProducts(
    tx,
    pieces.map(({ productId }) => productId),
  );
  try {
    checkStock(pieces, products);
  } catch (error) {
    if (isProblem(error)) return false;
    throw error;
  }
  await takeStock(tx, pieces);
  return true;
}
