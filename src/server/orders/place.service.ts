import { sql } from 'kysely';
import { may } from '#contract/accounts/roles.ts';
import { deliveryOptionsFor } from '#contract/delivery/delivery-options.ts';
import { readyAt } from '#contract/delivery/lead-time.ts';
import { type DeliveryMethod, methodOf } from '#contract/delivery/methods.ts';
import type { InvoiceSummary } from '#contract/invoices/invoices.ts';
import { addressRulesOf, tidyPostalCode } from '#contract/market/address-rules.ts';
import type { Market } from '#contract/market/market.ts';
import { type Pence, pounds } from '#contract/market/money.ts';
import { type Attempt, type CartLine, type CreateOrderBody, type Order, PAYMENT_METHOD } from '#contract/orders/orders.ts';
import { Problem } from '#contract/platform/problem.ts';
import { type Discount, discountOf, goodsSum, shownPromotion, tidyCode } from '#contract/promotions/discount.ts';
import { isUsual, withFreeDelivery } from '#contract/promotions/free-delivery.ts';
import type { SeenDiscount } from '#contract/promotions/promotions.ts';
import type { Customer } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { sumNewProForma } from '#server/invoices/draft.service.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { isId, newId } from '#server/platform/ids.ts';
import { limitGuesses, lockForOrder, redeem } from '#server/promotions/uses.service.ts';
import { forgetBought } from '#server/wishlist/wishlist.service.ts';
import { deliveryOfPieces } from './lines/delivery-load.service.ts';
import { goodsOf } from './lines/discount.service.ts';
import { endHoldSoon } from './lines/holds.service.ts';
import { type PricedLine, priceLines, storedLine } from './lines/pricing.ts';
import { type LockedProduct, lockProducts, takeStock } from './lines/stock.service.ts';
import { tellOfOrder } from './office/staff.ts';
import { type Offered, promiseFor } from './promised-window.ts';
import { orderForMail, orderOf, readAnyOrder, readOrder } from './read.service.ts';
import { checkNumbers, checkValues, lockOrdersOf, mustBeApproved, networkKey, readStanding } from './rules/ceilings.service.ts';
import { findEarlierOrder, type KeyedRequest, keyedRequest } from './rules/idempotency.ts';
import { listed } from './rules/states.ts';
import { confirmationOf, sendToCustomer } from './transitions.service.ts';

/** A new order's columns that only later steps change. */
const UNTOUCHED = {
  paidAt: null,
  dispatchedAt: null,
  deliveredAt: null,
  deliveryOff: 0,
  waivedPrice: 0,
  refundedPrice: 0,
  disputedPrice: 0,
  goodwillPrice: 0,
  entitledPrice: 0,
  keptPrice: 0,
  isRefundDue: false,
  hasProForma: true,
  isHeldByBank: false,
  hasRefunds: false,
  receivedBy: null,
  writtenOff: 0,
  writeOffCounted: 0,
  toCollect: 0,
  overpaid: 0,
  revision: 0,
};
const NONE_BACK = { cancelledQty: 0, returnedQty: 0, spoiledQty: 0, refundedQty: 0, partialRefund: 0 };

/** The columns of a new order that are not computed from its lines. */
interface Draft {
  id: string;
  /** The key of the network that it was placed from, which counts towards the limits of value. */
  network?: string;
  status: 'placed' | 'awaiting_payment';
  fullName: string;
  email: string;
  phone: string;
  line1: string;
  line2: string;
  city: string;
  state: string;
  postalCode: string;
  country: string;
  paymentMethod: string;
  orderPaymentId: string | null;
  shippingMethod: string | null;
  deliveryNote: string;
  business: Order['business'];
  /** The day that the customer has chosen. */
  deliveryDay: string | null;
  holdExpiresAt: string | null;
  /** Hash of the token in a card checkout's cancel link. */
  cancelMarkHash?: Buffer;
  /** Even a large first order needs no approval. */
  isTrusted: boolean;
  request: KeyedRequest | undefined;
}

/** A line of a new order. */
export interface SoldLine extends ReturnType<typeof storedLine> {
  /** Discount on the whole line, in pence. */
  discount: number;
}

/** Priced lines with their products, which are locked. */
export interface PricedCart {
  products: Map<string, LockedProduct>;
  lines: (PricedLine & {
    /** Its price was agreed with staff, so promotions leave it alone. */
    isAgreed?: boolean;
  })[];
}

/** The cart, and the discount and the price of delivery that the customer was shown. */
interface Wanted {
  cart: PricedCart;
  discount: SeenDiscount | null | undefined;
  deliveryPrice?: Pence | null | undefined;
}

/** Whose order it is. */
export type Buyer = Pick<Customer, '_id' | 'name' | 'email'>;

