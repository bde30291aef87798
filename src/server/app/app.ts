import { maxHeaderSize, type RequestListener } from 'node:http';
import multipart from '@fastify/multipart';
import fastify, { type FastifyInstance, LogController } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { Product, ProductCard } from '#contract/catalogue/catalogue.schema.ts';
import { MAX_PICTURES } from '#contract/catalogue/catalogue.ts';
import { Order } from '#contract/orders/orders.schema.ts';
import type { Render } from '#contract/page.ts';
import { secondFactorRoutes } from '#server/accounts/second-factor/second-factor.routes.ts';
import { userRoutes } from '#server/accounts/users.routes.ts';
import { alertRoutes } from '#server/alerts/alerts.routes.ts';
import { bookRoutes } from '#server/books/books.routes.ts';
import { bulkRoutes } from '#server/catalogue/bulk.routes.ts';
import { catalogueRoutes } from '#server/catalogue/catalogue.routes.ts';
import { feedRoutes } from '#server/catalogue/feed/feed.routes.ts';
import { modelRoutes } from '#server/catalogue/models.routes.ts';
import { pictureRoutes } from '#server/catalogue/pictures.routes.ts';
import { productRoutes } from '#server/catalogue/products.routes.ts';
import { saleRoutes } from '#server/catalogue/sale.routes.ts';
import type { Services } from '#server/context/services.ts';
import { deliveryRoutes } from '#server/delivery/delivery.routes.ts';
import { dispatchRoutes } from '#server/delivery/dispatch.routes.ts';
import { integrationRoutes } from '#server/integrations/integrations.routes.ts';
import { webhookDocs } from '#server/integrations/webhook-docs.ts';
import { invoiceRoutes } from '#server/invoices/invoices.routes.ts';
import { officeRoutes } from '#server/office/office.routes.ts';
import { openingRoutes } from '#server/opening/opening.routes.ts';
import { orderRoutes } from '#server/orders/orders.routes.ts';
import { readAssets } from '#server/pages/assets.ts';
import { pageRoutes } from '#server/pages/pages.ts';
import { paymentRoutes } from '#server/payments/payments.routes.ts';
import { webhookRoutes } from '#server/payments/webhook.routes.ts';
import { phoneRoutes } from '#server/phone/phone.routes.ts';
import { readableUrl } from '#server/platform/http/address.ts';
import { describeApi, schemaOf } from '#server/platform/http/api-docs.ts';
import { browserErrorRoutes } from '#server/platform/http/browser-errors.routes.ts';
import { DatabaseDisk } from '#server/platform/http/database-disk.ts';
import { answerErrors, answerUnparsed, sendError } from '#server/platform/http/errors.ts';
import { shutDownGracefully } from '#server/platform/http/graceful-shutdown.ts';
import { answerHeadUnread } from '#server/platform/http/head-requests.ts';
import { healthRoutes } from '#server/platform/http/health.routes.ts';
import { mount, type Route } from '#server/platform/http/route.ts';
import { setSecurityHeaders } from '#server/platform/http/security-headers.ts';
import { drainUnreadBodies } from '#server/platform/http/unread-bodies.ts';
import { requestId } from '#server/platform/request-id.ts';
import { metricsRoutes } from '#server/platform/telemetry/metrics.routes.ts';
import { logRequests } from '#server/platform/telemetry/request-log.ts';
import { policyRoutes } from '#server/policies/policies.routes.ts';
import { promotionRoutes } from '#server/promotions/promotions.routes.ts';
import { returnRoutes } from '#server/returns/returns.routes.ts';
import { reviewRoutes } from '#server/reviews/reviews.routes.ts';
import { settingsRoutes } from '#server/settings/settings.routes.ts';
import { stockRoutes } from '#server/stock/stock.routes.ts';
import { wishlistRoutes } from '#server/wishlist/wishlist.routes.ts';

