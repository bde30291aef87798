import { sql } from 'kysely';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import type { Admin } from './context.ts';

/** An entry of the audit log. */
export interface Change {
  at: string;
  actor: string;
  change: string;
}

export type AuditedEntity = 'product' | 'user' | 'order' | 'promotion';

/** The actors without an account: commands, and what the shop does by itself. */
export const COMMAND_LINE = { _id: null, name: 'Command line' } as const;
export const THE_SHOP = { _id: null, name: 'The shop' } as const;

/** Records who changed what, in the transaction of the change. `change` is a sentence without secrets. */
export async function recordChange(
  tx: Db,
  who: Admin | typeof COMMAND_LINE | typeof THE_SHOP,
  entity: AuditedEntity,
  entityId: string,
  change: string,
): Promise<void> {
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

/** Erases the texts about a person; that something was changed, by whom and when, stays. */
export async function eraseChanges(tx: Tx, entity: AuditedEntity, entityId: string): Promise<void> {
  await sql`select set_config('shop.erasing', 'on', true)`.execute(tx);
  await tx
    .updateTable('auditEntries')
    .set({ change: 'Erased on request' })
    .where('entity', '=', entity)
    .where('entityId', '=', entityId)
    .execute();
  await sql`select set_config('shop.erasing', '', true)`.execute(tx);
}