/** The lines of a cart at today's prices. Locks their products. */
export async function priceCart(tx: Tx, cart: CartLine[]): Promise<PricedCart> {
  const products = await lockProducts(tx, [...new Set(cart.map(({ _id }) => _id).filter(isId))]);
  return { products, lines: priceLines(cart, products) };
}

/** What priced lines come to for a customer: delivery to a place, and the promotions of a code. Throws 400 where nothing is delivered. */
export async function workOut(
  tx: Tx,
  { config }: Pick<Services, 'config'>,
  userId: string,
  { products, lines: priced }: PricedCart,
  { code, place }: { code: string; place: { postalCode: string; country: string } },
) {
  const subTotalPrice = goodsSum(priced);
  const now = new Date().toISOString();
  const ready = readyAt(now, products.values());
  const { delivery: settings } = await deliveryOfPieces(tx, config.delivery, [...products.keys()]);
  const { area, options: undiscounted } = deliveryOptionsFor(settings, { now: ready ?? now, place, subtotal: subTotalPrice });
  if (area?.refusal) throw new Problem(400, area.refusal, { 'shippingAddress.postalCode': area.refusal });
  // Of the default method, which free delivery is for.
  const deliveryPrice = undiscounted[0]?.price ?? 0;
  const discountable = priced.map(({ isAgreed, ...line }) => (isAgreed ? { ...line, price: 0 } : line));
  const discount = discountOf({
    lines: goodsOf(discountable, products),
    delivery: deliveryPrice,
    at: now,
    promotions: await lockForOrder(tx, code, userId),
    code,
  });
  const lines = priced.map(({ isAgreed: _, ...line }, index) => ({ ...storedLine(line), discount: discount.shares[index] ?? 0 }));
  const methods = withFreeDelivery(undiscounted, discount.isFreeDelivery);
  return { subTotalPrice, ready, deliveryPrice, surcharge: area?.surcharge ?? 0, discount, lines, methods };
}

/** The code to apply: none if the customer was shown its refusal. */
export const codeOf = (seen: Wanted['discount']): string => (seen?.refusal ? '' : (seen?.code ?? ''));

/** The message if the discount is less than the customer was shown; undefined if not. */
function lossText({ amount, isFreeDelivery, refusal }: Discount, seen: Wanted['discount'], deliveryPrice: Pence): string | undefined {
  if (refusal) return refusal;
  if ((seen?.amount ?? 0) > amount) return `The discount of your cart has changed: it is now ${pounds(amount)}. Please check the total.`;
  if (seen?.isFreeDelivery && !isFreeDelivery && deliveryPrice > 0) return 'Delivery is no longer free. Please check the total.';
  return undefined;
}

/** Throws 409 with `errors.discount` if the code is refused, or if the customer was shown a larger discount. */
function checkSeen(discount: Discount, seen: Wanted['discount'], deliveryPrice: Pence): void {
  const message = lossText(discount, seen, deliveryPrice);
  if (message) throw new Problem(409, message, { discount: message });
}

/** Throws 409 with `errors.deliveryPrice` if delivery costs more than the customer was shown. */
function checkSeenDelivery(price: Pence, seen: Wanted['deliveryPrice']): void {
  if (typeof seen !== 'number' || price <= seen) return;
  const message = `Delivery now costs ${pounds(price)}. Please check the total, and reload the page if it still shows another price.`;
  throw new Problem(409, message, { deliveryPrice: message });
}

const freeFromOf = (methods: readonly DeliveryMethod[], id: string) => methods.find((method) => method.id === id)?.freeFrom ?? null;

