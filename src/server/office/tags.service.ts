import { type SqlBool, sql } from 'kysely';
import { MAX_TAGS, type StaffTags } from '#contract/office/office.schema.ts';
import type { Done } from '#contract/platform/lists.schema.ts';
import { Problem } from '#contract/platform/problem.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { lockName } from '#server/platform/database/name-lock.ts';
import { type Kind, readSubject, recordSubject, type Subject } from './notes.service.ts';

/** How many different tags are offered. */
const MOST_KNOWN = 200;

async function readTags(db: Db, { orderId, userId }: Subject): Promise<StaffTags> {
  const tags = await db
    .selectFrom('staffTags')
    .select(['id as _id', 'tag', sql<boolean>`user_id is not null`.as('isOnCustomer')])
    .where(sql<SqlBool>`order_id = ${orderId}::uuid or user_id = ${userId}::uuid`)
    .orderBy(sql`user_id is not null`)
    .orderBy(sql`lower(tag)`)
    .execute();
  return { tags };
}

/** The tags of a customer, or of an order and then of its customer, each in alphabetical order. Throws 404. */
export const listTags = async (db: Db, _: Admin, kind: Kind, id: string): Promise<StaffTags> =>
  readTags(db, await readSubject(db, kind, id));

/** Adds a tag, unless it is there already in any case. Throws 404, and 409 for an order without an account or if there are too many tags. */
export function addTag(
  db: Db,
  who: Admin,
  { kind, id, isOnCustomer }: { kind: Kind; id: string; isOnCustomer: boolean },
  tag: string,
): Promise<StaffTags> {
  return transactionOf(db, who, async (tx) => {
    const subject = await readSubject(tx, kind, id);
    if (isOnCustomer && !subject.userId) throw new Problem(409, 'This customer’s account has been deleted. Tag the order instead.');
    const about = isOnCustomer ? { userId: subject.userId, orderId: null } : { userId: null, orderId: subject.orderId };
    // Two at once would both find room for the last tag.
    await lockName(tx, `tags of ${about.userId ?? about.orderId}`);
    const { tags } = await readTags(tx, about);
    const isThere = tags.some((one) => one.tag.toLowerCase() === tag.toLowerCase());
    if (!isThere && tags.length >= MAX_TAGS) throw new Problem(409, `There are ${MAX_TAGS} tags. Remove one first.`);
    const row = { ...about, tag, actor: who.name };
    await tx
      .insertInto('staffTags')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    if (!isThere) await recordSubject(tx, who, about, 'Added a tag');
    return readTags(tx, subject);
  });
}

/** Removes a tag. Throws 404. */
export function removeTag(db: Db, who: Admin, id: string): Promise<Done> {
  return transactionOf(db, who, async (tx) => {
    const removed = await tx.deleteFrom('staffTags').where('id', '=', id).returning(['orderId', 'userId', 'tag']).executeTakeFirst();
    if (!removed) throw new Problem(404, 'This tag has already been removed.');
    await recordSubject(tx, who, removed, 'Removed a tag');
    return { message: 'Tag removed' };
  });
}

/** The different tags, in alphabetical order. Reads one row of each, however many have it. */
export async function listKnownTags(db: Db, _: Admin): Promise<{ tags: string[] }> {
  const { rows } = await sql<{ tag: string }>`
    with recursive known as (
      (select lower(tag) as key, tag from staff_tags order by lower(tag) limit 1)
      union all
      select next.* from known cross join lateral (
        select lower(tag), tag from staff_tags where lower(tag) > known.key order by lower(tag) limit 1) as next
    )
    select tag from known limit ${sql.lit(MOST_KNOWN)}`.execute(db);
  return { tags: rows.map(({ tag }) => tag) };
}

/** The tags of a customer for an export of their data, oldest first. */
export const exportTags = (db: Db, userId: string) =>
  db.selectFrom('staffTags').select(['createdAt', 'tag']).where('userId', '=', userId).orderBy('createdAt').execute();
