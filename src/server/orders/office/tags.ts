import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { arrayOf } from '#server/platform/database/arrays.ts';
import type { Db } from '#server/platform/database/connect.ts';

// Arrays, so that each condition uses its own index.

/** Users with a tag, in any case. */
export const taggedUsers = (tag: string) =>
  sql`array(select user_id from staff_tags where lower(tag) = ${tag.toLowerCase()} and user_id is not null)`;

/** The condition for orders that have a tag, or whose customer has it. */
export const isTagged = (tag: string): RawBuilder<SqlBool> => sql<SqlBool>`id = any(array(
  select order_id from staff_tags where lower(tag) = ${tag.toLowerCase()} and order_id is not null
  union all select own.id from orders own where own.user_id = any(${taggedUsers(tag)})))`;

/** The tags of orders or users, in alphabetical order, by their ids. */
export async function readTagsOf(db: Db, of: 'order_id' | 'user_id', ids: readonly string[]): Promise<Map<string, string[]>> {
  const column = sql.ref(of);
  const { rows } = await sql<{ id: string; tags: string[] }>`
    select ${column} as id, array_agg(tag order by lower(tag)) as tags from staff_tags
    where ${column} = any(${arrayOf(ids, 'uuid')}) group by ${column}`.execute(db);
  return new Map(rows.map(({ id, tags }) => [id, tags]));
}
