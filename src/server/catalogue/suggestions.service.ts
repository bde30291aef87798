import { sql } from 'kysely';
import type { Suggestions } from '#contract/catalogue/catalogue.ts';
import type { Services } from '#server/context/services.ts';
import { isOneOf } from '#server/platform/database/arrays.ts';
import type { Db } from '#server/platform/database/connect.ts';
import type { Cached } from '#server/platform/http/route.ts';
import { comparable } from '#server/search/folded.ts';
import { type Reading, readSearch } from '#server/search/search.service.ts';
import { toPrice } from './catalogue.service.ts';
import { NO_FILTERS } from './filters.ts';
import { bestOf, firstFound, foundBy } from './find.service.ts';
import { readIds } from './read-ids.ts';

const MOST = { products: 6, categories: 3, searches: 2 };
const NOTHING: Suggestions = { products: [], categories: [], searches: [] };

/** How suggestions are cached; what is sold out stands behind the rest. */
export const cachedSuggestions = (search: string | undefined): Cached => ({
  key: comparable(search ?? ''),
  dependsOn: ['named', 'products', 'stock'],
});

/** The best products of the fullest reading that finds any. */
async function findBest(db: Db, { attempts }: Reading): Promise<string[]> {
  const attempt = await firstFound(db, NO_FILTERS, attempts);
  if (!attempt) return [];
  return (await readIds(db, bestOf(foundBy(NO_FILTERS, attempt), attempt), { skip: 0, take: MOST.products })).ids;
}

async function readProducts(db: Db, ids: string[]): Promise<Suggestions['products']> {
  if (ids.length === 0) return [];
  const found = await db
    .selectFrom('products')
    .select(['id as _id', 'name', 'price', 'fromPrice', toPrice.as('toPrice'), 'images'])
    .where(isOneOf(ids))
    .where('deletedAt', 'is', null)
    .execute();
  const byId = new Map(found.map(({ images, ...product }) => [product._id, { ...product, image: images[0] ?? null }]));
  return ids.flatMap((id) => byId.get(id) ?? []);
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
async function findSpellings({ readDb: db, vocabulary }: Reader, { spellings }: Reading): Promise<string[]> {
  const found: string[] = [];
  for (const spelling of spellings.slice(0, MOST.searches)) {
    const [whole] = (await readSearch(db, spelling, vocabulary)).attempts;
    if (whole && !whole.isPartial && (await firstFound(db, NO_FILTERS, [whole]))) found.push(spelling);
  }
  return found;
}

type Reader = Pick<Services, 'readDb' | 'vocabulary'>;

/** What somebody may mean who has typed so much: the best products, categories, and the same without typing errors. Each of them has results. */
export async function suggest(services: Reader, search: string | undefined): Promise<Suggestions> {
  if (!search) return NOTHING;
  const { readDb: db, vocabulary } = services;
  const reading = await readSearch(db, search, vocabulary);
  const [products, categories, searches] = await Promise.all([
    findBest(db, reading).then((ids) => readProducts(db, ids)),
    findCategories(db, reading),
    findSpellings(services, reading),
  ]);
  return { products, categories, searches };
}
