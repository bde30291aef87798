import type { z } from 'zod';
import { endpoint } from '#contract/platform/endpoint.ts';
import type * as schema from './delivery.schema.ts';

export type DeliveryWindow = z.infer<typeof schema.DeliveryWindow>;
export type Delivery = z.infer<typeof schema.Delivery>;

/** When an order placed now would arrive. The server's clock decides; nobody computes these days in a browser. */
export const readDelivery = endpoint<Record<never, never>, Delivery>('GET', '/api/delivery');
