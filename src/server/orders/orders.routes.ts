import * as mails from '#contract/orders/order-mails.endpoints.ts';
import * as api from '#contract/orders/orders.endpoints.ts';
import * as reports from '#contract/orders/reports.endpoints.ts';
import { proven, provenToRead, visitor } from '#server/context/context.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { cancelOrder, cancelOwnOrder } from './cancel.service.ts';
import { correctOrder } from './corrections/correct.service.ts';
import { correctDelivery } from './corrections/correct-delivery.service.ts';
import { withdrawCorrection } from './corrections/difference.service.ts';
import { changeDeliveryNote } from './delivery-note.service.ts';
import { approveOrder, deliverOrder } from './fulfil.service.ts';
import { checkCart } from './lines/cart.service.ts';
import { readCartDiscount } from './lines/discount.service.ts';
import { exportOrders } from './office/export.service.ts';
import { listOrders } from './office/list.service.ts';
import { listOrderMails, readOrderMail, sendMailAgain } from './office/order-mails.service.ts';
import { exportReport, readReport } from './office/reports.service.ts';
import { readSales } from './office/sales.service.ts';
import { recordOverpayment, undoOverpayment } from './overpayments.service.ts';
import { readAttempt } from './place.service.ts';
import { listMyOrders, readOrder } from './read.service.ts';
import { noteNotCollected, recordCash, writeOff } from './receipts.service.ts';
import { refundOrder, retryRefund, settleRefund } from './refunds/refunds.service.ts';

export const orderRoutes: readonly Route[] = [
  route(api.listMyOrders, ({ query, who }, { db }) => listMyOrders(db, who, query.pageNumber)),
  route(api.readAttempt, ({ params, who }, ctx) => readAttempt(ctx, who, params.id), { takesTurn: true }),
  route(api.readOrder, ({ params, who }, { db }) => readOrder(db, who, params.id)),
  route(api.changeDeliveryNote, ({ params, body, who }, ctx) => changeDeliveryNote(ctx, who, params.id, body.deliveryNote), {
    limit: 'afterSale',
    takesTurn: true,
  }),
  route(api.withdrawCorrection, ({ params, who }, ctx) => withdrawCorrection(ctx, who, params.id)),
  route(api.correctDelivery, ({ params, body, who }, ctx) => correctDelivery(ctx, who, params.id, body)),
  route(api.correctOrder, ({ params, body, who }, ctx) => correctOrder(ctx, who, params.id, body)),
  route(api.deliverOrder, ({ params, body, who }, ctx) => deliverOrder(ctx, who, params.id, body.isDelivered)),
  route(api.recordCash, ({ params, body, who }, ctx) => recordCash(ctx, who, params.id, body)),
  route(api.recordOverpayment, ({ params, body, who }, ctx) => recordOverpayment(ctx, who, params.id, body, ctx.idempotencyKey)),
  route(api.undoOverpayment, ({ params, who }, ctx) => undoOverpayment(ctx, who, params.id)),
  route(api.noteNotCollected, ({ params, body, who }, ctx) => noteNotCollected(ctx, who, params.id, body)),
  route(api.writeOff, async ({ params, body, who }, ctx) => writeOff(ctx, proven(who), params.id, body)),
  route(api.approveOrder, ({ params, who }, ctx) => approveOrder(ctx, who, params.id)),
  route(api.cancelOwnOrder, ({ params, body, who }, ctx) => cancelOwnOrder(ctx, who, params.id, body), {
    limit: 'afterSale',
    takesTurn: true,
  }),
  route(api.cancelOrder, ({ params, body, who }, ctx) => cancelOrder(ctx, who, params.id, body)),
  route(api.refundOrder, async ({ params, body, who }, ctx) => refundOrder(ctx, proven(who), params.id, body, ctx.idempotencyKey)),
  route(api.retryRefund, async ({ params, body, who }, ctx) => retryRefund(ctx, proven(who), params.id, body.openPrice)),
  route(api.settleRefund, async ({ params, body, who }, ctx) => settleRefund(ctx, proven(who), params.id, body)),
  route(api.listOrders, ({ query, who }, { db }) => listOrders(db, who, query)),
  route(mails.listOrderMails, ({ params, who }, { db }) => listOrderMails(db, who, params.id)),
  route(mails.readOrderMail, ({ params, who }, { db }) => readOrderMail(db, who, params.id)),
  route(mails.sendMailAgain, ({ params, who }, { db }) => sendMailAgain(db, who, params.id)),
  route(api.readSales, ({ who }, { db }) => readSales(db, who)),
  route(reports.readReport, ({ query, who }, { db }) => readReport(db, who, query)),
  route(reports.exportReport, ({ query: { by, ...period }, who }, { db }) => exportReport(db, who, period, by)),
  route(api.exportOrders, ({ query, who }, { db }) => exportOrders(db, provenToRead(who), query)),
  route(api.readCartDiscount, async ({ body }, ctx) => readCartDiscount(ctx, await visitor(ctx), body, ctx.ip), { takesTurn: true }),
  route(api.checkCart, async ({ body }, ctx) => checkCart(ctx.db, await visitor(ctx), body.orderItems), { takesTurn: true }),
];
