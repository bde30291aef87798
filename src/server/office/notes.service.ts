import { type SqlBool, sql } from 'kysely';
import { MAX_NOTES, type StaffNote } from '#contract/office/office.schema.ts';
import type { Done } from '#contract/platform/lists.schema.ts';
import { Problem } from '#contract/platform/problem.ts';
import type { Admin } from '#server/context/context.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { isId } from '#server/platform/ids.ts';

/** An order and its customer, or a customer alone. */
interface Subject {
  orderId: string | null;
  userId: string | null;
}

type Kind = 'order' | 'customer';

/** Finds what is noted about, and locks it for the notes to be counted. Throws 404. */
async function findSubject(tx: Tx, kind: Kind, id: string): Promise<Subject> {
  const found = !isId(id)
    ? undefined
    : kind === 'order'
      ? await tx.selectFrom('orders').select(['id as orderId', 'userId']).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
      : await tx.selectFrom('users').select('id as userId').where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  if (!found) throw new Problem(404, kind === 'order' ? 'Order not found' : 'User not found');
  return { orderId: null, ...found };
}

async function readNotes(db: Db, { orderId, userId }: Subject): Promise<{ notes: StaffNote[] }> {
  const notes = await db
    .selectFrom('staffNotes')
    .select(['id as _id', 'createdAt', 'actor', 'text', sql<boolean>`user_id is not null`.as('isAboutCustomer')])
    .where(sql<SqlBool>`order_id = ${orderId}::uuid or user_id = ${userId}::uuid`)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute();
  return { notes };
}

/** What staff noted about a customer, or about an order and its customer, newest first. Throws 404. */
export const listNotes = (db: Db, _: Admin, kind: Kind, id: string): Promise<{ notes: StaffNote[] }> =>
  db.transaction().execute(async (tx) => readNotes(tx, await findSubject(tx, kind, id)));

/** Adds a note. Throws 404, and 409 for an order without an account and where there are too many. */
export function addNote(
  db: Db,
  who: Admin,
  { kind, id, isAboutCustomer }: { kind: Kind; id: string; isAboutCustomer: boolean },
  text: string,
): Promise<{ notes: StaffNote[] }> {
  return db.transaction().execute(async (tx) => {
    const subject = await findSubject(tx, kind, id);
    if (isAboutCustomer && !subject.userId) throw new Problem(409, 'The account of this customer is gone. Note it about the order.');
    const about = isAboutCustomer ? { userId: subject.userId, orderId: null } : { userId: null, orderId: subject.orderId };
    if ((await readNotes(tx, about)).notes.length >= MAX_NOTES)
      throw new Problem(409, `There are ${MAX_NOTES} notes. Delete an old one first.`);
    // The time of the statement: notes of one moment keep their order.
    await tx
      .insertInto('staffNotes')
      .values({ ...about, text, actor: who.name, createdAt: sql<string>`clock_timestamp()` })
      .execute();
    return readNotes(tx, subject);
  });
}

/** Deletes a note. Throws 404. */
export async function removeNote(db: Db, _: Admin, id: string): Promise<Done> {
  const { numDeletedRows } = isId(id) ? await db.deleteFrom('staffNotes').where('id', '=', id).executeTakeFirst() : { numDeletedRows: 0n };
  if (numDeletedRows === 0n) throw new Problem(404, 'This note is gone already.');
  return { message: 'Note deleted' };
}

/** The notes about a customer for an export of their data, oldest first. */
export const exportNotes = (db: Db, userId: string) =>
  db.selectFrom('staffNotes').select(['createdAt', 'text']).where('userId', '=', userId).orderBy('createdAt').execute();
