import type { z } from 'zod';
import { endpoint } from '#contract/base/endpoint.ts';
import type { Done } from '#contract/base/lists.schema.ts';
import type { ParcelBody, Transport } from '#contract/orders/parcels.schema.ts';
import type { Order } from '#contract/orders.ts';
import type { BatchList, DispatchMany, DispatchManyBody } from './dispatch.schema.ts';

type Id = { params: { id: string } };
export type ParcelWish = z.infer<typeof ParcelBody>;
export type ParcelInput = z.input<typeof ParcelBody>;
export type TransportWish = z.infer<typeof Transport>;
export type TransportInput = z.input<typeof Transport>;

/** Says that pieces of an order, or all that is left of it, have left the shop as one parcel (administrators). */
export const sendParcel = endpoint<Id & { body: ParcelInput }, Order>('POST', '/api/office/orders/:id/parcels');
/** Changes who brings a parcel and how it can be followed (administrators). */
export const changeParcel = endpoint<Id & { body: TransportInput }, Order>('PUT', '/api/office/parcels/:id');
/** Counts the orders of a list's filters that can be dispatched, or, with that count, dispatches them all (administrators). */
export const dispatchMany = endpoint<{ body: z.input<typeof DispatchManyBody> }, z.infer<typeof DispatchMany>>(
  'POST',
  '/api/office/dispatches',
);
/** What was dispatched in one go and can still be undone (administrators). */
export const listBatches = endpoint<Record<never, never>, z.infer<typeof BatchList>>('GET', '/api/office/dispatches');
/** Takes back what was dispatched in one go, before its mails leave (administrators). */
export const undoDispatch = endpoint<Id, Done>('POST', '/api/office/dispatches/:id/undo');
