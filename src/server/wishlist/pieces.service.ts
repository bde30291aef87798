import type { Piece } from '#contract/catalogue/catalogue.ts';
import { piecesLeft, priceOf, stockOfSize, wasPriceOf } from '#contract/catalogue/catalogue.ts';
import type { ListedLine, Wish, WishPiece } from '#contract/wishlist/wishlist.ts';
import { reviewCount, sizesInOrder } from '#server/catalogue/catalogue.service.ts';
import { pieceOf } from '#server/catalogue/piece.ts';
import { isOneOf } from '#server/platform/database/arrays.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { isId } from '#server/platform/ids.ts';

/** The products of some entries, by id, without those that are not in the shop. */
export async function readListed(db: Db, entries: readonly Pick<Wish, '_id'>[]) {
  const ids = [...new Set(entries.map(({ _id }) => _id).filter(isId))];
  const products = await db
    .selectFrom('products')
    .select([
      'id as _id',
      'name',
      'price',
      'wasPrice',
      'fromPrice',
      'countInStock',
      'images',
      'shown',
      'colors',
      'rating',
      reviewCount.as('reviewCount'),
      sizesInOrder,
    ])
    .where(isOneOf(ids))
    .where('deletedAt', 'is', null)
    .execute();
  return new Map(products.map((product) => [product._id, product]));
}
type Listed = Awaited<ReturnType<typeof readListed>>;
type ListedProduct = Listed extends Map<string, infer Product> ? Product : never;

/** A wish as a piece. A size or colour that is no longer sold counts as not chosen. */
function wishPiece(product: ListedProduct, wish: Wish): WishPiece {
  const size = product.sizes.find((one) => one.size === wish.size)?.size;
  const hasColour = product.colors.some(({ hexCode }) => hexCode === wish.color);
  const piece = pieceOf(product, { size, colour: hasColour ? wish.color : null });
  const needsSize = product.sizes.length > 1 && !size;
  const prices = needsSize ? product.sizes.map((one) => priceOf(product, one.size)) : [piece.price];
  const cheapest = product.sizes[prices.indexOf(Math.min(...prices))]?.size;
  const pricedSize = needsSize ? cheapest : (piece.size ?? undefined);
  const left = needsSize ? piecesLeft(product) : stockOfSize(product, piece.size);
  return {
    ...piece,
    price: Math.min(...prices),
    isSold: left > 0,
    chosen: { size: needsSize ? null : piece.chosen.size, colour: hasColour ? piece.chosen.colour : null },
    wish,
    needsSize,
    isFrom: new Set(prices).size > 1,
    wasPrice: wasPriceOf(product, pricedSize),
    piecesLeft: left,
    rating: product.rating,
    reviewCount: product.reviewCount,
  };
}

/** The pieces of a wish list in its order, without those that are no longer in the shop. */
export async function readPieces(db: Db, wishes: readonly Wish[]): Promise<WishPiece[]> {
  const products = await readListed(db, wishes);
  return wishes.flatMap((wish) => {
    const product = products.get(wish._id);
    return product ? [wishPiece(product, wish)] : [];
  });
}

/** A cart line as a piece; null if its product or size is no longer sold. The size of a product with only one need not match. */
export function linePiece(products: Listed, { _id, size, color }: ListedLine): Piece | null {
  const product = products.get(_id);
  if (!product) return null;
  const piece = pieceOf(product, { size, colour: color });
  return piece.size === size || product.sizes.length < 2 ? piece : null;
}

/** The stock of a cart line; undefined if its product is not in the shop. */
export function stockOf(products: Listed, { _id, size }: ListedLine): number | undefined {
  const product = products.get(_id);
  return product && stockOfSize(product, size);
}
