import { colourNameOf } from '#contract/catalogue/colour.ts';
import { methodOf } from '#contract/delivery/methods.ts';
import { tidyPostalCode } from '#contract/market/address-rules.ts';
import { type Pence, pounds } from '#contract/market/money.ts';
import { lineName, type Order, PAYMENT_METHOD } from '#contract/orders/orders.ts';
import type { PhoneOrderBody, PhoneQuote, PhoneQuoteBody } from '#contract/phone/phone.ts';
import { MAX_ORDER_TOTAL } from '#contract/platform/limits.ts';
import { Problem } from '#contract/platform/problem.ts';
import { goodsSum, shownPromotion } from '#contract/promotions/discount.ts';
import { findAccount, findTrusted } from '#server/accounts/find-account.service.ts';
import { findOrInvite } from '#server/accounts/invite.service.ts';
import { recordChange } from '#server/context/audit.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import { orderConfirmation } from '#server/mail/order-mails.ts';
import { askForPayment, endOfPayment } from '#server/orders/corrections/payment-link.service.ts';
import { endHoldsSoon } from '#server/orders/lines/holds.service.ts';
import {
  checkCount,
  checkQuantities,
  checkStock,
  inParts,
  type PricedLine,
  priceOfChoice,
  withOnlyColour,
} from '#server/orders/lines/pricing.ts';
import { lockProducts } from '#server/orders/lines/stock.service.ts';
import { tellOfOrder } from '#server/orders/office/staff.ts';
import { checkAddress, type PricedCart, storeOrder, workOut } from '#server/orders/place.service.ts';
import { readOrder } from '#server/orders/read.service.ts';
import { checkPayableByCard, lockOrdersOf } from '#server/orders/rules/ceilings.service.ts';
import { findEarlierByPhone, keyedRequest, phoneKey } from '#server/orders/rules/idempotency.ts';
import { sold } from '#server/orders/rules/states.ts';
import { recordEvent, tellCustomer } from '#server/orders/transitions.service.ts';
import { placeOverOwnHolds } from '#server/payments/end-holds.service.ts';
import type { PaymentServices } from '#server/payments/settle.service.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { isId, newId } from '#server/platform/ids.ts';
import { forgetBought } from '#server/wishlist/wishlist.service.ts';

type Wish = PhoneQuoteBody['lines'][number];
interface PhoneCart extends PricedCart {
  /** The lines as they were asked for, with sets whole. */
  asked: PricedLine[];
  /** The price of each of `asked` without an agreement. */
  usualPrices: Pence[];
  /** For each of `lines`, the index of its line in `asked`. */
  askedIndexes: number[];
}

/** Prices the lines of an order by phone: at today's price, or at the agreed one. Locks their products. Throws 400 and 409 as for any order. */
async function pricePhoneLines(tx: Tx, wishes: Wish[]): Promise<PhoneCart> {
  const products = await lockProducts(tx, [...new Set(wishes.map(({ product }) => product).filter(isId))]);
  const usual = wishes.map(({ product: id, agreed, ...choice }) => {
    const product = products.get(id);
    if (!product) throw new Problem(409, 'One of these products is no longer sold.');
    return { ...priceOfChoice(product, withOnlyColour(product, choice)), isAgreed: Boolean(agreed) };
  });
  const usualPrices = usual.map(({ price }) => price);
  const asked = usual.map((line, index) => ({ ...line, price: wishes[index]?.agreed?.price ?? line.price }));
  const parts = asked.map((line) => inParts(line, products));
  const lines = parts.flat();
  checkCount(lines);
  checkQuantities(lines);
  checkStock(lines, products);
  if (goodsSum(lines) > MAX_ORDER_TOTAL) throw new Problem(400, `An order can come to at most ${pounds(MAX_ORDER_TOTAL)}.`);
  return { products, lines, asked, usualPrices, askedIndexes: parts.flatMap((partLines, index) => partLines.map(() => index)) };
}

/** A line's name with size and colour, also where the shop has no name of its own for the colour. */
const nameOf = ({ name, size, color, colourName }: Omit<PricedLine, 'price'>): string =>
  lineName({ name, size, colourName: colourNameOf(color, colourName) });

/** `Oslo Sofa (Two-seat): £500.00 → £450.00 (scratched leg)`, for each agreed price. */
const agreedText = ({ asked, usualPrices }: PhoneCart, wishes: Wish[], { withReasons }: { withReasons: boolean }): string =>
  asked
    .flatMap(({ price, ...line }, index) => {
      const { agreed } = wishes[index] ?? {};
      if (!agreed) return [];
      const reason = withReasons ? ` (${agreed.reason})` : '';
      return [`${nameOf(line)}: ${pounds(usualPrices[index] ?? price)} → ${pounds(price)}${reason}`];
    })
    .join('. ');

async function findCustomer(db: Db, email: string | null | undefined): Promise<PhoneQuote['customer']> {
  const account = email ? await findTrusted(db, email) : undefined;
  if (!account) return null;
  const count = db.selectFrom('orders').select((eb) => eb.fn.countAll<number>().as('n'));
  const { n } = await count.where('userId', '=', account._id).where(sold).executeTakeFirstOrThrow();
  return { _id: account._id, name: account.name, orderCount: n, trust: account.trust };
}

