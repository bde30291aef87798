import { type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Colour, ListProductsQuery, Product, ProductCard, ProductList } from '#contract/catalogue/catalogue.ts';
import { colourName } from '#contract/catalogue/colour.ts';
import { PUBLIC_COLUMNS } from '#contract/catalogue/product-fields.ts';
import { pictureOf, type Shown } from '#contract/catalogue/shown-picture.ts';
import type { LeadTime } from '#contract/delivery/lead-time.ts';
import { loadOfProduct } from '#contract/delivery/load.ts';
import { isCarriedByTwo } from '#contract/delivery/two-person-delivery.ts';
import { PAGE_SIZE, pagesOf } from '#contract/platform/lists.ts';
import { Problem } from '#contract/platform/problem.ts';
import { isOneOf } from '#server/platform/database/arrays.ts';
import { compiledOnce } from '#server/platform/database/compiled-query.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { jsonKeys } from '#server/platform/database/json-key.ts';
import type { DB } from '#server/platform/database/schema.ts';
import type { Cached } from '#server/platform/http/route.ts';
import { isId } from '#server/platform/ids.ts';
import { comparable } from '#server/search/folded.ts';
import { carryingOfSizes } from './attributes/carrying.ts';
import { filtersOf, isBySize } from './find/filters.ts';
import { type Finder, find } from './find/find.service.ts';
import type { Part } from './find/read-ids.ts';
import { careOf, inBothUnits } from './product-texts.ts';
import { type FiltersAndSort, variantFor } from './variant.ts';

/** The sizes of a product in the administrator's order, with the columns that shoppers may see. */
export const sizesInOrder = (eb: ExpressionBuilder<DB, 'products'>) =>
  jsonArrayFrom(
    eb
      .selectFrom('productSizes')
      .select(['size', 'quantity', 'price', ...jsonKeys('productSizes', 'wasPrice'), 'measurements', 'sku', 'barcode', 'weight', 'model'])
      .whereRef('productSizes.productId', '=', 'products.id')
      .orderBy('position'),
  ).as('sizes');

/** The price outside sales. */
export const usualPrice = sql<number>`coalesce(regular_price, price)`;

/** The known outer dimensions of each size. */
const dimensions = (eb: ExpressionBuilder<DB, 'products'>) =>
  jsonArrayFrom(
    eb
      .selectFrom('productDimensions')
      .select(['position', 'width', 'depth', 'height', 'door'])
      .whereRef('productDimensions.productId', '=', 'products.id')
      .where(sql<SqlBool>`num_nonnulls(width, depth, height) > 0`)
      .orderBy('position'),
  ).as('dimensions');

const sizeCount = sql<number>`(select count(*)::int from product_sizes where product_id = products.id)`;
/** During a sale the earlier price of the cheapest size, or of a product without sizes. */
export const wasPrice = sql<number | null>`case when sale_since is not null then (
  select case when s.product_id is null then products.was_price else s.was_price end
  from (select) one left join product_sizes s on s.product_id = products.id
  order by coalesce(nullif(s.price, 0), products.price), s.position limit 1) end`;
const saleEnds = sql<string | null>`case when sale_since is not null then sale_to end`;
/** The pieces that can be bought: the count, or fewer if the sizes add up to fewer. `least` ignores the null of a product without sizes. */
export const piecesLeft = sql<number>`least(count_in_stock, (select sum(quantity)::int from product_sizes where product_id = products.id))`;
export const reviewCount = sql<number>`coalesce((select (select sum(n)::int from unnest(counts) as n) from review_summaries where product_id = products.id), 0)`;

/** The columns of a product card. */
export const cardColumns = [
  'id as _id',
  'name',
  'category',
  'subCategory',
  'brand',
  'price',
  'countInStock',
  'images',
  'isNewArrival',
  'isRecommend',
  'rating',
  reviewCount.as('reviewCount'),
  dimensions,
  sizeCount.as('sizeCount'),
  'fromPrice',
  'toPrice',
  wasPrice.as('wasPrice'),
  saleEnds.as('saleEnds'),
  piecesLeft.as('piecesLeft'),
  'colors',
] as const;

