import { sql } from 'kysely';
import type { DeliveryCheck } from '#contract/delivery/dispatch.schema.ts';
import { statesIn } from '#contract/orders/states.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { UNDO_MS } from '#server/context/undo.ts';
import { markDelivery } from '#server/orders/fulfil.service.ts';
import { inState, listed } from '#server/orders/rules/states.ts';
import { lockOrders } from '#server/orders/transitions.service.ts';
import { isOneOf } from '#server/platform/database/arrays.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { isId, newId } from '#server/platform/ids.ts';

/**
 * Marks several orders as delivered, or takes that back: all or none. The mails leave after the undo window.
 * Returns the number of changed orders. Throws 404 for an unknown one, and 409 for a refunded one.
 */
export async function deliverOrders(
  { db, config }: Pick<Services, 'db' | 'config'>,
  who: Admin,
  ids: string[],
  isDelivered: boolean,
): Promise<number> {
  return transactionOf(db, who, async (tx) => {
    const batch = { id: newId(), actor: who.name, undoUntil: new Date(Date.now() + UNDO_MS).toISOString() };
    if (isDelivered) await tx.insertInto('dispatchBatches').values(batch).execute();
    let changed = 0;
    await lockOrders(tx, ids);
    for (const id of new Set(ids))
      changed += Number(await markDelivery(tx, { config }, who, id, isDelivered, isDelivered ? batch : undefined));
    return changed;
  });
}

/** Counts what marking orders as delivered would change. */
export async function checkDelivery(db: Db, _: Admin, ids: readonly string[]): Promise<DeliveryCheck> {
  const { rows } = await sql<DeliveryCheck>`
    select count(*)::int as orders,
      count(*) filter (where not has_event(id, 'delivered')
        or exists (select from delivery_notices notice where notice.order_id = orders.id and told_at is null))::int as mails,
      count(*) filter (where ${inState(...statesIn('shop'))})::int as undispatched,
      count(*) filter (where awaits_approval)::int as unapproved
    from orders where ${isOneOf(ids.filter(isId))} and ${listed} and delivered_at is null`.execute(db);
  return rows[0] as DeliveryCheck;
}