/** Takes the stock and the promotions, and stores the order with its lines and its first event. */
export async function storeOrder(
  tx: Tx,
  { config }: Pick<Services, 'config'>,
  who: Buyer,
  { cart, discount: seen, deliveryPrice: seenDelivery }: Wanted,
  { isTrusted, network, request, ...draft }: Draft,
): Promise<{ order: Order; proForma: InvoiceSummary; lines: SoldLine[]; methods: DeliveryMethod[] }> {
  const { products } = cart;
  await takeStock(tx, { config }, draft.id, products, cart.lines);
  const worked = await workOut(tx, { config }, who._id, cart, { code: codeOf(seen), place: draft });
  const { subTotalPrice, ready, deliveryPrice, surcharge, discount, lines, methods } = worked;
  checkSeen(discount, seen, deliveryPrice);
  const { window, days, ...method } = methodOf(methods, draft.shippingMethod);
  const { price: shippingPrice } = method;
  checkSeenDelivery(shippingPrice, seenDelivery);
  const totalPrice = subTotalPrice - discount.amount + shippingPrice;
  const { status, deliveryDay, ...columns } = draft;
  const row = {
    ...columns,
    idempotencyKey: request?.key ?? null,
    payloadHash: request?.payloadHash ?? null,
    readyAt: ready,
    ...promiseFor({ window, days }, deliveryDay),
    shippingMethod: method.id,
    shippingLabel: method.label,
    // With the sums from which they were free, which the owner may change before the customer cancels a part.
    deliveryOffer: JSON.stringify(
      methods.map(({ days: _, ...offered }): Offered => {
        const freeFrom = freeFromOf(config.delivery.methods, offered.id);
        return { ...offered, freeFrom, surcharge };
      }),
    ),
    userId: who._id,
    userName: who.name,
    userEmail: who.email,
    subTotalPrice,
    discount: discount.amount,
    shippingPrice,
    taxPrice: 0,
    totalPrice,
    awaitsInvoice: true,
    awaitsApproval: !isTrusted && (await mustBeApproved(tx, { config }, who, totalPrice)),
  };
  const rateOf = (id: string) => config.vat?.rates[products.get(id)?.vatClass ?? 'standard'] ?? null;
  const items = lines.map((line, position) => ({ orderId: draft.id, position, vatRate: rateOf(line.productId), ...line }));
  const { at: placedAt, reference } = await tx
    .with('placed', (db) =>
      db
        .insertInto('orders')
        .values({ ...row, orderState: status })
        .returning('reference'),
    )
    .with('lines', (db) => db.insertInto('orderItems').values(items))
    .with('network', (db) =>
      db
        .insertInto('orderNetworks')
        .columns(['orderId', 'network'])
        .expression(
          sql`select ${draft.id}::uuid, network from (select ${network ?? null}::text as network) given where network is not null`,
        ),
    )
    .insertInto('orderEvents')
    .values({ orderId: draft.id, kind: status === 'placed' ? 'placed' : 'payment started', actor: who.name, detail: '' })
    .returning(['at', sql<string>`(select reference from placed)`.as('reference')])
    .executeTakeFirstOrThrow();
  // Free delivery is used up only with the default method. A card payer has yet to choose the method, so it is reserved until then.
  const usesFreeDelivery = status === 'awaiting_payment' || isUsual(methods, method.id);
  const applied = discount.applied.filter((promotion) => !promotion.isFreeDelivery || usesFreeDelivery);
  await redeem(tx, draft.id, applied);
  const orderItems = lines.map(({ productId, setId: _, ...line }) => ({
    _id: productId,
    ...line,
    sku: skuIn(products.get(productId), line.size),
    ...NONE_BACK,
  }));
  const discounts = applied.map(shownPromotion);
  // `now()` is the transaction's time, so the event's is the order's too.
  const stored = { ...row, status, _id: draft.id, reference, createdAt: placedAt, ...UNTOUCHED, orderItems, discounts };
  const proForma = sumNewProForma({ ...stored, id: draft.id, items: items.map((item) => ({ ...item, cancelledQty: 0 })) });
  return { order: orderOf(stored), proForma, lines, methods };
}

/** The shop's own number of a piece: the size's, else the product's. */
const skuIn = (product: LockedProduct | undefined, size: string | null) =>
  product?.sizes.find((one) => one.size === size)?.sku || product?.sku || '';

type Contact = Pick<CreateOrderBody, 'phone' | 'shippingAddress'>;

/**
 * Throws 400 with the specification's messages (§5) for a phone number, postal code or country that the market refuses. What is the same as `before` is
 * not checked again: it may come from the payment provider, whose rules differ.
 */
export function checkAddress(market: Market, { phone, shippingAddress }: Contact, before?: Contact): void {
  const { postalCode, country } = shippingAddress;
  const rules = addressRulesOf(market);
  const isMoved = !before || postalCode !== before.shippingAddress.postalCode || country !== before.shippingAddress.country;
  const problems = {
    phone: phone === before?.phone ? undefined : rules.phoneProblem(phone),
    'shippingAddress.postalCode': isMoved ? rules.postalCodeProblem(postalCode, country) : undefined,
    'shippingAddress.country': isMoved ? rules.countryProblem(country) : undefined,
  };
  const errors = Object.fromEntries(Object.entries(problems).flatMap(([field, text]) => (text ? [[field, text]] : [])));
  const [first] = Object.values(errors);
  if (first) throw new Problem(400, first, errors);
}

/** The payment method of a cash order. Only the provider can make it "Credit Card". */
function paymentOf({ paymentMethod, orderPaymentID }: CreateOrderBody): { paymentMethod: string; orderPaymentId: string | null } {
  const method = [PAYMENT_METHOD.cash, PAYMENT_METHOD.online].find((name) => name === paymentMethod);
  if (!method) throw new Problem(400, 'Choose Cash on Delivery or Online Payment.', { paymentMethod: 'Unknown payment method' });
  return { paymentMethod: method, orderPaymentId: orderPaymentID || null };
}

