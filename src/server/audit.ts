import type { Admin } from './context.ts';
import type { Db } from './db/connect.ts';

/** What happened to something in the back office. */
export interface Change {
  at: string;
  actor: string;
  change: string;
}

export type AuditedEntity = 'product' | 'user' | 'order';

/** Writes down who changed what, in the transaction of the change. `change` is a sentence without secrets. */
export async function recordChange(tx: Db, who: Admin, entity: AuditedEntity, entityId: string, change: string): Promise<void> {
  await tx.insertInto('auditEntries').values({ actorId: who._id, actorName: who.name, entity, entityId, change }).execute();
}

/** The latest changes of one thing, newest first. */
export async function listChanges(db: Db, entity: AuditedEntity, entityId: string, most = 20): Promise<Change[]> {
  const rows = await db
    .selectFrom('auditEntries')
    .select(['at', 'actorName', 'change'])
    .where('entity', '=', entity)
    .where('entityId', '=', entityId)
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
  return rows.map(({ at, actorName, change }) => ({ at, actor: actorName, change }));
}
