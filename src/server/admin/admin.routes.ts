import * as products from '#contract/catalogue/products.endpoints.ts';
import * as dispatch from '#contract/delivery/dispatch.endpoints.ts';
import * as invoices from '#contract/invoices/invoices.endpoints.ts';
import * as orders from '#contract/orders/orders.endpoints.ts';
import { importProducts } from '#server/catalogue/import/import.service.ts';
import { proven } from '#server/context/context.ts';
import { countReady, dispatchAll, listBatches, undoBatch } from '#server/delivery/batches.service.ts';
import { importTracking } from '#server/delivery/courier/courier.service.ts';
import { checkDelivery, deliverOrders } from '#server/delivery/mark-delivered.service.ts';
import { exportVat } from '#server/invoices/vat-report.service.ts';
import { approveOrder } from '#server/orders/approval.service.ts';
import { type Route, route } from '#server/platform/http/route.ts';
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
  route(orders.listOrders, ({ query, who }, { db }) => listOrders(db, who, query)),
  route(products.listOfficeProducts, ({ query, who }, { readDb }) => listProductsForOffice(readDb, who, query)),
  route(orders.listQueues, ({ who }, { db }) => countQueues(db, who)),
  route(orders.readSales, ({ who }, { db }) => readSales(db, who)),
  route(dispatch.deliverOrders, async ({ body: { ids, isDelivered, isCheck }, who }, ctx) => {
    if (isCheck) return { message: 'Nothing has been changed yet.', check: await checkDelivery(ctx.db, who, ids) };
    const changed = await deliverOrders(ctx, who, ids, isDelivered);
    return { message: `${countText(changed)} marked as ${isDelivered ? 'delivered' : 'not delivered'}.`, check: null };
  }),
  route(dispatch.dispatchMany, async ({ body: { filters, expected, ...transport }, who }, ctx) => {
    const where = filterOf(filters);
    const batch = expected ? await dispatchAll(ctx, who, where, { ...transport, expected }) : null;
    return { ...(await countReady(ctx.db, who, where)), batch };
  }),
  route(dispatch.listBatches, async ({ who }, ctx) => ({ batches: await listBatches(ctx, who) })),
  route(dispatch.undoDispatch, async ({ params, who }, ctx) => {
    const { dispatched, delivered } = await undoBatch(ctx, who, params.id);
    const undone = delivered > 0 ? `${isNoLonger(delivered)} marked as delivered` : `${isNoLonger(dispatched)} dispatched`;
    return { message: `${undone}. No email was sent.` };
  }),
  route(dispatch.importTracking, ({ body, who }, ctx) => importTracking(ctx, who, body)),
  route(dispatch.readPickingList, ({ query, who }, { db }) => readPickingList(db, who, query)),
  route(dispatch.readSlips, ({ query, who }, { db }) => readSlips(db, who, query)),
  route(orders.approveOrder, ({ params, who }, ctx) => approveOrder(ctx, who, params.id)),
  route(orders.exportOrders, ({ query, who }, { db }) => csv.exportOrders(db, proven(who), query)),
  route(invoices.exportVat, ({ query: { quarter }, who }, { db }) => exportVat(db, who, quarter)),
  route(products.exportProducts, ({ who }, { db }) => csv.exportProducts(db, who)),
  route(products.importProducts, ({ body, who }, { db }) => importProducts(db, who, body)),
];
