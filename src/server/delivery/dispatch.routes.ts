import * as api from '#contract/delivery/dispatch.endpoints.ts';
import { filterOf } from '#server/orders/office/list.service.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { countReady, dispatchAll, listBatches, undoBatch } from './batches.service.ts';
import { importTracking } from './courier/courier.service.ts';
import { changeParcel, sendParcel } from './dispatch.service.ts';
import { checkDelivery, deliverOrders } from './mark-delivered.service.ts';
import { readPickingList, readSlips } from './picking.service.ts';
import { moveOrder } from './stages.service.ts';

const countText = (orders: number) => (orders === 1 ? '1 order' : `${orders} orders`);
const noLongerText = (orders: number) => `${countText(orders)} ${orders === 1 ? 'is' : 'are'} no longer`;

/** How orders leave the shop. */
export const dispatchRoutes: readonly Route[] = [
  route(api.moveOrder, ({ params, body, who }, ctx) => moveOrder(ctx, who, params.id, body)),
  route(api.sendParcel, ({ params, body, who }, ctx) => sendParcel(ctx, who, params.id, body)),
  route(api.changeParcel, ({ params, body, who }, ctx) => changeParcel(ctx, who, params.id, body)),
  route(api.deliverOrders, async ({ body: { ids, isDelivered, isCheck }, who }, ctx) => {
    if (isCheck) return { message: 'Nothing has been changed yet.', check: await checkDelivery(ctx.db, who, ids) };
    const changed = await deliverOrders(ctx, who, ids, isDelivered);
    return { message: `${countText(changed)} marked as ${isDelivered ? 'delivered' : 'not delivered'}.`, check: null };
  }),
  route(api.dispatchMany, async ({ body: { filters, expected, ...transport }, who }, ctx) => {
    const where = filterOf(filters);
    const batch = expected ? await dispatchAll(ctx, who, where, { ...transport, expected }) : null;
    return { ...(await countReady(ctx.db, who, where)), batch };
  }),
  route(api.readPickingList, ({ query: { orders, ...filters }, who }, { db }) => readPickingList(db, who, filterOf(filters), orders)),
  route(api.readSlips, ({ query: { orders, ...filters }, who }, { db }) => readSlips(db, who, filterOf(filters), orders)),
  route(api.listBatches, async ({ who }, ctx) => ({ batches: await listBatches(ctx, who) })),
  route(api.undoDispatch, async ({ params, who }, ctx) => {
    const { dispatched, delivered } = await undoBatch(ctx, who, params.id);
    const undone = delivered > 0 ? `${noLongerText(delivered)} marked as delivered` : `${noLongerText(dispatched)} dispatched`;
    return { message: `${undone}. No email was sent.` };
  }),
  route(api.importTracking, ({ body, who }, ctx) => importTracking(ctx, who, body)),
];