/** What an order by phone comes to now. Throws 400 and 409 as placing it does. */
export function quotePhoneOrder(services: Pick<PaymentServices, 'db' | 'config'>, who: Admin, body: PhoneQuoteBody): Promise<PhoneQuote> {
  return transactionOf(services.db, who, async (tx) => {
    const customer = await findCustomer(tx, body.email);
    const cart = await pricePhoneLines(tx, body.lines);
    const place = { postalCode: body.postalCode, country: body.country };
    // Promotions count the uses of an account; a new one has none.
    const worked = await workOut(tx, services, customer?._id ?? newId(), cart, { code: body.code ?? '', place });
    const { subTotalPrice, discount: cartDiscount, lines, methods } = worked;
    const { refusal } = cartDiscount;
    if (refusal) throw new Problem(409, refusal, { code: refusal });
    const method = methodOf(methods, body.shippingMethod);
    return {
      customer,
      lines: cart.asked.map(({ price, qty, ...line }, askedIndex) => {
        // `workOut` keeps the order of the cart's lines.
        const parts = lines.filter((_, index) => cart.askedIndexes[index] === askedIndex);
        const discount = parts.reduce((sum, part) => sum + part.discount, 0);
        return { name: nameOf({ ...line, qty }), price, usualPrice: cart.usualPrices[askedIndex] ?? price, qty, discount };
      }),
      subTotalPrice,
      discount: cartDiscount.amount,
      discounts: cartDiscount.applied.map(shownPromotion),
      shippingMethod: method.id,
      shippingPrice: method.price,
      totalPrice: subTotalPrice - cartDiscount.amount + method.price,
      methods: methods.map(({ id, label, price, window, days }) => ({ id, label, price, window: window ?? null, days })),
    };
  });
}

/** The parts of a payload that define the order, for its hash. */
const hashedParts = ({ expected: _, ...body }: PhoneOrderBody) => ['phone', body];

/**
 * Places an order for a customer on the phone (decision 143). The account is found or made by its email address. An order with a payment link is cancelled
 * unless it is paid within 48 hours. Staff decide: neither the limits of cash orders nor the approval of large first ones (`isTrusted`) apply.
 * Throws as placing an order does, and 409 for another total than was quoted.
 */
export async function placePhoneOrder(
  services: PaymentServices,
  who: Admin,
  body: PhoneOrderBody,
  key: string | undefined,
): Promise<Order> {
  const { db, config, metrics } = services;
  checkAddress(config.market, body);
  const request = keyedRequest(phoneKey(key), hashedParts(body));
  const placeOnce = () => transactionOf(db, who, (tx) => placeIn(tx, services, who, body, request));
  const account = await findAccount(db, body.email);
  // A customer who rings because a card payment got stuck still holds the pieces. After any 409 these holds end, and the order is tried again.
  const mayEndHolds = async () => true;
  const { id, isNew } = await (account ? placeOverOwnHolds(services, account, mayEndHolds, placeOnce) : placeOnce());
  const order = await readOrder(db, who, id);
  if (isNew) metrics.orderPlaced(order.paymentMethod);
  return order;
}

async function placeIn(
  tx: Tx,
  services: PaymentServices,
  who: Admin,
  body: PhoneOrderBody,
  request: ReturnType<typeof keyedRequest>,
): Promise<{ id: string; isNew: boolean }> {
  const { config } = services;
  const earlier = await findEarlierByPhone(tx, request);
  if (earlier) return { id: earlier.id, isNew: false };
  const buyer = await findOrInvite(tx, services, who, { name: body.fullName, email: body.email });
  await lockOrdersOf(tx, buyer);
  const cart = await pricePhoneLines(tx, body.lines);
  const isByLink = body.payment === 'link';
  const { order } = await storeOrder(
    tx,
    services,
    buyer,
    { cart, discount: body.code ? { code: body.code } : null },
    {
      id: newId(),
      status: 'placed',
      ...body.shippingAddress,
      postalCode: tidyPostalCode(body.shippingAddress),
      paymentMethod: isByLink ? PAYMENT_METHOD.online : PAYMENT_METHOD.cash,
      orderPaymentId: null,
      fullName: body.fullName,
      email: buyer.email,
      phone: body.phone,
      shippingMethod: body.shippingMethod ?? null,
      deliveryNote: body.deliveryNote ?? '',
      business: null,
      deliveryDay: body.deliveryDay ?? null,
      holdExpiresAt: null,
      isTrusted: true,
      request,
    },
  );
  const { _id: id, totalPrice } = order;
  if (totalPrice !== body.expected)
    throw new Problem(409, `The total is ${pounds(totalPrice)} now. Please tell the customer, then try again.`);
  if (isByLink) checkPayableByCard(totalPrice);
  await recordEvent(tx, id, { kind: 'taken by phone', actor: who.name, detail: agreedText(cart, body.lines, { withReasons: true }) });
  // A reason may name somebody: erasing a customer empties the event above, and not this record.
  const agreed = agreedText(cart, body.lines, { withReasons: false });
  await recordChange(tx, who, 'order', id, `Took the order by phone${agreed && `. ${agreed}`}`);
  // Checkouts that were not in the way, so that nobody pays for the same pieces by card. A job, since it closes their pages at the provider.
  await endHoldsSoon(tx, buyer._id);
  await forgetBought(
    tx,
    buyer._id,
    cart.asked.map(({ productId }) => productId),
  );
  if (isByLink) await askForPayment(tx, services, who, order, endOfPayment());
  else {
    await tellOfOrder(tx, services, order);
    await tellCustomer(tx, id, (mailOrder) => orderConfirmation(config, mailOrder));
  }
  return { id, isNew: true };
}
