import { sql } from 'kysely';
import { ListProductsQuery } from '#contract/catalogue/catalogue.schema.ts';
import type { ProductCard, Suggestions } from '#contract/catalogue/catalogue.ts';
import { isOneOf } from '#server/platform/database/arrays.ts';
import type { Db } from '#server/platform/database/connect.ts';
import type { Cached } from '#server/platform/http/route.ts';
import { comparable } from '#server/search/folded.ts';
import { type Reading, readSearch } from '#server/search/search.service.ts';
import { findProducts } from './catalogue.service.ts';
import { type Finder, firstFound, readSought } from './find.service.ts';

const MOST = { products: 6, categories: 3, searches: 2 };
const NOTHING: Suggestions = { products: [], categories: [], searches: [], help: [], total: 0, isMore: false };

/** How suggestions are cached; sold-out products come last. */
export const cachedSuggestions = (search: string | undefined): Cached => ({
  key: comparable(search ?? ''),
  dependsOn: ['named', 'products', 'stock'],
});

/** A card as it is suggested: as the variant that is meant. */
function suggestionOf({ _id, name, price, fromPrice, toPrice, images, variant }: ProductCard): Suggestions['products'][number] {
  const own = { _id, name, price, fromPrice, toPrice, image: images[0] ?? null, size: null, colour: null };
  if (!variant) return own;
  const prices = variant.price === null ? {} : { price: variant.price, fromPrice: variant.price, toPrice: variant.price };
  return { ...own, ...prices, name: variant.name, image: variant.image, size: variant.size, colour: variant.colour };
}

/** The categories that a word of the search names or begins to name: those of the last word, or else of any. Each has products. */
async function findCategories(db: Db, { words }: Reading): Promise<string[]> {
  const last = words.at(-1);
  if (!last) return [];
  const isNamed = (query: string) => sql<boolean>`searchable(category, 'B') @@ ${query}::tsquery`;
  const { rows } = await sql<{ category: string; isLast: boolean }>`
    with recursive kinds as (
      (select category_key, category from products where deleted_at is null order by category_key limit 1)
      union all
      select next.* from kinds cross join lateral (
        select p.category_key, p.category from products p where p.deleted_at is null and p.category_key > kinds.category_key
        order by p.category_key limit 1) as next
    )
    select category, ${isNamed(last)} as is_last from kinds where ${isNamed(words.join(' | '))}`.execute(db);
  const ofLast = rows.filter(({ isLast }) => isLast);
  return (ofLast.length > 0 ? ofLast : rows).slice(0, MOST.categories).map(({ category }) => category);
}

/** Those of the corrected spellings that find something. */
async function findSpellings({ readDb: db, vocabulary }: Finder, { spellings }: Reading): Promise<string[]> {
  const found: string[] = [];
  for (const spelling of spellings.slice(0, MOST.searches)) {
    const [whole] = (await readSearch(db, spelling, vocabulary)).attempts;
    if (whole && !whole.isPartial && (await firstFound(db, {}, [whole])) === 0) found.push(spelling);
  }
  return found;
}

/** The one category of a search with the colours that most of its first products have: "sofa grey". */
async function findPhrases(db: Db, ids: readonly string[], categories: readonly string[], isPlain: boolean): Promise<string[]> {
  const [category, ...more] = categories;
  if (!category || more.length > 0 || !isPlain || ids.length === 0) return [];
  const { rows } = await sql<{ value: string }>`
    select value from products, unnest(colour_families) as value where ${isOneOf(ids)}
    group by value order by count(*) desc, value limit ${MOST.searches}`.execute(db);
  return rows.map(({ value }) => `${category} ${value}`.toLowerCase());
}

/** What may be meant by the beginning of a search: the best products, categories, pages, and the same without typing errors. Each has results. */
export async function suggest(finder: Finder, search: string | undefined): Promise<Suggestions> {
  if (!search) return NOTHING;
  const query = ListProductsQuery.parse({ search });
  const { read } = await readSought(finder, query);
  if (!read) return NOTHING;
  const { reading, first } = read;
  const [list, categories, searches] = await Promise.all([
    findProducts(finder, query, { skip: 0, take: MOST.products }),
    findCategories(finder.readDb, reading),
    findSpellings(finder, reading),
  ]);
  const { asks = {}, isPartial = true } = reading.attempts[first] ?? {};
  const ids = list.products.map(({ _id }) => _id);
  const phrases = await findPhrases(finder.readDb, ids, categories, !isPartial && Object.keys(asks).length === 0);
  return {
    products: list.products.map(suggestionOf),
    categories,
    searches: [...searches, ...phrases],
    help: reading.pages,
    total: list.total,
    isMore: list.isMore,
  };
}
