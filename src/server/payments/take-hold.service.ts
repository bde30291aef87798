import { setTimeout } from 'node:timers/promises';
import { may } from '#contract/accounts/roles.ts';
import type { DeliveryMethod } from '#contract/delivery/methods.ts';
import { UNITED_KINGDOM } from '#contract/market/market.ts';
import { MINUTE_MS } from '#contract/market/shop-time.ts';
import { type CheckoutSession, type CheckoutSessionBody, type Order, PAYMENT_METHOD } from '#contract/orders/orders.ts';
import { Problem } from '#contract/platform/problem.ts';
import type { Customer } from '#server/context/context.ts';
import { orderJobs } from '#server/orders/jobs.ts';
import { checkHeldShare, listOpenHolds } from '#server/orders/lines/holds.service.ts';
import { hashedBusiness, hashedCode, hashedDay, priceCart, type SoldLine, storeOrder } from '#server/orders/place.service.ts';
import { checkPayableByCard, lockOrdersOf } from '#server/orders/rules/ceilings.service.ts';
import { findEarlierOrder, keyedRequest } from '#server/orders/rules/idempotency.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { newLinkToken } from '#server/platform/link-token.ts';
import type { PaymentServices } from './settle.service.ts';

/** The provider's shortest session is 30 minutes; a minute more covers the way there. */
const SESSION_MINUTES = 31;
/** Longer than the session, so that nobody can pay for released stock. */
const HOLD_MINUTES = 33;
/** How long to wait for a twin's page: a little longer than the provider's timeout. */
const TWIN_MS = 20_000;
const POLL_MS = 100;

/** Customers enter their address on the provider's page. */
const NO_ADDRESS = { fullName: '', email: '', phone: '', line1: '', line2: '', city: '', state: '', postalCode: '', country: '' };

/** Stock held for a checkout, by an order that awaits its payment. */
export interface Hold {
  id: string;
  reference: string;
  lines: SoldLine[];
  /** Discount on the lines in pence, and the names of its promotions. */
  discount: { amount: number; name: string };
  /** The methods of delivery with their prices, and the chosen one. */
  methods: DeliveryMethod[];
  shippingMethod: string;
  /** The chosen day. */
  deliveryDay: string | null;
  /** For the page's cancel link. */
  cancelToken: string;
  /** ISO. */
  sessionExpiresAt: string;
}

/** A new hold, the order that another request with the same key has made (its twin), or the customer's open checkouts, which must end first. */
type Reserved = Hold | { twin: string } | { open: Awaited<ReturnType<typeof listOpenHolds>> };

const ASK_POSTCODE = 'Enter your postcode first: the price of delivery depends on it.';

/** The names of the promotions that reduce the goods. */
const namesOf = (discounts: Order['discounts']): string => discounts.flatMap(({ name, amount }) => (amount > 0 ? name : [])).join(', ');

/** Takes the stock of a checkout. Serialised by customer, so that each has at most one hold. */
export async function reserve(
  services: Pick<PaymentServices, 'db' | 'config'>,
  who: Customer,
  body: CheckoutSessionBody,
  key?: string,
): Promise<Reserved> {
  if (services.config.delivery.areas.length > 0 && !body.postcode) throw new Problem(400, ASK_POSTCODE, { postcode: ASK_POSTCODE });
  const request = keyedRequest(key, [
    'card',
    body.orderItems,
    body.shippingMethod,
    body.postcode,
    ...hashedDay(body.deliveryDay),
    ...hashedBusiness(body.business),
    ...hashedCode(body.discount),
  ]);
  return services.db.transaction().execute(async (tx): Promise<Reserved> => {
    await lockOrdersOf(tx, who);
    const twin = await findEarlierOrder(tx, who, request);
    if (twin && twin.status !== 'awaiting_payment') throw new Problem(409, 'This order has already been paid.');
    if (twin) return { twin: twin.id };
    const open = await listOpenHolds(tx, who._id);
    if (open.length > 0) return { open };
    const id = newId();
    const now = Date.now();
    const holdExpiresAt = new Date(now + HOLD_MINUTES * MINUTE_MS).toISOString();
    const { token: cancelToken, hash: cancelMarkHash } = newLinkToken();
    const { order, lines, methods } = await storeOrder(
      tx,
      services,
      who,
      { cart: await priceCart(tx, body.orderItems), discount: body.discount },
      {
        ...NO_ADDRESS,
        ...(body.postcode && { postalCode: body.postcode, country: UNITED_KINGDOM }),
        id,
        status: 'awaiting_payment',
        paymentMethod: PAYMENT_METHOD.card,
        orderPaymentId: null,
        shippingMethod: body.shippingMethod ?? null,
        deliveryNote: '',
        business: body.business,
        deliveryDay: body.deliveryDay ?? null,
        holdExpiresAt,
        isTrusted: may(who, 'change orders'),
        request,
        cancelMarkHash,
      },
    );
    checkPayableByCard(order.totalPrice);
    await checkHeldShare(tx, services, id);
    await enqueue(tx, orderJobs.expireHold, { orderId: id }, { runAt: holdExpiresAt, key: `hold-${id}` });
    const sessionExpiresAt = new Date(now + SESSION_MINUTES * MINUTE_MS).toISOString();
    const discount = { amount: order.discount, name: namesOf(order.discounts) };
    return {
      id,
      reference: order.reference,
      lines,
      discount,
      methods,
      shippingMethod: order.shippingMethod,
      deliveryDay: body.deliveryDay ?? null,
      cancelToken,
      sessionExpiresAt,
    };
  });
}

/** Waits for the page of another request with the same key, which any process may still be opening. Throws 503 if that fails. */
export async function awaitTwin(db: Db, orderId: string): Promise<CheckoutSession> {
  for (const end = Date.now() + TWIN_MS; Date.now() < end; await setTimeout(POLL_MS)) {
    const order = await db.selectFrom('orders').select(['orderState', 'paymentUrl']).where('id', '=', orderId).executeTakeFirst();
    if (order?.orderState !== 'awaiting_payment') break;
    if (order.paymentUrl) return { url: order.paymentUrl, orderId };
  }
  throw new Problem(503, 'The payment page could not be opened. Please try again in a moment.', undefined, 5);
}
