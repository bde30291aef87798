import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { LinkedPiece, Related } from '#contract/catalogue/catalogue.ts';
import { goesWithOf, MAX_GOES_WITH } from '#contract/catalogue/goes-with.ts';
import { readSetParts } from '#contract/catalogue/set-parts.ts';
import { Problem } from '#contract/platform/problem.ts';
import type { Services } from '#server/context/services.ts';
import { arrayOf, isOneOf } from '#server/platform/database/arrays.ts';
import { compiledOnce } from '#server/platform/database/compiled-query.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { inJson, jsonKeys } from '#server/platform/database/json-key.ts';
import { reviewCount, wasPrice } from './catalogue.service.ts';
import { listRooms } from './rooms.service.ts';

/** The most of one category, so that a table is not shown only lamps. */
const MOST_OF_ONE_CATEGORY = 3;
const MOST_INSTEAD = 3;
/** Maximum length of a chain of successors. */
const MOST_SUCCESSORS = 10;

/** The columns of a linked piece, also within JSON. */
const pieceColumns = [
  'id as _id',
  'name',
  sql<string[]>`images[1:1]`.as('images'),
  'rating',
  inJson(reviewCount, 'reviewCount'),
  ...jsonKeys('products', 'fromPrice', 'toPrice'),
  inJson(wasPrice, 'wasPrice'),
] as const;

/** The live product at the end of the successors of a deleted one. */
const successorOf = compiledOnce((db, id: string) =>
  db
    .withRecursive('followed(id, step)', (eb) =>
      eb
        .selectFrom('products')
        .select([sql<string>`successor_id`.as('id'), sql<number>`1`.as('step')])
        .where('id', '=', id)
        .unionAll((next) =>
          next
            .selectFrom('followed')
            .innerJoin('products as p', 'p.id', 'followed.id')
            .select([sql<string>`p.successor_id`.as('id'), sql<number>`step + 1`.as('step')])
            .where(sql<SqlBool>`p.state = 'deleted' and step < ${sql.lit(MOST_SUCCESSORS)}`),
        ),
    )
    .selectFrom('followed')
    .innerJoin('products as p', 'p.id', 'followed.id')
    .select('p.id')
    .where('p.deletedAt', 'is', null)
    .limit(1),
);

/** Pieces of the category of a deleted product, those in stock first. */
const piecesOfCategory = compiledOnce((db, id: string) =>
  db
    .selectFrom('products')
    .select(pieceColumns)
    .where('deletedAt', 'is', null)
    .where(sql<SqlBool>`category_key = (select category_key from products where id = ${id}::uuid)`)
    .orderBy('isAvailable', 'desc')
    .orderBy('isRecommend', 'desc')
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(sql.lit(MAX_GOES_WITH)),
);

/** For a deleted product: its successor, and pieces of its category. */
async function listInstead(db: Db, id: string): Promise<Related> {
  const [successor] = await successorOf(db, id);
  return {
    goesWith: [],
    instead: await piecesOfCategory(db, id),
    isGone: true,
    successor: successor?.id ?? null,
    rooms: [],
  };
}

/** Pieces that are live and in stock, in the order of their ids. */
const piecesPicked = compiledOnce((db, ids: string[]) =>
  db
    .selectFrom('products')
    .select(pieceColumns)
    .where(isOneOf(ids))
    .where('deletedAt', 'is', null)
    .where('isAvailable', '=', true)
    .orderBy(sql`array_position(${arrayOf(ids, 'uuid')}, id)`),
);

/** What staff picked, without the product itself. */
async function listPicked(db: Db, id: string, goesWith: string): Promise<LinkedPiece[]> {
  const ids = goesWithOf(goesWith).filter((picked) => picked !== id.toLowerCase());
  return ids.length === 0 ? [] : piecesPicked(db, ids);
}

/** The picked pieces, then calculated ones, without the parts of a set. */
async function listAlong(db: Db, id: string, { goesWith, setParts, along }: ProductRow): Promise<LinkedPiece[]> {
  const picked = await listPicked(db, id, goesWith);
  const shownIds = new Set([...picked, ...(readSetParts(setParts) ?? [])].map(({ _id }) => _id));
  return [...picked, ...along.filter(({ _id }) => !shownIds.has(_id))].slice(0, MAX_GOES_WITH);
}

/** Products that go with a product, and alternatives if it is sold out. Throws 404 for an unknown product. */
export async function listRelated(services: Pick<Services, 'config' | 'readDb' | 'facts'>, id: string): Promise<Related> {
  const db = services.readDb;
  const [product] = await productOf(db, id);
  if (!product) throw new Problem(404, 'Product not found');
  if (product.isGone) return listInstead(db, id);
  const rooms = await listRooms(services, { pieces: [id] });
  return {
    goesWith: await listAlong(db, id, product),
    instead: product.isAvailable ? [] : await piecesInstead(db, id),
    isGone: false,
    successor: null,
    rooms: rooms.filter(({ pieces }) => pieces.length > 1),
  };
}

