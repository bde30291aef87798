import { type SqlBool, sql } from 'kysely';
import { MAX_NOTES, type StaffNotes } from '#contract/office/office.schema.ts';
import type { Done } from '#contract/platform/lists.schema.ts';
import { Problem } from '#contract/platform/problem.ts';
import { recordChange } from '#server/context/audit.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';

/** An order and its customer, or a customer alone. */
export interface Subject {
  orderId: string | null;
  userId: string | null;
}

export type Kind = 'order' | 'customer';

const lockOrder = (db: Db, id: string) =>
  db.selectFrom('orders').select(['id as orderId', 'userId']).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();

const lockUser = (db: Db, id: string) =>
  db.selectFrom('users').select('id as userId').where('id', '=', id).forKeyShare().executeTakeFirst();

/** Reads the subject of a note or tag. In a transaction it stays locked, so that an erasure waits and also finds a new note or tag. Throws 404. */
export async function readSubject(db: Db, kind: Kind, id: string): Promise<Subject> {
  const lock = kind === 'order' ? lockOrder : lockUser;
  const found = await lock(db, id);
  if (!found) throw new Problem(404, kind === 'order' ? 'Order not found' : 'User not found');
  return { orderId: null, ...found };
}

/** Records a change of an order or a customer. */
export const recordSubject = (tx: Tx, who: Admin, { orderId, userId }: Subject, change: string): Promise<void> =>
  recordChange(tx, who, orderId ? 'order' : 'user', orderId ?? userId, change);

async function readNotes(db: Db, { orderId, userId }: Subject): Promise<StaffNotes> {
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
export const listNotes = async (db: Db, _: Admin, kind: Kind, id: string): Promise<StaffNotes> =>
  readNotes(db, await readSubject(db, kind, id));

/** Adds a note. Throws 404, and 409 for an order without an account or if there are too many notes. */
export function addNote(
  db: Db,
  who: Admin,
  { kind, id, isAboutCustomer }: { kind: Kind; id: string; isAboutCustomer: boolean },
  text: string,
): Promise<StaffNotes> {
  return transactionOf(db, who, async (tx) => {
    const subject = await readSubject(tx, kind, id);
    if (isAboutCustomer && !subject.userId)
      throw new Problem(409, 'This customer’s account has been deleted. Add the note to the order instead.');
    const about = isAboutCustomer ? { userId: subject.userId, orderId: null } : { userId: null, orderId: subject.orderId };
    if ((await readNotes(tx, about)).notes.length >= MAX_NOTES)
      throw new Problem(409, `There are ${MAX_NOTES} notes. Delete an old one first.`);
    // The statement's time, not the transaction's, so that concurrent notes keep their order.
    await tx
      .insertInto('staffNotes')
      .values({ ...about, text, actor: who.name, createdAt: sql<string>`clock_timestamp()` })
      .execute();
    await recordSubject(tx, who, about, 'Wrote a note');
    return readNotes(tx, subject);
  });
}

/** Deletes a note. Throws 404. */
export function removeNote(db: Db, who: Admin, id: string): Promise<Done> {
  return transactionOf(db, who, async (tx) => {
    const deleted = await tx.deleteFrom('staffNotes').where('id', '=', id).returning(['orderId', 'userId', 'actor']).executeTakeFirst();
    if (!deleted) throw new Problem(404, 'This note has already been deleted.');
    await recordSubject(tx, who, deleted, `Deleted a note by ${deleted.actor}`);
    return { message: 'Note deleted' };
  });
}

/** The notes about a customer for an export of their data, oldest first. */
export const exportNotes = (db: Db, userId: string) =>
  db.selectFrom('staffNotes').select(['createdAt', 'text']).where('userId', '=', userId).orderBy('createdAt').execute();