/** A card's or a product's row with the names of its colours. */
export const withColourNames = <Row extends { colors: Colour[] }>(row: Row) => ({
  ...row,
  colors: row.colors.map((colour) => ({ ...colour, name: colourName(colour) })),
});

const NEW_ARRIVALS = 24;

/**
 * The place of a list in the page cache: queries with the same effect share one answer. A search has what is in stock first, and a size that is sold out does
 * not count for a minimum price or a length.
 */
export function cachedList({ pageNumber, sortBy, ...query }: ListProductsQuery): Cached {
  const filters = filtersOf(query);
  const search = query.search && comparable(query.search);
  const isByStock = filters.isInStock || search || filters.price.min !== undefined || isBySize(filters);
  return { key: [filters, search, sortBy, pageNumber], dependsOn: isByStock ? ['named', 'products', 'stock'] : ['named', 'products'] };
}

/** The measurements of each size that filters check. `seat` is one word, since names within JSON stay in snake case. */
const measured = (eb: ExpressionBuilder<DB, 'products'>) =>
  jsonArrayFrom(
    eb
      .selectFrom('productDimensions')
      .select(['position', 'width', 'depth', 'height', 'door', 'seatHeight as seat', 'productDimensions.seats'])
      .whereRef('productDimensions.productId', '=', 'products.id'),
  ).as('measured');

/** Cards with the columns that choose their variants, in one statement. */
const cardsWithVariants = compiledOnce((db, ids: string[]) =>
  db
    .selectFrom('products')
    .select([...cardColumns, 'shown', sizesInOrder, measured])
    .where(isOneOf(ids))
    .where('deletedAt', 'is', null),
);

