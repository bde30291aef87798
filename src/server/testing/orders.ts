import { sql, type UpdateObject } from 'kysely';
import type { Db } from '#server/platform/database/connect.ts';
import type { DB } from '#server/platform/database/schema.ts';

/**
 * Writes an order as no step of its life would, past the database's triggers: for a message that never came, older data, and damage.
 */
export async function forceOrder(db: Db, id: string, columns: UpdateObject<DB, 'orders'>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await tx.updateTable('orders').set(columns).where('id', '=', id).executeTakeFirstOrThrow();
  });
}
