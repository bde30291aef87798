import { sql } from 'kysely';
import { ListProductsQuery } from '#contract/catalogue/catalogue.schema.ts';
import type { ProductCard, Suggestions } from '#contract/catalogue/catalogue.ts';
import { findProducts } from '#server/catalogue/catalogue.service.ts';
import type { Db } from '#server/platform/database/connect.ts';
import type { Cached } from '#server/platform/http/route.ts';
import { comparable, wordsOf } from '#server/search/folded.ts';
import { type Reading, readSearch } from '#server/search/search.service.ts';
import { completed, keyOf, type Meaning } from '#server/search/vocabulary.ts';
import { type Finder, firstFound, readSought } from './find.service.ts';

const MOST = { products: 6, categories: 3, searches: 2 };
const NOTHING: Suggestions = {
  products: [],
  categories: [],
  subCategories: [],
  searches: [],
  notSold: null,
  help: [],
  total: 0,
  isMore: false,
};

/** How suggestions are cached: with the stock, since sold-out products come last. */
export const cachedSuggestions = (search: string | undefined): Cached => ({
  key: comparable(search ?? ''),
  dependsOn: ['named', 'products', 'stock'],
});

/** A card as a suggestion, as its variant if it has one. */
function suggestionOf({ _id, name, price, fromPrice, toPrice, images, variant }: ProductCard): Suggestions['products'][number] {
  const product = { _id, name, price, fromPrice, toPrice, image: images[0] ?? null, size: null, colour: null };
  if (!variant) return product;
  const prices = variant.price === null ? {} : { price: variant.price, fromPrice: variant.price, toPrice: variant.price };
  return { ...product, ...prices, name: variant.name, image: variant.image, size: variant.size, colour: variant.colour };
}

type Kinds = Pick<Suggestions, 'categories' | 'subCategories'>;

/**
 * The categories and subcategories with products that words of a search name or begin to name: those of the last word, or else of any. Steps along an index
 * from each pair of category and subcategory to the next.
 */
async function findKinds(db: Db, { kindQueries }: Reading): Promise<Kinds> {
  if (kindQueries.categories.length === 0) return { categories: [], subCategories: [] };
  const isNamed = (queryOf: (queries: readonly string[]) => string | undefined) => sql<boolean>`searchable(kind, 'B') @@ case filter
    when 'categories' then ${queryOf(kindQueries.categories)}::tsquery else ${queryOf(kindQueries.subCategories)}::tsquery end`;
  const { rows } = await sql<{ filter: keyof Kinds; kind: string; isLast: boolean }>`
    with recursive pairs as (
      (select category_key, sub_category_key, category, sub_category from products
        where deleted_at is null order by category_key, sub_category_key limit 1)
      union all
      select next.* from pairs cross join lateral (
        select p.category_key, p.sub_category_key, p.category, p.sub_category from products p
        where p.deleted_at is null and (p.category_key, p.sub_category_key) > (pairs.category_key, pairs.sub_category_key)
        order by p.category_key, p.sub_category_key limit 1) as next
    ), kinds as (
      select 'categories' as filter, category as kind from pairs
      union select 'subCategories', unnest(string_to_array(sub_category, ', ')) from pairs
    )
    select filter, kind, ${isNamed((queries) => queries.at(-1))} as is_last from kinds
    where ${isNamed((queries) => queries.join(' | '))} order by kind`.execute(db);
  const kindsOf = (filter: keyof Kinds) => {
    const [all, ofLast] = [rows.filter((row) => row.filter === filter), rows.filter((row) => row.filter === filter && row.isLast)];
    return (ofLast.length > 0 ? ofLast : all).slice(0, MOST.categories).map(({ kind }) => kind);
  };
  return { categories: kindsOf('categories'), subCategories: kindsOf('subCategories') };
}

/** The first corrected spellings that find something. */
async function findSpellings({ readDb: db, vocabulary }: Finder, { spellings }: Reading): Promise<string[]> {
  const found: string[] = [];
  for (const spelling of spellings.slice(0, MOST.searches)) {
    const [whole] = (await readSearch(db, spelling, vocabulary)).attempts;
    if (whole && !whole.isPartial && (await firstFound(db, {}, [whole]))) found.push(spelling);
  }
  return found;
}

/** The most products of a category whose colours and materials are read. */
const MOST_READ = 500;

/** Completes a category with a colour or material of its best products: "sofa g" is "sofa green" or "sofa grey". */
async function findPhrases(db: Db, typed: string, categories: readonly string[]): Promise<string[]> {
  const found = categories.map(async (category) => {
    const { rows } = await sql<{ value: string }>`
      select value from (
        select colour_families, materials from products where category_key = ${category.toLowerCase()} and deleted_at is null
        order by category_key, is_recommend desc, created_at desc, id desc limit ${sql.lit(MOST_READ)}) as best,
        unnest(colour_families || materials) as value
      where starts_with(lower(${category} || ' ' || value), ${typed}) and lower(${category} || ' ' || value) <> ${typed}
      group by value order by count(*) desc, value limit ${sql.lit(MOST.searches)}`.execute(db);
    return rows.map(({ value }) => `${category} ${value}`.toLowerCase());
  });
  return (await Promise.all(found)).flat();
}

/** The fewest letters that are completed. */
const LEAST_BEGUN = 3;

/** Completes a search that is still being typed: to a question that pages answer or, if it finds nothing, to a kind that is not sold. */
async function readBegun({ readDb, vocabulary }: Finder, typed: string, { pages, notSold, nearest }: Reading, isFound: boolean) {
  const key = keyOf(wordsOf(typed));
  const read = async (isOfKind: (meaning: Meaning) => boolean) => {
    const phrase = key.length < LEAST_BEGUN ? undefined : completed(vocabulary, key, isOfKind);
    return phrase && readSearch(readDb, phrase.join(' '), vocabulary);
  };
  const page = pages.length > 0 ? undefined : await read((meaning) => meaning.pages !== undefined);
  const isKind = (meaning: Meaning) => (meaning.beside ?? meaning['not sold'] ?? meaning.pieces) !== undefined;
  const kind = isFound || notSold || pages.length > 0 ? undefined : await read(isKind);
  return { help: page?.pages ?? pages, notSold: notSold ?? kind?.notSold ?? null, nearest: kind?.nearest ?? nearest };
}

/** Suggestions for the beginning of a search: the best products, categories, pages and corrected or completed searches. Each has results. */
export async function suggest(finder: Finder, search: string | undefined): Promise<Suggestions> {
  if (!search) return NOTHING;
  const query = ListProductsQuery.parse({ search });
  const { search: searchRead } = await readSought(finder, query);
  // An id is not read as words.
  if (!searchRead) return NOTHING;
  const { reading } = searchRead;
  const typed = comparable(search);
  const [list, { categories, subCategories }, searches] = await Promise.all([
    findProducts(finder, query, { skip: 0, take: MOST.products }),
    findKinds(finder.readDb, reading),
    findSpellings(finder, reading),
  ]);
  const { nearest, ...begun } = await readBegun(finder, typed, reading, list.total > 0);
  const phrases = await findPhrases(finder.readDb, typed, categories);
  // "Cha" begins "chair" and "chat": a category comes before a help page that is only begun.
  const hasKind = categories.length + subCategories.length > 0 && !typed.includes(' ');
  return {
    products: list.products.map(suggestionOf),
    categories,
    subCategories,
    searches: [...searches, ...phrases, ...nearest],
    ...begun,
    help: hasKind ? reading.pages : begun.help,
    total: list.total,
    isMore: list.isMore,
  };
}