/** The cards of some products in their order, each as the variant that matches the list. */
export async function readCards(db: Db, ids: string[], asked: FiltersAndSort): Promise<ProductCard[]> {
  const rows = ids.length === 0 ? [] : await cardsWithVariants(db, ids);
  const byId = new Map(
    rows.map(({ shown, sizes, measured, ...row }) => [
      row._id,
      {
        ...withColourNames(row),
        variant: variantFor(
          { ...row, shown, sizes, measured: measured.map(({ seat, ...size }) => ({ ...size, seatHeight: seat })) },
          asked,
        ),
      },
    ]),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** A part of the list that parameters ask for (specification §7, clarifications on lists). */
export async function findProducts(services: Finder, query: ListProductsQuery, part: Part) {
  const { ids, asked, ...list } = await find(services, query, part);
  return { ...list, products: await readCards(services.readDb, ids, asked) };
}

export async function listProducts(services: Finder, query: ListProductsQuery): Promise<ProductList> {
  const part = { skip: (query.pageNumber - 1) * PAGE_SIZE.shop, take: PAGE_SIZE.shop };
  const list = await findProducts(services, query, part);
  return { page: query.pageNumber, pages: pagesOf(list.total, PAGE_SIZE.shop), ...list };
}

/** Products marked as new, newest first. */
export async function listNewArrivals(db: Db): Promise<ProductCard[]> {
  const rows = await db
    .selectFrom('products')
    .select(cardColumns)
    .where('deletedAt', 'is', null)
    .where('isNewArrival', '=', true)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(NEW_ARRIVALS)
    .execute();
  return rows.map(withColourNames);
}

/** A row of the parts of a set. */
interface PartRow {
  id: string;
  name: string;
  qty: number;
  size: string | null;
  sizeCount: number;
  colour: string | null;
  price: number;
  images: string[];
  shown: Record<string, Partial<Shown>>;
  colors: Colour[];
  leadWeeks: number | null;
  readyFrom: string | null;
  deliveryClass: string;
  /** Null if they are not known. */
  outer: { width: number | null; depth: number | null; height: number | null } | null;
}

/** The parts of a set that are in the shop. */
export const partRows = sql<PartRow[]>`case when set_parts = '' then '[]' else (
  select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name, 'qty', part.qty, 'size', part.size, 'colour', part.colour,
    'sizeCount', (select count(*)::int from product_sizes o where o.product_id = p.id), 'price', coalesce(nullif(s.price, 0), p.price),
    'images', p.images, 'shown', p.shown, 'colors', p.colors, 'leadWeeks', p.lead_weeks, 'readyFrom', p.ready_from,
    'deliveryClass', p.delivery_class, 'outer', (
      select json_build_object('width', d.width, 'depth', d.depth, 'height', d.height) from product_dimensions d
      where d.product_id = p.id and d.position = coalesce(s.position, 0))) order by part.place), '[]')
  from parts_of(products.set_parts) part join products p on p.id = part.part_id and p.deleted_at is null
    left join product_sizes s on s.product_id = p.id and s.size = part.size) end`.as('partRows');

/** A part of a set as shoppers see it. */
function asPart({
  id,
  name,
  qty,
  size,
  sizeCount,
  colour,
  price,
  images,
  shown,
  colors,
  deliveryClass,
  outer,
}: PartRow): Product['parts'][number] {
  const chosenColour = colors.find(({ hexCode }) => hexCode === colour);
  const pictures = images.map((image) => shown[image] ?? {});
  return {
    _id: id,
    name,
    qty,
    size: sizeCount > 1 ? size : null,
    colour: chosenColour && colors.length > 1 ? colourName(chosenColour) : null,
    price,
    image: images[pictureOf(pictures, size, colour)] ?? '',
    isByTwo: isCarriedByTwo(outer ?? undefined, deliveryClass),
  };
}

/** A set is ready once its slowest part is. */
export function slowestLeadTime(set: LeadTime, parts: readonly LeadTime[]): LeadTime {
  if (parts.length === 0) return { leadWeeks: set.leadWeeks, readyFrom: set.readyFrom };
  const all = [set, ...parts];
  const weeks = Math.max(0, ...all.map(({ leadWeeks }) => leadWeeks ?? 0));
  const readyDates = all.flatMap(({ readyFrom }) => (readyFrom === null ? [] : new Date(readyFrom).toISOString())).sort();
  return { leadWeeks: weeks || null, readyFrom: readyDates.at(-1) ?? null };
}

/** The columns of a whole product. */
export const productColumns = [
  ...cardColumns,
  ...PUBLIC_COLUMNS,
  'measurements',
  'model',
  'materials',
  'createdAt',
  'updatedAt',
  'version',
  'shown',
  partRows,
] as const;

/** Whole products with their sizes, in one statement. */
const wholeProducts = compiledOnce((db, ids: string[]) =>
  db
    .selectFrom('products')
    .select([...productColumns, sizesInOrder])
    .where(isOneOf(ids))
    .where('deletedAt', 'is', null),
);
type WholeRow = Awaited<ReturnType<typeof wholeProducts>>[number];

/** A product's row as the API returns it. */
export function asProduct<Row extends WholeRow>({ shown, partRows: parts, ...product }: Row) {
  const shownParts = parts.map(asPart);
  return {
    ...withColourNames(product),
    parts: shownParts,
    load: loadOfProduct({ ...product, parts: shownParts }),
    pictures: product.images.map((image) => ({ kind: null, size: null, color: null, ...shown[image] })),
    sizes: product.sizes.map((size) => ({ ...size, measurements: size.measurements.map(inBothUnits) })),
    measurements: product.measurements.map(inBothUnits),
    care: careOf(product),
    carrying: carryingOfSizes(product),
  };
}

const readWhole = async (db: Db, ids: string[]): Promise<Product[]> =>
  (await wholeProducts(db, ids)).map((row) => ({ ...asProduct(row), ...slowestLeadTime(row, row.partRows) }));

/** One product. Throws 404 for one that is unknown or not in the shop. */
export async function readProduct(db: Db, id: string): Promise<Product> {
  const [product] = await readWhole(db, [id]);
  if (!product) throw new Problem(404, 'Product not found');
  return product;
}

/** Products to compare, ordered by id, without unknown and deleted ones. */
export async function compareProducts(db: Db, ids: readonly string[]): Promise<Product[]> {
  const validIds = ids.filter(isId);
  if (validIds.length === 0) return [];
  const products = await readWhole(db, validIds);
  return products.sort((one, other) => (one._id < other._id ? -1 : 1));
}
