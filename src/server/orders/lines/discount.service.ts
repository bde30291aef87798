import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { priceOf } from '#contract/catalogue/catalogue.ts';
import { deliveryOptionsFor } from '#contract/delivery/delivery-options.ts';
import { UNITED_KINGDOM } from '#contract/market/market.ts';
import type { CartDiscountBody, CartLine } from '#contract/orders/orders.ts';
import { discountOf, type Goods, goodsSum, shownPromotion } from '#contract/promotions/discount.ts';
import type { CartDiscount } from '#contract/promotions/promotions.ts';
import type { Customer } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { isOneOf } from '#server/platform/database/arrays.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { isId } from '#server/platform/ids.ts';
import { limitGuesses, readForCart } from '#server/promotions/uses.service.ts';
import { deliveryOfPieces } from './delivery-load.service.ts';
import { type SetOfLine, sizeOfLine } from './pricing.ts';

/** Priced lines with the categories and brands that promotions ask for; a part of a set counts as the set. */
export const goodsOf = (
  lines: readonly (Pick<Goods, 'productId' | 'price' | 'qty'> & { set?: SetOfLine })[],
  products: ReadonlyMap<string, Pick<Goods, 'category' | 'brand'>>,
): Goods[] =>
  lines.map(({ set, price, qty, ...line }) => {
    const productId = set?.id ?? line.productId;
    const { category = '', brand = '' } = products.get(productId) ?? {};
    return { productId, category, brand, price, qty, ...(set && { set }) };
  });

/** The lines of a cart that can be bought, at today's prices. */
async function readGoods(db: Db, lines: CartLine[]): Promise<Goods[]> {
  const ids = lines.map(({ _id }) => _id).filter(isId);
  const products = await db
    .selectFrom('products')
    .select(['id', 'price', 'category', 'brand'])
    .select((eb) =>
      jsonArrayFrom(
        eb.selectFrom('productSizes').select(['size', 'price', 'quantity']).whereRef('productId', '=', 'products.id').orderBy('position'),
      ).as('sizes'),
    )
    .where(isOneOf(ids))
    .where('deletedAt', 'is', null)
    .execute();
  const byId = new Map(products.map((product) => [product.id, product]));
  const priced = lines.flatMap(({ _id: productId, size, qty }) => {
    const product = byId.get(productId);
    // A string is the reason why the line has no size that can be bought.
    const chosenSize = product && sizeOfLine(size, product.sizes);
    if (!product || !chosenSize || typeof chosenSize === 'string') return [];
    return [{ productId, price: priceOf(product, chosenSize.size ?? undefined), qty }];
  });
  return goodsOf(priced, byId);
}

/** The discount of a cart if it were ordered now. Throws 429 after too many unknown codes. */
export async function readCartDiscount(
  services: Pick<Services, 'db' | 'config'>,
  who: Customer | undefined,
  body: CartDiscountBody,
  ip: string,
): Promise<CartDiscount> {
  const { db, config } = services;
  const { orderItems, postcode } = body;
  const code = body.code ?? '';
  const isUnknown = await limitGuesses(services, code, { ip, account: who?._id ?? '' });
  const lines = await readGoods(db, orderItems);
  const now = new Date().toISOString();
  const place = { postalCode: postcode ?? '', country: postcode ? UNITED_KINGDOM : '' };
  const { delivery } = await deliveryOfPieces(
    db,
    config.delivery,
    lines.map(({ productId }) => productId),
  );
  const { options } = deliveryOptionsFor(delivery, { now, place, subtotal: goodsSum(lines) });
  // The first option is the default one, which free delivery is for.
  const promotions = await readForCart(db, code, who?._id ?? null);
  const { amount, isFreeDelivery, applied, refusal } = discountOf({ lines, delivery: options[0]?.price ?? 0, at: now, promotions, code });
  return { amount, isFreeDelivery, applied: applied.map(shownPromotion), refusal, isUnknown };
}
