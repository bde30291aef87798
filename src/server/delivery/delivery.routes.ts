import * as api from '#contract/delivery/delivery.endpoints.ts';
import type { Services } from '#server/context/services.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { deliveryAt } from './delivery.service.ts';

/** The usual days, which every page of a product shows: they change with the settings and at a cut-off, which is a full hour. */
const usualDelivery = (services: Services, now: string) =>
  services.facts.getOrMake(`delivery ${now.slice(0, 13)}`, ['settings'], () => deliveryAt(services, now, {}));

export const deliveryRoutes: readonly Route[] = [
  route(
    api.readDelivery,
    ({ query }, services) => {
      const now = new Date().toISOString();
      return query.postcode || query.products ? deliveryAt(services, now, query) : usualDelivery(services, now);
    },
    { takesTurn: true },
  ),
];
