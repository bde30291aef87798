import { sql } from 'kysely';
import type { CategoryHead } from '#contract/catalogue/catalogue.ts';
import type { Services } from '#server/context/services.ts';
import { listRooms } from './rooms.service.ts';

const MOST_SUB_CATEGORIES = 12;
/** A long category is not read as a whole: its best products name its subcategories. */
const READ = 2_000;

/** What stands around a category's list: its rooms and, at its top, the owner's text and picture, and its subcategories, those with most products first. */
export async function readCategory({ config, readDb }: Pick<Services, 'config' | 'readDb'>, name: string): Promise<CategoryHead> {
  const key = name.toLowerCase();
  const set = config.catalogue.categories.find((category) => category.name.toLowerCase() === key);
  const { rows } = await sql<{ name: string; image: string }>`
    select kind as name, (array_agg(image order by place))[1] as image from (
      select string_to_array(sub_category, ', ') as kinds, images[1] as image, row_number() over () as place from (
        select sub_category, images from products where category_key = ${key} and deleted_at is null
        order by category_key, is_recommend desc, created_at desc, id desc limit ${sql.lit(READ)}) as best
    ) as ranked, unnest(kinds) as kind
    where kind <> '' and image is not null
    group by kind order by count(*) desc, min(place) limit ${sql.lit(MOST_SUB_CATEGORIES)}`.execute(readDb);
  const rooms = name === '' ? [] : await listRooms({ config, readDb }, { category: name });
  return { rooms, text: set?.text ?? '', picture: set?.picture ?? '', subCategories: rows };
}
