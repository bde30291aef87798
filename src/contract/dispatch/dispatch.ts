import type { z } from 'zod';
import { endpoint } from '#contract/base/endpoint.ts';
import type { ParcelBody, Transport } from '#contract/orders/parcels.schema.ts';
import type { Order } from '#contract/orders.ts';

type Id = { params: { id: string } };
export type ParcelWish = z.infer<typeof ParcelBody>;
export type ParcelInput = z.input<typeof ParcelBody>;
export type TransportWish = z.infer<typeof Transport>;
export type TransportInput = z.input<typeof Transport>;

/** Says that pieces of an order, or all that is left of it, have left the shop as one parcel (administrators). */
export const sendParcel = endpoint<Id & { body: ParcelInput }, Order>('POST', '/api/office/orders/:id/parcels');
/** Changes who brings a parcel and how it can be followed (administrators). */
export const changeParcel = endpoint<Id & { body: TransportInput }, Order>('PUT', '/api/office/parcels/:id');
