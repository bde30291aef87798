import { sql } from 'kysely';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { rowsOf } from '#server/platform/database/rows-of.ts';
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
  await recordChanges(tx, who, entity, [{ id: entityId, change }]);
}

/** The same for many things at once. */
export async function recordChanges(
  tx: Db,
  who: Admin | typeof COMMAND_LINE | typeof THE_SHOP,
  entity: AuditedEntity,
  changes: readonly { id: string; change: string }[],
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ id, change }) => ({ entityId: id, change }));
  await sql`
    insert into audit_entries (actor_id, actor_name, entity, entity_id, change)
    select ${who._id}::uuid, ${who.name}, ${entity}, entity_id, change from ${rowsOf('auditEntries', rows)}`.execute(tx);
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
