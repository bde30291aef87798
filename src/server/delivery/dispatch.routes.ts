import * as contract from '#contract/delivery/dispatch.ts';
import * as parcels from '#contract/delivery/parcels.schema.ts';
import { moveOrder as moveEndpoint } from '#contract/orders/order-administration.ts';
import * as orders from '#contract/orders/orders.schema.ts';
import { onAdmin, type Route } from '#server/platform/http/route.ts';
import { changeParcel, sendParcel } from './dispatch.service.ts';
import { moveOrder } from './stages.service.ts';

const byId = { params: orders.OrderParams };

/** How orders leave the shop. */
export const dispatchRoutes: readonly Route[] = [
  onAdmin(moveEndpoint, { ...byId, body: orders.StageBody, reply: orders.Order }, ({ params, body }, who, ctx) =>
    moveOrder(ctx, who, params.id, body),
  ),
  onAdmin(contract.sendParcel, { ...byId, body: parcels.ParcelBody, reply: orders.Order }, ({ params, body }, who, ctx) =>
    sendParcel(ctx, who, params.id, body),
  ),
  onAdmin(contract.changeParcel, { ...byId, body: parcels.Transport, reply: orders.Order }, ({ params, body }, who, ctx) =>
    changeParcel(ctx, who, params.id, body),
  ),
];