/** Every endpoint of the API. */
export const apiRoutes: readonly Route[] = [
  ...userRoutes,
  ...secondFactorRoutes,
  ...catalogueRoutes,
  ...deliveryRoutes,
  ...productRoutes,
  ...bulkRoutes,
  ...saleRoutes,
  ...promotionRoutes,
  ...orderRoutes,
  ...stockRoutes,
  ...dispatchRoutes,
  ...returnRoutes,
  ...paymentRoutes,
  ...phoneRoutes,
  ...bookRoutes,
  ...integrationRoutes,
  ...invoiceRoutes,
  ...settingsRoutes,
  ...officeRoutes,
  ...openingRoutes,
  ...policyRoutes,
  ...reviewRoutes,
  ...alertRoutes,
  ...wishlistRoutes,
];

/** The largest JSON body; multipart forms have limits of their own. */
const BODY_LIMIT = 256 * 1024;
/**
 * Room for all pictures of a product and its 3D model. One picture too many passes, so that the form's own rule refuses it in words. `parts` is the sum of
 * files and fields.
 */
const FORM_LIMITS = { files: MAX_PICTURES + 1, fields: 60, fieldSize: 256 * 1024, parts: 73 };

function newServer(services: Services): FastifyInstance {
  const { log, config } = services;
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    // A form with a 3D model over a slow line, without a proxy that holds it back.
    requestTimeout: 300_000,
    keepAliveTimeout: 72_000,
    connectionTimeout: 0,
    // The router would refuse a parameter that is longer with 400. An address that names nothing is 404, of any length.
    routerOptions: { maxParamLength: maxHeaderSize, ignoreTrailingSlash: true },
    rewriteUrl: ({ url }) => readableUrl(url ?? '/'),
    genReqId: requestId,
    forceCloseConnections: 'idle',
    // An unreadable URL reaches neither a route nor its hooks.
    frameworkErrors: (error, request, reply) => sendError(services, error, request, reply.header('x-request-id', request.id)),
    clientErrorHandler: answerUnparsed,
    // Requests during a shutdown are still answered; the answer closes their connection.
    return503OnClosing: false,
  });
  // Fastify reads plain text by default. No call of the API takes it: 415.
  app.removeContentTypeParser('text/plain');
  acceptEmptyJson(app);
  // Routes validate after proving the role; Fastify's schemas only document and serialise.
  app.setValidatorCompiler(() => (value) => ({ value }));
  app.setSerializerCompiler(serializerCompiler);
  return app;
}

/** Accepts an empty body with the JSON content type, which clients send by default (specification §7). */
function acceptEmptyJson(app: FastifyInstance): void {
  // Refuses the keys `__proto__` and `constructor`.
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : parse(request, String(body), done),
  );
}

/** Builds the HTTP server: API, pages, assets, pictures, health and metrics. The caller listens. */
export async function buildApp(services: Services, render: Render): Promise<FastifyInstance> {
  const app = newServer(services);
  // Before the shutdown hooks, which have the last word on closing connections.
  drainUnreadBodies(app);
  answerHeadUnread(app);
  shutDownGracefully(app);
  const disk = new DatabaseDisk();
  answerErrors(app, services, disk);
  logRequests(app, services);
  const assets = readAssets();
  await setSecurityHeaders(app, services.config, assets.startHash);
  await app.register(multipart, { limits: FORM_LIMITS });
  // Before the routes, which it collects as they are added.
  await describeApi(app, services, { Order, Product, ProductCard }, webhookDocs());
  await app.register(healthRoutes, { ...services, disk });
  await app.register(metricsRoutes, { ...services, jobNames: Object.keys(services.jobs) });
  mount(app, apiRoutes, services, schemaOf);
  await app.register(webhookRoutes, services);
  await app.register(browserErrorRoutes, services);
  await app.register(pictureRoutes, services);
  await app.register(modelRoutes, services);
  await app.register(feedRoutes, services);
  await app.register(pageRoutes, { services, render, routes: apiRoutes, assets });
  putCacheInFront(app, services);
  return app;
}

/** Sends cached answers before Fastify's handler, which costs several times as much. */
function putCacheInFront({ server }: FastifyInstance, services: Services): void {
  const handlers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    // During a shutdown Fastify must close the connections.
    if (server.listening && services.cache.answerAtOnce(request, response, services)) return;
    for (const handle of handlers) handle(request, response);
  });
}
