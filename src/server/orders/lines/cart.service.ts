import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { priceOf, stockOfSize, wasPriceOf } from '#contract/catalogue/catalogue.ts';
import { colourNameOf, ownColourName } from '#contract/catalogue/colour.ts';
import { readSetParts, setsLeft } from '#contract/catalogue/set-parts.ts';
import type { CartLine, CheckedCart, CheckedLine } from '#contract/orders/orders.ts';
import { isMadeOf } from '#server/catalogue/lock-order.ts';
import type { Customer } from '#server/context/context.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { jsonKeys } from '#server/platform/database/json-key.ts';
import { isId } from '#server/platform/ids.ts';
import { heldPieces, withHeld } from './holds.service.ts';
import { chosenPicture, namedParts, sizeOfLine } from './pricing.ts';
import type { LockedProduct } from './stock.service.ts';

/**
 * Checks a cart's lines: whether each is still sold, its price and its stock. Pieces in the customer's own holds count as available, since buying
 * releases them first.
 */
export async function checkCart(db: Db, who: Customer | undefined, lines: CartLine[]): Promise<CheckedCart> {
  const held = who ? await heldPieces(db, who._id) : new Map<string, number>();
  const asked = lines.map(({ _id }) => _id).filter(isId);
  const products = await db
    .selectFrom('products')
    .select(['id', 'name', 'price', 'wasPrice', 'countInStock', 'images', 'shown', 'colors', 'setParts'])
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('productSizes')
          .select(['size', 'quantity', 'price', ...jsonKeys('productSizes', 'wasPrice')])
          .whereRef('productId', '=', 'products.id'),
      ).as('sizes'),
    )
    .where(isMadeOf(asked))
    .where('deletedAt', 'is', null)
    .execute();
  const byId = new Map(products.map((product) => [product.id, withHeld(product, held)]));
  return {
    lines: lines.map((line) => checkedLine(line, withParts(byId.get(line._id), byId))),
  };
}

/** A set with the stock that its parts make, and with their names; any other product unchanged. */
function withParts(product: CartProduct | undefined, products: ReadonlyMap<string, CartProduct>): CartProduct | undefined {
  const parts = product?.setParts ? (readSetParts(product.setParts) ?? []) : [];
  if (!product || parts.length === 0) return product;
  // A set with a part that has become a set itself cannot be bought.
  const stockOf = (id: string) => (products.get(id)?.setParts ? undefined : products.get(id));
  return { ...product, countInStock: setsLeft(parts, stockOf), parts: namedParts(product.setParts, products) };
}

type CartProduct = Pick<LockedProduct, 'name' | 'price' | 'countInStock' | 'images' | 'shown' | 'colors' | 'setParts'> & {
  wasPrice: number | null;
  parts?: CheckedLine['parts'];
  sizes: (LockedProduct['sizes'][number] & { wasPrice: number | null })[];
};

function checkedLine({ _id, size: askedSize, color }: CartLine, product: CartProduct | undefined): CheckedLine {
  const chosenSize = product ? sizeOfLine(askedSize, product.sizes) : 'gone';
  const colour = product?.colors.find(({ hexCode }) => hexCode === color);
  const base = {
    _id,
    colourName: colourNameOf(color, colour && ownColourName(colour)),
    name: product?.name ?? '',
    image: product?.images[0] ?? '',
    picture: product ? chosenPicture(product, askedSize ?? null, color) : '',
    needsSize: chosenSize === 'open',
    parts: product?.parts ?? [],
  };
  if (!product || chosenSize === 'gone') return { ...base, isSold: false, size: null, price: 0, wasPrice: null, available: 0 };
  if (chosenSize === 'open') return { ...base, isSold: true, size: null, price: product.price, wasPrice: null, available: 0 };
  const { size } = chosenSize;
  const price = priceOf(product, size ?? undefined);
  return {
    ...base,
    isSold: price > 0,
    size,
    price,
    wasPrice: wasPriceOf(product, size ?? undefined),
    available: price > 0 ? stockOfSize(product, size) : 0,
  };
}
