import { sql } from 'kysely';
import type { CategoryHead } from '#contract/catalogue/catalogue.ts';
import type { Services } from '#server/context/services.ts';
import { readCards } from './catalogue.service.ts';
import { filtersOf } from './find/filters.ts';
import { listRooms } from './rooms.service.ts';

const MOST_SUB_CATEGORIES = 12;
/** The most products of a category that are read for its subcategories, the best first. */
const MOST_READ = 2_000;

/** The content around a category's list: its rooms, the owner's text and picture, and its subcategories, those with most products first. */
export async function readCategory(services: Pick<Services, 'config' | 'readDb' | 'facts'>, name: string): Promise<CategoryHead> {
  const { config, readDb } = services;
  const key = name.toLowerCase();
  const heading = config.catalogue.categories.find((category) => category.name.toLowerCase() === key);
  const { rows } = await sql<{ name: string; id: string }>`
    select kind as name, (array_agg(id order by place))[1] as id from (
      select id, string_to_array(sub_category, ', ') as kinds, row_number() over () as place from (
        select id, sub_category from products where category_key = ${key} and deleted_at is null and images <> '{}'
        order by category_key, is_recommend desc, created_at desc, id desc limit ${sql.lit(MOST_READ)}) as best
    ) as ranked, unnest(kinds) as kind
    where kind <> ''
    group by kind order by count(*) desc, min(place) limit ${sql.lit(MOST_SUB_CATEGORIES)}`.execute(readDb);
  // Each has the picture that its own list shows.
  const subCategories = rows.map(async ({ name: kind, id }) => {
    const [card] = await readCards(readDb, [id], { ...filtersOf({ subCategoryQuery: kind }), sortBy: 'bestmatch' });
    return { name: kind, image: card?.variant?.image ?? card?.images[0] ?? '' };
  });
  const rooms = name === '' ? [] : await listRooms(services, { category: name });
  return { rooms, text: heading?.text ?? '', picture: heading?.picture ?? '', subCategories: await Promise.all(subCategories) };
}
