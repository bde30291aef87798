import * as contract from '#contract/dispatch/dispatch.ts';
import { moveOrder as moveEndpoint } from '#contract/office/orders.ts';
import * as parcels from '#contract/orders/parcels.schema.ts';
import * as orders from '#contract/orders.schema.ts';
import { onAdmin, type Route } from '#server/http/route.ts';
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
