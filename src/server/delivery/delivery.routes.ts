import * as schema from '#contract/delivery/delivery.schema.ts';
import { readDelivery } from '#contract/delivery/delivery.ts';
import { on, type Route } from '#server/platform/http/route.ts';
import { deliveryAt } from './delivery.service.ts';

export const deliveryRoutes: readonly Route[] = [
  on(readDelivery, { reply: schema.Delivery }, async (_, { config }) => deliveryAt(config, new Date().toISOString())),
];
