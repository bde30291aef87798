import { type SqlBool, sql } from 'kysely';
import type { AuditKind } from '#contract/office/audit.ts';
import { Problem } from '#contract/platform/problem.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { erasing } from '#server/platform/database/erasing.ts';
import { rowsOf } from '#server/platform/database/rows-of.ts';

/** An entry of the audit log. */
export interface Change {
  at: string;
  actor: string;
  change: string;
}

/** The author of a change, with the network address. Every proof (`Customer`, `Admin`) is an actor. */
export interface Actor {
  readonly _id: string | null;
  readonly name: string;
  readonly ip: string | null;
}

/** Actors without an account. */
export const COMMAND_LINE = { _id: null, name: 'Command line', ip: null } as const;
export const THE_SHOP = { _id: null, name: 'The shop', ip: null } as const;

/**
 * Adds an entry to the audit log for each of some things, in the transaction of the change. `change` is a sentence without secrets; the id is null if it
 * concerns no single thing.
 */
export async function recordChange(
  tx: Db,
  who: Actor,
  entity: AuditKind,
  entityId: string | null | readonly string[],
  change: string,
): Promise<void> {
  const changes = [entityId].flat().map((id) => ({ id, change }));
  await recordChanges(tx, who, entity, changes);
}

/** `recordChange` with a sentence for each thing. */
export async function recordChanges(
  tx: Db,
  who: Actor,
  entity: AuditKind,
  changes: readonly { id: string | null; change: string }[],
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ id, change }) => ({ entityId: id, change }));
  await sql`
    insert into audit_entries (actor_id, actor_name, from_address, entity, entity_id, change)
    select ${who._id}::uuid, ${who.name}, ${who.ip}, ${entity}, entity_id, change from ${rowsOf('auditEntries', rows)}`.execute(tx);
}

/** The most failed logins of an account that are noted within an hour: anyone may cause them, and entries stay long. */
const MOST_FAILED = 20;

/** Records a failed login of staff. The last that is noted within an hour says so. */
export async function recordFailedLogin(db: Db, ip: string, userId: string, why: string): Promise<void> {
  const latest = await db
    .selectFrom('auditEntries')
    .select(sql<boolean>`at between now() - interval '1 hour' and now() + interval '1 minute'`.as('isRecent'))
    .where('entity', '=', 'login')
    .where('entityId', '=', userId)
    .where('actorId', 'is', null)
    .orderBy('id', 'desc')
    .limit(MOST_FAILED)
    .execute();
  const noted = latest.filter(({ isRecent }) => isRecent).length;
  if (noted >= MOST_FAILED) return;
  const more = noted === MOST_FAILED - 1 ? '. More within this hour are not noted' : '';
  await recordChange(db, { _id: null, name: 'Somebody', ip }, 'login', userId, `Login failed: ${why}${more}`);
}

/** The latest changes of one thing, newest first. */
export async function listChanges(db: Db, entity: AuditKind, entityId: string, most = 20): Promise<Change[]> {
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

/** Throws 409 for a form that was filled before the latest change of what it edits, and names that change. */
export async function refuseStale(db: Db, entity: 'product' | 'user', id: string): Promise<never> {
  const [last] = await listChanges(db, entity, id, 1);
  throw new Problem(
    409,
    `This ${entity} was changed while you edited ${entity === 'user' ? 'them' : 'it'}${last ? ` (${last.actor}: ${last.change})` : ''}. Reload it to see the new values. What you typed is still here.`,
  );
}

/** Erases texts about an account and its network addresses from the log. The entries stay, with their author and time. */
export const eraseChanges = (tx: Tx, userId: string): Promise<void> =>
  erasing(tx, async () => {
    const about = sql<SqlBool>`entity in ('user', 'login') and entity_id = ${userId}::uuid`;
    await tx.updateTable('auditEntries').set({ change: 'Erased on request', fromAddress: null }).where(about).execute();
    await tx.updateTable('auditEntries').set({ fromAddress: null }).where('actorId', '=', userId).execute();
  });

/** Deletes entries older than a number of days. `erasing`, since a trigger keeps the log append-only otherwise. */
export async function deleteOldEntries(db: Db, days: number): Promise<void> {
  const old = sql<SqlBool>`at < now() - make_interval(days => ${days})`;
  await db.transaction().execute((tx) => erasing(tx, () => tx.deleteFrom('auditEntries').where(old).execute()));
}
