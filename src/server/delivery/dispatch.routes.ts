import * as api from '#contract/delivery/dispatch.endpoints.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { changeParcel, sendParcel } from './dispatch.service.ts';
import { moveOrder } from './stages.service.ts';

/** How orders leave the shop. */
export const dispatchRoutes: readonly Route[] = [
  route(api.moveOrder, ({ params, body, who }, ctx) => moveOrder(ctx, who, params.id, body)),
  route(api.sendParcel, ({ params, body, who }, ctx) => sendParcel(ctx, who, params.id, body)),
  route(api.changeParcel, ({ params, body, who }, ctx) => changeParcel(ctx, who, params.id, body)),
];
