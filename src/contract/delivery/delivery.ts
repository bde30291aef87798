import type { z } from 'zod';
import type * as schema from './delivery.schema.ts';

export type DeliveryWindow = z.infer<typeof schema.DeliveryWindow>;
export type Delivery = z.infer<typeof schema.Delivery>;
