import type { z } from 'zod';
import type * as schema from './dispatch.schema.ts';
import type { ParcelBody, Transport } from './parcels.schema.ts';

export type ParcelWish = z.infer<typeof ParcelBody>;
export type TransportWish = z.infer<typeof Transport>;
export type CourierReport = z.infer<typeof schema.CourierReport>;
export type CourierRow = z.infer<typeof schema.CourierRow>;
export type CourierForm = z.infer<typeof schema.CourierForm>;
export type PickingList = z.infer<typeof schema.PickingList>;
export type Slip = z.infer<typeof schema.Slip>;
export type Slips = z.infer<typeof schema.Slips>;
