import type { z } from 'zod';
import type { Order } from '#contract/orders/orders.ts';
import { endpoint, formEndpoint } from '#contract/platform/endpoint.ts';
import type { Done } from '#contract/platform/lists.schema.ts';
import type * as schema from './dispatch.schema.ts';
import type { ParcelBody, Transport } from './parcels.schema.ts';

type Id = { params: { id: string } };
export type ParcelWish = z.infer<typeof ParcelBody>;
export type ParcelInput = z.input<typeof ParcelBody>;
export type TransportWish = z.infer<typeof Transport>;
export type CourierReport = z.infer<typeof schema.CourierReport>;
export type CourierRow = z.infer<typeof schema.CourierRow>;
export type CourierForm = z.infer<typeof schema.CourierForm>;
export type PickingList = z.infer<typeof schema.PickingList>;
export type Slip = z.infer<typeof schema.Slip>;
export type Slips = z.infer<typeof schema.Slips>;
export type PrintQuery = z.infer<typeof schema.PrintQuery>;
export type TransportInput = z.input<typeof Transport>;

/** Says that pieces of an order, or all that is left of it, have left the shop as one parcel (administrators). */
export const sendParcel = endpoint<Id & { body: ParcelInput }, Order>('POST', '/api/office/orders/:id/parcels');
/** Changes who brings a parcel and how it can be followed (administrators). */
export const changeParcel = endpoint<Id & { body: TransportInput }, Order>('PUT', '/api/office/parcels/:id');
/** Counts the orders of a list's filters that can be dispatched, or, with that count, dispatches them all (administrators). */
export const dispatchMany = endpoint<{ body: z.input<typeof schema.DispatchManyBody> }, z.infer<typeof schema.DispatchMany>>(
  'POST',
  '/api/office/dispatches',
);
/** Marks several orders delivered, or not, at once, or says what that would come to; customers are told ten minutes later (administrators). */
export const deliverOrders = endpoint<{ body: z.input<typeof schema.DeliverManyBody> }, z.infer<typeof schema.DeliverMany>>(
  'PUT',
  '/api/orders/deliver',
);
/** What was dispatched or delivered in one go and can still be undone (administrators). */
export const listBatches = endpoint<Record<never, never>, z.infer<typeof schema.BatchList>>('GET', '/api/office/dispatches');
/** Takes back what was dispatched or delivered in one go, before its mails leave (administrators). */
export const undoDispatch = endpoint<Id, Done>('POST', '/api/office/dispatches/:id/undo');
/** Checks a courier's CSV of references and tracking numbers, and carries it out once its fingerprint is sent with it (administrators). */
export const importTracking = formEndpoint<{ body: unknown }, CourierReport>('POST', '/api/office/dispatches/import');

type Prints = { query: Partial<Record<keyof PrintQuery, string | undefined>> };
/** What is to be fetched from the shelves for the orders of a list (administrators). */
export const readPickingList = endpoint<Prints, PickingList>('GET', '/api/office/picking-list');
/** The packing slips of the orders of a list (administrators). */
export const readSlips = endpoint<Prints, Slips>('GET', '/api/office/slips');
