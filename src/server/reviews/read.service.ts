import { createHash } from 'node:crypto';
import { type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { may } from '#contract/accounts/roles.ts';
import { colourNameOf } from '#contract/catalogue/colour.ts';
import { variantText } from '#contract/catalogue/variant.ts';
import { PAGE_SIZE } from '#contract/platform/lists.ts';
import { Problem } from '#contract/platform/problem.ts';
import type { ListReviewsQuery, MyReview, OfficeReview, OfficeReviewList, Review, ReviewList } from '#contract/reviews/reviews.ts';
import { signedPictures } from '#server/catalogue/hidden-review-pictures.ts';
import type { Admin, Customer } from '#server/context/context.ts';
import { selectDelivered } from '#server/orders/read.service.ts';
import { isOneOf } from '#server/platform/database/arrays.ts';
import { compiledOnce } from '#server/platform/database/compiled-query.ts';
import type { Db } from '#server/platform/database/connect.ts';
import type { DB } from '#server/platform/database/schema.ts';
import { type List, readPage, type Sort } from '#server/platform/lists/read-page.ts';
import { publicName } from './public-name.ts';
import { NO_STARS } from './summary.ts';

/** They begin with the product, as the indexes of reviews do. */
const SORTS: Record<ListReviewsQuery['sortBy'], Sort> = {
  newest: { columns: ['product_id', 'created_at', 'id'], direction: 'desc' },
  highest: { columns: ['product_id', 'rating', 'id'], direction: 'desc' },
  lowest: { columns: ['product_id', 'rating', 'id'], direction: 'asc' },
  helpful: { columns: ['product_id', 'helpful', 'id'], direction: 'desc' },
};

export const unknownReview = () => new Problem(404, 'There is no such review.');

/** The author's latest order line of the piece before the review. */
const selectBought = (eb: ExpressionBuilder<DB, 'reviews'>) =>
  eb
    .selectFrom('orders')
    .innerJoin('orderItems', 'orderItems.orderId', 'orders.id')
    .select(['orderItems.size', 'orderItems.color', 'orderItems.colourName'])
    .whereRef('orders.userId', '=', 'reviews.userId')
    .whereRef('orderItems.productId', '=', 'reviews.productId')
    .whereRef('orders.createdAt', '<=', 'reviews.createdAt')
    .orderBy('orders.createdAt', 'desc')
    .limit(1)
    .as('bought');

function selectReviews(db: Db) {
  return db
    .selectFrom('reviews')
    .select([
      'id as _id',
      'productId',
      'author',
      'rating',
      'text',
      'images',
      'createdAt',
      'helpful',
      'reply',
      'repliedAt',
      'hiddenAt',
      'hiddenReason',
      'pictureKey',
      'isNew',
    ])
    .select((eb) => eb.selectFrom('users').select('name').whereRef('users.id', '=', 'reviews.userId').$asScalar().$notNull().as('name'))
    .select((eb) =>
      eb.selectFrom('products').select('name').whereRef('products.id', '=', 'reviews.productId').$asScalar().$notNull().as('productName'),
    )
    .leftJoinLateral(selectBought, (join) => join.onTrue())
    .select(['bought.size', 'bought.color', 'bought.colourName']);
}
type Row = Awaited<ReturnType<ReturnType<typeof selectReviews>['execute']>>[number];

const hiddenReasonOf = ({ hiddenAt, hiddenReason }: Row) => (hiddenAt ? hiddenReason : null);
const imagesOf = ({ images, hiddenAt, pictureKey }: Row) => (hiddenAt ? signedPictures(images, pictureKey) : images);
/** Public fields only: pages embed the result unchanged. Reviews of earlier versions have no `author`, and show the account's. */
function reviewOf(row: Row): Review {
  const { _id, rating, text, createdAt, helpful, reply, repliedAt, name } = row;
  const variant = variantText({ size: row.size ?? undefined, colour: colourNameOf(row.color, row.colourName) ?? undefined });
  return {
    _id,
    rating,
    text,
    images: imagesOf(row),
    author: row.author ?? publicName(name),
    variant,
    createdAt,
    helpful,
    reply,
    repliedAt,
  };
}
/** A hash of what the customer has written, by which a later change is noticed. */
export const markOf = ({ rating, text, images, author }: Pick<Row, 'rating' | 'text' | 'images' | 'author'>): string =>
  createHash('sha256')
    .update(JSON.stringify([rating, text, images, author]))
    .digest('base64url');

/** For staff; the whole name only for those who may see customers. */
const officeReviewOf = (who: Admin, row: Row): OfficeReview => ({
  ...reviewOf(row),
  customer: may(who, 'see customers') ? row.name : (row.author ?? publicName(row.name)),
  hiddenReason: hiddenReasonOf(row),
  isNew: row.isNew,
  mark: markOf(row),
  product: { _id: row.productId, name: row.productName },
});

/** Throws 404 for a product that is unknown or, outside the back office, deleted. */
async function refuseUnknownProduct(db: Db, id: string, isOffice = false): Promise<void> {
  const found = await db.selectFrom('products').select('deletedAt').where('id', '=', id).executeTakeFirst();
  if (!found || (found.deletedAt && !isOffice)) throw new Problem(404, 'Product not found');
}

function readReviews(db: Db, list: Pick<List, 'where' | 'sort' | 'total'>, paging: { pageNumber: number; pageSize: number }) {
  return readPage(db, { table: 'reviews', isIndexed: true, ...list }, paging, (ids) => selectReviews(db).where(isOneOf(ids)).execute());
}

/** A product that is not deleted, with its number of reviews per star. */
const selectSummary = compiledOnce((db, id: string) =>
  db
    .selectFrom('products')
    .leftJoin('reviewSummaries', 'reviewSummaries.productId', 'products.id')
    .select('counts')
    .where('products.id', '=', id)
    .where('products.deletedAt', 'is', null),
);

/** One page of a product's visible reviews, with the counts per star. Throws 404 for an unknown product. */
export async function listReviews(db: Db, productId: string, { pageNumber, sortBy }: ListReviewsQuery): Promise<ReviewList> {
  const [product] = await selectSummary(db, productId);
  if (!product) throw new Problem(404, 'Product not found');
  const counts = product.counts ?? NO_STARS;
  const shownCount = counts.reduce((sum, count) => sum + count, 0);
  const where = sql<SqlBool>`product_id = ${productId}::uuid and hidden_at is null`;
  const list = { where, sort: SORTS[sortBy], total: async () => shownCount };
  const { rows, ...page } = await readReviews(db, list, { pageNumber, pageSize: PAGE_SIZE.reviews });
  return { reviews: rows.map(reviewOf), ...page, counts };
}

/** The customer's own review of a product, whether they may write one, and their votes. Throws 404 for an unknown product. */
export async function readMyReview(db: Db, who: Customer, productId: string): Promise<MyReview> {
  await refuseUnknownProduct(db, productId);
  const ownReview = await selectReviews(db).where('productId', '=', productId).where('userId', '=', who._id).executeTakeFirst();
  const votes = await db
    .selectFrom('reviewVotes')
    .innerJoin('reviews', 'reviews.id', 'reviewVotes.reviewId')
    .select('reviews.id')
    .where('reviewVotes.userId', '=', who._id)
    .where('reviews.productId', '=', productId)
    .execute();
  return {
    review: ownReview ? { ...reviewOf(ownReview), hiddenReason: hiddenReasonOf(ownReview) } : null,
    mayReview: !ownReview && (await hasReceived(db, who._id, productId)),
    helpful: votes.map(({ id }) => id),
  };
}

/** Whether the account has a delivered order with this product. */
export async function hasReceived(db: Db, userId: string, productId: string): Promise<boolean> {
  const found = await selectDelivered(db)
    .innerJoin('orderItems', 'orderItems.orderId', 'orders.id')
    .where('orders.userId', '=', userId)
    .where('orderItems.productId', '=', productId)
    .whereRef('orderItems.cancelledQty', '<', 'orderItems.qty')
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** One page of a product's reviews including hidden ones, newest first. Throws 404 for an unknown product. */
export async function listOfficeReviews(db: Db, who: Admin, productId: string, pageNumber: number): Promise<OfficeReviewList> {
  await refuseUnknownProduct(db, productId, true);
  const where = sql<SqlBool>`product_id = ${productId}::uuid`;
  const { rows, ...page } = await readReviews(db, { where, sort: SORTS.newest }, { pageNumber, pageSize: PAGE_SIZE.admin });
  return { reviews: rows.map((row) => officeReviewOf(who, row)), ...page };
}

/** One page of the reviews that nobody has looked at, the oldest first. */
export async function listNewReviews(db: Db, who: Admin, pageNumber: number): Promise<OfficeReviewList> {
  const list = { where: sql<SqlBool>`is_new`, sort: { columns: ['created_at', 'id'], direction: 'asc' } } as const;
  const { rows, ...page } = await readReviews(db, list, { pageNumber, pageSize: PAGE_SIZE.admin });
  return { reviews: rows.map((row) => officeReviewOf(who, row)), ...page };
}

/** How many reviews nobody has looked at. */
export const countNewReviews = sql`select count(*)::int from reviews where is_new`;

/** One review for the back office. Throws 404. */
export async function readOfficeReview(db: Db, who: Admin, id: string): Promise<OfficeReview> {
  const row = await selectReviews(db).where('id', '=', id).executeTakeFirstOrThrow(unknownReview);
  return officeReviewOf(who, row);
}
