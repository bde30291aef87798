import { z } from 'zod';
import * as products from '#contract/catalogue/catalogue.schema.ts';
import { exportProducts, importProducts, listOfficeProducts } from '#contract/catalogue/catalogue.ts';
import * as dispatchSchema from '#contract/delivery/dispatch.schema.ts';
import * as dispatches from '#contract/delivery/dispatch.ts';
import { QuarterQuery } from '#contract/invoices/invoices.schema.ts';
import { exportVat } from '#contract/invoices/invoices.ts';
import * as office from '#contract/orders/order-administration.ts';
import * as orders from '#contract/orders/orders.schema.ts';
import * as imports from '#contract/platform/import.schema.ts';
import { Done } from '#contract/platform/lists.schema.ts';
import { importProducts as runImport } from '#server/catalogue/import/import.service.ts';
import { MAX_SHEET_MB } from '#server/catalogue/import/import-sheet.ts';
import { proven } from '#server/context/context.ts';
import { countReady, dispatchAll, listBatches, undoBatch } from '#server/delivery/batches.service.ts';
import { importTracking } from '#server/delivery/courier/courier.service.ts';
import { checkDelivery, deliverOrders } from '#server/delivery/mark-delivered.service.ts';
import { exportVat as vatCsv } from '#server/invoices/vat-report.service.ts';
import { approveOrder } from '#server/orders/approval.service.ts';
import { onAdmin, onDownload, type Route } from '#server/platform/http/route.ts';
import * as csv from './export.service.ts';
import { filterOf, listOrders } from './order-list.service.ts';
import { readPickingList, readSlips } from './picking.service.ts';
import { listProductsForOffice } from './product-list.service.ts';
import { countQueues } from './queues.ts';
import { readSales } from './sales.service.ts';

const countText = (orders: number) => (orders === 1 ? '1 order' : `${orders} orders`);
const isNoLonger = (orders: number) => `${countText(orders)} ${orders === 1 ? 'is' : 'are'} no longer`;

/** What only the screens of the back office ask for, across orders and products. */
export const officeRoutes: readonly Route[] = [
  onAdmin(office.listOrders, { query: orders.ListOrdersQuery, reply: orders.OrderList }, ({ query }, who, { db }) =>
    listOrders(db, who, query),
  ),
  onAdmin(
    listOfficeProducts,
    { query: products.ListOfficeProductsQuery, reply: products.OfficeProductList },
    ({ query }, who, { readDb }) => listProductsForOffice(readDb, who, query),
  ),
  onAdmin(office.listQueues, { reply: orders.Queues }, (_, who, { db }) => countQueues(db, who)),
  onAdmin(office.readSales, { reply: orders.Sales }, (_, who, { db }) => readSales(db, who)),
  onAdmin(
    dispatches.deliverOrders,
    { body: dispatchSchema.DeliverManyBody, reply: dispatchSchema.DeliverMany },
    async ({ body: { ids, isDelivered, isCheck } }, who, ctx) => {
      if (isCheck) return { message: 'Nothing has been changed yet.', check: await checkDelivery(ctx.db, who, ids) };
      const changed = await deliverOrders(ctx, who, ids, isDelivered);
      return { message: `${countText(changed)} marked as ${isDelivered ? 'delivered' : 'not delivered'}.`, check: null };
    },
  ),
  onAdmin(
    dispatches.dispatchMany,
    { body: dispatchSchema.DispatchManyBody, reply: dispatchSchema.DispatchMany },
    async ({ body: { filters, expected, ...transport } }, who, ctx) => {
      const where = filterOf(filters);
      const batch = expected ? await dispatchAll(ctx, who, where, { ...transport, expected }) : null;
      return { ...(await countReady(ctx.db, who, where)), batch };
    },
  ),
  onAdmin(dispatches.listBatches, { reply: dispatchSchema.BatchList }, async (_, who, ctx) => ({ batches: await listBatches(ctx, who) })),
  onAdmin(dispatches.undoDispatch, { params: orders.OrderParams, reply: Done }, async ({ params }, who, ctx) => {
    const { dispatched, delivered } = await undoBatch(ctx, who, params.id);
    const undone = delivered > 0 ? `${isNoLonger(delivered)} marked as delivered` : `${isNoLonger(dispatched)} dispatched`;
    return { message: `${undone}. No email was sent.` };
  }),
  onAdmin(dispatches.importTracking, { body: dispatchSchema.CourierForm, reply: dispatchSchema.CourierReport }, ({ body }, who, ctx) =>
    importTracking(ctx, who, body),
  ),
  onAdmin(dispatches.readPickingList, { query: dispatchSchema.PrintQuery, reply: dispatchSchema.PickingList }, ({ query }, who, { db }) =>
    readPickingList(db, who, query),
  ),
  onAdmin(dispatches.readSlips, { query: dispatchSchema.PrintQuery, reply: dispatchSchema.Slips }, ({ query }, who, { db }) =>
    readSlips(db, who, query),
  ),
  onAdmin(office.approveOrder, { params: orders.OrderParams, reply: orders.Order }, ({ params }, who, ctx) =>
    approveOrder(ctx, who, params.id),
  ),
  onDownload(office.exportOrders, orders.ListOrdersQuery, 'orders.csv', (query, who, { db }) => csv.exportOrders(db, proven(who), query)),
  onDownload(exportVat, QuarterQuery, 'vat.csv', ({ quarter }, who, { db }) => vatCsv(db, who, quarter)),
  onDownload(exportProducts, z.object({}), 'products.csv', (_, who, { db }) => csv.exportProducts(db, who)),
  onAdmin(importProducts, { body: imports.ImportForm, reply: imports.ImportReport }, ({ body }, who, { db }) => runImport(db, who, body), {
    maxFileMb: MAX_SHEET_MB,
  }),
];
