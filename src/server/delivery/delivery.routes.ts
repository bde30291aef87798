import * as api from '#contract/delivery/delivery.endpoints.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { deliveryAt } from './delivery.service.ts';

export const deliveryRoutes: readonly Route[] = [
  route(api.readDelivery, ({ query }, services) => deliveryAt(services, new Date().toISOString(), query)),
];
