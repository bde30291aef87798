import { endpoint } from '#contract/platform/endpoint.ts';
import * as schema from './delivery.schema.ts';

export const readDelivery = endpoint('GET /api/delivery', {
  role: 'visitor',
  summary: 'Read when an order placed now would arrive, and what differs for a postcode',
  query: schema.DeliveryQuery,
  reply: schema.Delivery,
});