/** The payload's code as part of its hash, even if refused; absent without a code, as in earlier versions. */
export const hashedCode = (discount: Wanted['discount']): string[] => (discount?.code ? [tidyCode(discount.code)] : []);

/** The payload's day of delivery as part of its hash; absent without one, as in earlier versions. */
export const hashedDay = (deliveryDay: string | null | undefined) => (deliveryDay ? [{ deliveryDay }] : []);

/** The payload's buying business as part of its hash; absent without one, as in earlier versions. */
export const hashedBusiness = (business: Order['business']) => (business ? [{ business }] : []);

/** The parts of a payload that define the order, for its hash. A retry with other totals or product names is the same order. */
function hashedParts(body: CreateOrderBody) {
  const { shippingAddress, phone, paymentMethod, orderPaymentID, email, fullName, shippingMethod, deliveryNote } = body;
  const lines = body.orderItems.map(({ _id, qty, price, size = null, color = null }) => [_id, qty, price, size, color]);
  const added = [...(deliveryNote ? [{ deliveryNote }] : []), ...hashedDay(body.deliveryDay), ...hashedBusiness(body.business)];
  return [
    lines,
    shippingAddress,
    phone,
    paymentMethod,
    orderPaymentID,
    email,
    fullName,
    shippingMethod,
    ...added,
    ...hashedCode(body.discount),
  ];
}

/**
 * Places an order that is paid on delivery, or by a payment whose id is noted (specification §7). Stores nothing if it throws: 400 for the payload,
 * 409 for price, stock, a reused key or too much that is unpaid, 429 for too many orders within an hour.
 */
export async function placeOrder(
  services: Pick<Services, 'db' | 'config' | 'metrics'>,
  who: Customer,
  body: CreateOrderBody,
  { key, ip }: { key: string | undefined; ip: string },
): Promise<Order> {
  const { db, config, metrics } = services;
  const payment = paymentOf(body);
  checkAddress(config.market, body);
  const request = keyedRequest(key, hashedParts(body));
  await limitGuesses(services, codeOf(body.discount), { ip, account: who._id });
  const { order, isNew } = await db.transaction().execute(async (tx) => {
    await lockOrdersOf(tx, who, body.shippingAddress);
    const earlier = await findEarlierOrder(tx, who, request);
    if (earlier) return { order: await readAnyOrder(tx, earlier.id), isNew: false };
    const standing = await readStanding(tx, services, who, body.shippingAddress);
    checkNumbers(services, who, body, standing);
    const network = networkKey(ip);
    const { order: stored, proForma } = await storeOrder(
      tx,
      services,
      who,
      { cart: await priceCart(tx, body.orderItems), discount: body.discount, deliveryPrice: body.deliveryPrice },
      {
        id: newId(),
        ...(!may(who, 'change orders') && { network }),
        status: 'placed',
        ...body.shippingAddress,
        postalCode: tidyPostalCode(body.shippingAddress),
        ...payment,
        fullName: body.fullName || who.name,
        email: body.email || who.email,
        phone: body.phone,
        shippingMethod: body.shippingMethod ?? null,
        deliveryNote: body.deliveryNote ?? '',
        business: body.business,
        deliveryDay: body.deliveryDay ?? null,
        holdExpiresAt: null,
        isTrusted: may(who, 'change orders'),
        request,
      },
    );
    // Counts this order too, so only once it is stored.
    await checkValues(tx, services, who, stored, network);
    // So that the same cart is not paid by card as well.
    for (const id of standing.holds) await endHoldSoon(tx, id);
    const bought = body.orderItems.map(({ _id }) => _id);
    if (standing.hasCart) await forgetBought(tx, who._id, bought);
    const order = { ...stored, invoices: [proForma] };
    await tellOfOrder(tx, services, order);
    // It has no documents yet.
    await sendToCustomer(tx, orderForMail(order, standing.account), confirmationOf(config));
    return { order, isNew: true };
  });
  if (isNew) metrics.orderPlaced(order.paymentMethod);
  return order;
}

/** The customer's own order by its idempotency key, for a page that has lost the response; null if none was placed. Waits for one in progress. */
export async function readAttempt({ db }: Pick<Services, 'db'>, who: Customer, key: string): Promise<Attempt> {
  return db.transaction().execute(async (tx) => {
    await lockOrdersOf(tx, who);
    const placed = tx.selectFrom('orders').select('id').where('userId', '=', who._id).where('idempotencyKey', '=', key).where(listed);
    const found = await placed.executeTakeFirst();
    return { order: found ? await readOrder(tx, who, found.id) : null };
  });
}