/** The product itself. The first word of its name is its range. */
const originalOf = (id: string) => sql`original as (
  select id, from_price, brand_key, fit_key, category_key, sub_category_key, materials, colour_families, split_part(name, ' ', 1) as range
  from products where id = ${id})`;

/** A score of what two products have in common. */
const IN_COMMON = `(case when split_part(p.name, ' ', 1) = original.range then 8 else 0 end)
  + (case when p.brand_key = original.brand_key then 4 else 0 end) + (case when p.fit_key = original.fit_key then 4 else 0 end)
  + (case when p.materials && original.materials then 2 else 0 end) + (case when p.colour_families && original.colour_families then 1 else 0 end)`;

/**
 * The next products along an index; no others are read, however many there are. The rows hold all ranking columns, so that duplicates of several indexes
 * are equal and need no second lookup.
 */
const nextAlong = (condition: string, order: string, most: number) =>
  sql.raw(`(select near.* from original, lateral (
    select p.id, p.category_key, p.sub_category_key = original.sub_category_key as same_kind, p.from_price, p.is_recommend, p.rating, ${IN_COMMON} as score
    from products p where p.deleted_at is null and p.is_available and ${condition} order by ${order} limit ${most}) as near)`);

/**
 * Products of other categories: of the same range, then of the same brand and room, preferring the same materials and colours. Names of a range begin with
 * it and a space; “!” is the next character after the space.
 */
const findAlong = (id: string) => sql<{ id: string }>`
  with ${originalOf(id)},
  candidates as (
    ${nextAlong(`p.name >= original.range || ' ' and p.name < original.range || '!'`, 'p.name, p.id', 40)}
    union ${nextAlong('p.brand_key = original.brand_key and p.category_key > original.category_key', 'p.brand_key, p.category_key, p.sub_category_key', 30)}
    union ${nextAlong('p.brand_key = original.brand_key and p.category_key < original.category_key', 'p.brand_key desc, p.category_key desc, p.sub_category_key desc', 30)}
    union ${nextAlong('p.fit_key = original.fit_key and p.from_price >= original.from_price', 'p.fit_key, p.is_available, p.from_price', 60)}
    union ${nextAlong('p.fit_key = original.fit_key and p.from_price < original.from_price', 'p.fit_key desc, p.is_available desc, p.from_price desc', 60)}
  ),
  placed as (
    select candidate.*, row_number() over (partition by candidate.category_key order by score desc, is_recommend desc, rating desc, candidate.id) as place
    from candidates as candidate join original on candidate.category_key <> original.category_key
  )
  select id from placed where place <= ${sql.lit(MOST_OF_ONE_CATEGORY)} order by score desc, is_recommend desc, rating desc, id limit ${sql.lit(MAX_GOES_WITH)}`;

/** Alternatives of the same category, preferring the same subcategory, then the best score, then the nearest price. */
const findInstead = (id: string) => sql<{ id: string }>`
  with ${originalOf(id)},
  candidates as (
    ${nextAlong('p.category_key = original.category_key and p.sub_category_key = original.sub_category_key and p.from_price >= original.from_price', 'p.category_key, p.sub_category_key, p.is_available, p.from_price', 20)}
    union ${nextAlong('p.category_key = original.category_key and p.sub_category_key = original.sub_category_key and p.from_price < original.from_price', 'p.category_key desc, p.sub_category_key desc, p.is_available desc, p.from_price desc', 20)}
    union ${nextAlong('p.category_key = original.category_key and p.from_price >= original.from_price', 'p.category_key, p.from_price, p.id', 20)}
    union ${nextAlong('p.category_key = original.category_key and p.from_price < original.from_price', 'p.category_key desc, p.from_price desc, p.id desc', 20)}
  )
  select candidate.id from candidates as candidate join original on candidate.id <> original.id
  order by same_kind desc, score desc, abs(candidate.from_price - original.from_price), candidate.id limit ${sql.lit(MOST_INSTEAD)}`;

/** The pieces that a query finds, in its order. */
const piecesFound = (db: Db, found: RawBuilder<{ id: string }>) =>
  db
    .selectFrom('products')
    .innerJoin(
      sql<{ found: string; place: number }>`(select id as found, row_number() over () as place from (${found}) as ranked)`.as('related'),
      'related.found',
      'products.id',
    )
    .select(pieceColumns)
    .orderBy('related.place');

const piecesInstead = compiledOnce((db, id: string) => piecesFound(db, findInstead(id)));

/** A live or deleted product with what goes with it. Drafts, hidden and scheduled ones have a `deleted_at` too (decision 117). */
const productOf = compiledOnce((db, id: string) =>
  db
    .selectFrom('products')
    .select(['isAvailable', 'goesWith', 'setParts', sql<boolean>`state = 'deleted'`.as('isGone')])
    .select(jsonArrayFrom(piecesFound(db, findAlong(id))).as('along'))
    .where('id', '=', id)
    .where(sql<SqlBool>`(deleted_at is null or state = 'deleted')`),
);
type ProductRow = Awaited<ReturnType<typeof productOf>>[number];
