import { colourNameOf } from '#contract/catalogue/colour.ts';
import { markUrl, shownUrl } from '#contract/catalogue/pictures.ts';
import { canBeSamePostcode } from '#contract/delivery/areas.ts';
import { dayText } from '#contract/delivery/delivery-window.ts';
import { COUNTRY_CODES, COUNTRY_NAMES, countryCode } from '#contract/market/countries.ts';
import type { Pence } from '#contract/market/money.ts';
import { onlineWays } from '#contract/market/payment-ways.ts';
import type { CheckoutSession, CheckoutSessionBody } from '#contract/orders/orders.ts';
import { Problem } from '#contract/platform/problem.ts';
import { goodsSum } from '#contract/promotions/discount.ts';
import type { Ctx, Customer } from '#server/context/context.ts';
import type { KnownPayer, NewSession } from '#server/gateways/new-session.ts';
import { giveUpCheckout, notePaymentPage } from '#server/orders/card.service.ts';
import { codeOf } from '#server/orders/place.service.ts';
import { isPayableByCard } from '#server/orders/rules/ceilings.service.ts';
import { limitGuesses } from '#server/promotions/uses.service.ts';
import { endHolds } from './end-holds.service.ts';
import type { PaymentServices } from './settle.service.ts';
import { awaitTwin, type Hold, reserve } from './take-hold.service.ts';

/** How long a hold may wait for its page; after that, the process that opens it has died. */
const LONGEST_OPENING_MS = 20_000;

const goodsPaidOf = ({ lines, discount }: Hold): Pence => goodsSum(lines) - discount.amount;

/** The delivery options with which the order can be paid by card, the default before others. The chosen one comes first, with its day: the page preselects it. */
function shippingOptionsOf(hold: Hold): NewSession['shippingOptions'] {
  const { methods, shippingMethod, deliveryDay } = hold;
  // Delivery is included: the page has nothing to choose.
  if (methods.length === 1 && methods[0]?.price === 0) return [];
  return methods
    .filter(({ price }) => isPayableByCard(goodsPaidOf(hold) + price))
    .toSorted((a, b) => Number(b.id === shippingMethod) - Number(a.id === shippingMethod))
    .map(({ id, label, price, minDays, maxDays, unit }) => {
      if (deliveryDay && id === shippingMethod) return { id, label: `${label} on ${dayText(deliveryDay)}`, amount: price };
      return { id, label, amount: price, estimate: { min: minDays, max: maxDays, unit } };
    });
}

/**
 * Starts a card checkout: holds the stock in an order that awaits its payment, and opens a page at the provider. A customer has one page at a
 * time, so an earlier one is closed first. The same key returns the same page.
 * Throws 409 as placing an order does, and while another page of the customer is being opened. Throws 502 or 503 if the provider fails, and
 * releases the stock.
 */
export async function startCheckout(
  services: PaymentServices & Pick<Ctx, 'leaveTurn'>,
  who: Customer,
  body: CheckoutSessionBody,
  { key, ip }: { key: string | undefined; ip: string },
): Promise<CheckoutSession> {
  await limitGuesses(services, codeOf(body.discount), { ip, account: who._id });
  let reserved = await reserve(services, who, body, key);
  services.leaveTurn?.();
  if ('open' in reserved) {
    await closeEarlier(services, reserved.open);
    reserved = await reserve(services, who, body, key);
  }
  if ('open' in reserved) throw busy();
  return 'twin' in reserved ? awaitTwin(services.db, reserved.twin) : openPage(services, who, body, reserved);
}

/**
 * The payer as far as known: what was typed at the checkout, else what the latest order has, else the account's name and the cart's postcode. An address
 * with another postcode is left out, since the price of delivery is for the cart's.
 */
async function findPayer(
  { db, config }: Pick<PaymentServices, 'db' | 'config'>,
  who: Customer,
  { payer: typed, postcode }: CheckoutSessionBody,
): Promise<KnownPayer> {
  const latest = await db
    .selectFrom('orders')
    .select(['fullName', 'phone', 'line1', 'line2', 'city', 'state', 'postalCode', 'country'])
    .where('userId', '=', who._id)
    .where('line1', '!=', '')
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  const typedAddress = typed?.shippingAddress.line1 ? typed.shippingAddress : undefined;
  const found = [typedAddress, latest].find((address) => address && (!postcode || canBeSamePostcode(address.postalCode, postcode)));
  const { line1 = '', line2 = '', city = '', state = '', postalCode = postcode ?? '', country } = found ?? {};
  const countryName = country || config.market.defaultCountry;
  const isAddressKnown = (line1 || postalCode) && COUNTRY_NAMES.includes(countryName);
  return {
    name: typed?.fullName || latest?.fullName || who.name,
    phone: typed?.phone || latest?.phone || '',
    ...(isAddressKnown && { address: { line1, line2, city, state, postalCode, country: countryCode(countryName) } }),
  };
}

const busy = () => new Problem(409, 'Your payment page is opening. Please wait a moment, then try again.', undefined, 5);

/** Closes a customer's earlier pages. Throws 409 for one that is still being opened, and 503 if the provider does not close one in time. */
async function closeEarlier(
  services: PaymentServices,
  open: { id: string; createdAt: string; paymentUrl: string | null }[],
): Promise<void> {
  if (open.some(({ createdAt, paymentUrl }) => !paymentUrl && Math.abs(Date.now() - Date.parse(createdAt)) < LONGEST_OPENING_MS))
    throw busy();
  const isDone = await endHolds(
    services,
    open.map(({ id }) => id),
  );
  if (!isDone) throw new Problem(503, 'Your earlier payment page could not be closed yet. Please try again in a moment.', undefined, 5);
}

/** The provider fetches the logo, so it must be on the public web. */
export function brandOf({ company: { shop, logo }, publicUrl, picturesUrl }: PaymentServices['config']): NewSession['brand'] {
  const origin = picturesUrl || publicUrl;
  return { name: shop, logo: logo && origin.startsWith('https:') ? shownUrl(origin, markUrl(logo)) : '' };
}

async function openPage(services: PaymentServices, who: Customer, body: CheckoutSessionBody, hold: Hold): Promise<CheckoutSession> {
  const { db, config, payments } = services;
  const { id, reference, lines, discount, cancelToken, sessionExpiresAt } = hold;
  const shippingOptions = shippingOptionsOf(hold);
  try {
    const session = await payments.createSession({
      orderId: id,
      reference,
      brand: brandOf(config),
      lines: lines.map(({ name, size, color, colourName, price, qty }) => ({
        name,
        description: [size, colourNameOf(color, colourName)].filter(Boolean).join(', '),
        amount: price,
        quantity: qty,
      })),
      discount,
      customerEmail: who.email,
      payer: await findPayer(services, who, body),
      ways: onlineWays(config.company.payment, goodsPaidOf(hold) + (shippingOptions[0]?.amount ?? 0)),
      successUrl: `${config.publicUrl}/successPayment`,
      cancelUrl: `${config.publicUrl}/cart?left=${cancelToken}`,
      expiresAt: sessionExpiresAt,
      countries: config.market.countries?.map(countryCode) ?? COUNTRY_CODES,
      shippingOptions,
    });
    if (await notePaymentPage(db, id, session)) return { url: session.url, orderId: id };
    // The hold was released meanwhile, such as by a cash order.
    await payments.expireSession(session.id);
  } catch (error) {
    await giveUpCheckout(db, id, 'the payment page could not be opened');
    throw error;
  }
  throw new Problem(409, 'This payment was cancelled while its page was opening. Please start again from your cart.');
}
