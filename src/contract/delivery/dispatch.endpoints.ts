import { Order, StageBody } from '#contract/orders/orders.schema.ts';
import { endpoint } from '#contract/platform/endpoint.ts';
import { ById, Done } from '#contract/platform/lists.schema.ts';
import * as schema from './dispatch.schema.ts';
import * as parcels from './parcels.schema.ts';

export const deliverOrders = endpoint('PUT /api/orders/deliver', {
  right: 'change orders',
  summary: 'Mark several orders as delivered, or undo that',
  errors: [404, 409],
  body: schema.DeliverManyBody,
  reply: schema.DeliverMany,
});

export const dispatchMany = endpoint('POST /api/office/dispatches', {
  right: 'change orders',
  summary: 'Count the orders of a list’s filters that can be dispatched, or dispatch them all',
  errors: [409],
  body: schema.DispatchManyBody,
  reply: schema.DispatchMany,
});

export const listBatches = endpoint('GET /api/office/dispatches', {
  right: 'see orders',
  summary: 'List the bulk dispatches that can still be undone',
  reply: schema.BatchList,
});

export const undoDispatch = endpoint('POST /api/office/dispatches/:id/undo', {
  right: 'change orders',
  summary: 'Undo a bulk dispatch, before its emails are sent',
  errors: [404, 409],
  params: ById,
  reply: Done,
});

export const importTracking = endpoint('POST /api/office/dispatches/import', {
  right: 'change orders',
  summary: 'Check a courier’s CSV of references and tracking numbers, or dispatch what was checked',
  errors: [409],
  multipart: true,
  body: schema.CourierForm,
  reply: schema.CourierReport,
});

export const readPickingList = endpoint('GET /api/office/picking-list', {
  right: 'see orders',
  summary: 'Read the picking list for the orders of a list',
  query: schema.PrintQuery,
  reply: schema.PickingList,
});

export const readSlips = endpoint('GET /api/office/slips', {
  right: 'see orders',
  summary: 'Read the packing slips of the orders of a list',
  query: schema.PrintQuery,
  reply: schema.Slips,
});

export const sendParcel = endpoint('POST /api/office/orders/:id/parcels', {
  right: 'change orders',
  summary: 'Dispatch pieces of an order, or all of it, as a parcel',
  errors: [404, 409],
  params: ById,
  body: parcels.ParcelBody,
  reply: Order,
});

export const changeParcel = endpoint('PUT /api/office/parcels/:id', {
  right: 'change orders',
  summary: 'Change a parcel’s carrier and tracking',
  errors: [404],
  params: ById,
  body: parcels.Transport,
  reply: Order,
});

export const moveOrder = endpoint('PUT /api/orders/:id/stage', {
  right: 'change orders',
  summary: 'Mark an order as being packed, dispatched or not delivered by the courier, or undo that',
  errors: [404, 409],
  params: ById,
  body: StageBody,
  reply: Order,
});
