import { randomUUID } from 'node:crypto';
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import fastify, { type FastifyError, type FastifyInstance, LogController } from 'fastify';
import { jsonSchemaTransform, serializerCompiler } from 'fastify-type-provider-zod';
import { sql } from 'kysely';
import type { Render } from '#contract/page.ts';
import { GENERIC_MESSAGE, isProblem, type Problem } from '#contract/problem.ts';
import { catalogueRoutes } from './catalogue/catalogue.routes.ts';
import { pictureRoutes } from './catalogue/pictures.routes.ts';
import { officeRoutes } from './office/office.routes.ts';
import { orderRoutes } from './orders/orders.routes.ts';
import { pageRoutes } from './pages/pages.ts';
import { paymentRoutes } from './payments/payments.routes.ts';
import { webhookRoutes } from './payments/webhook.routes.ts';
import { mount, type Route } from './route.ts';
import type { Services } from './services.ts';
import { userRoutes } from './users/users.routes.ts';

/** Every endpoint of the API. */
export const apiRoutes: readonly Route[] = [...userRoutes, ...catalogueRoutes, ...orderRoutes, ...paymentRoutes, ...officeRoutes];

/** The largest JSON body; pictures come as multipart with limits of their own. */
const BODY_LIMIT = 256 * 1024;

const csp = {
  defaultSrc: ["'none'"],
  baseUri: ["'none'"],
  connectSrc: ["'self'"],
  fontSrc: ["'self'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
  // Previews of chosen pictures are blobs; the API docs' icons are data.
  imgSrc: ["'self'", 'blob:', 'data:'],
  manifestSrc: ["'self'"],
  scriptSrc: ["'self'"],
  // Carousels and toasts position themselves by style attributes.
  styleSrc: ["'self'", "'unsafe-inline'"],
};

/** The HTTP server: API, pages, assets, pictures and the ops paths. Listening is the caller's. */
export async function buildApp(services: Services, render: Render): Promise<FastifyInstance> {
  const { config } = services;
  const app = fastify({
    loggerInstance: services.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    requestTimeout: 60_000,
    keepAliveTimeout: 72_000,
    connectionTimeout: 0,
    routerOptions: { maxParamLength: 300 },
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
  });
  app.removeContentTypeParser('text/plain');
  // Routes validate themselves, after the role is proven; the schemas here document and serialise.
  app.setValidatorCompiler(() => (value) => ({ value }));
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler<FastifyError | Problem>((error, request, reply) => {
    const problem = asProblem(error);
    if (problem.status >= 500 && !isProblem(error)) request.log.error(error);
    if (problem.retryAfter !== undefined) reply.header('retry-after', String(problem.retryAfter));
    return reply
      .status(problem.status)
      .type('application/json; charset=utf-8')
      .serializer(JSON.stringify)
      .send({ message: problem.message, ...(problem.errors && { errors: problem.errors }) });
  });
  logRequests(app);
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: csp },
    strictTransportSecurity: config.publicUrl.startsWith('https:') ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginEmbedderPolicy: false,
  });
  if (config.corsOrigins.length > 0) {
    await app.register(cors, {
      origin: config.corsOrigins,
      allowedHeaders: ['authorization', 'bearer', 'content-type', 'idempotency-key'],
      methods: ['GET', 'POST', 'PUT', 'DELETE'],
    });
  }
  await app.register(multipart, { limits: { fileSize: 10 * 1024 * 1024, files: 12, fields: 60, fieldSize: 256 * 1024, parts: 72 } });
  await app.register(swagger, { openapi: { info: { title: 'Furniture shop', version: '1.0.0' } }, transform: jsonSchemaTransform });
  await app.register(swaggerUi, { routePrefix: '/api/docs' });
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }));
  app.get('/readyz', { schema: { hide: true } }, async () => {
    await sql`select 1`.execute(services.db);
    return { status: 'ready' };
  });
  mount(app, apiRoutes, services);
  await app.register(webhookRoutes, services);
  await app.register(pictureRoutes, services);
  await app.register(pageRoutes, { services, render, routes: apiRoutes });
  return app;
}

function asProblem(error: FastifyError | Problem): Pick<Problem, 'status' | 'message' | 'errors' | 'retryAfter'> {
  if (isProblem(error)) return error;
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500)
    return { status, message: clientErrors[status] ?? error.message, errors: undefined, retryAfter: undefined };
  // Text with a zero byte, which no field of the shop can hold.
  if (error.code === '22021' || error.code === '22P05')
    return { status: 400, message: clientErrors[400] ?? '', errors: undefined, retryAfter: undefined };
  // The account was deleted while this request of its owner was under way.
  if (error.code === '23503' && 'constraint' in error && /^(sessions|orders)_user_id_fkey$/.test(String(error.constraint)))
    return { status: 401, message: 'Please log in.', errors: undefined, retryAfter: undefined };
  if (isDatabaseGone(error))
    return { status: 503, message: 'The shop is catching its breath. Please try again in a moment.', errors: undefined, retryAfter: 5 };
  return { status: 500, message: GENERIC_MESSAGE, errors: undefined, retryAfter: undefined };
}

const clientErrors: Record<number, string> = {
  400: 'The request cannot be read.',
  404: 'Not found.',
  413: 'That is too large.',
  415: 'That type of content is not accepted.',
};

/** Connection failures and the server's own "shutting down" classes (57P0x), not mistakes in statements. */
function isDatabaseGone(error: FastifyError): boolean {
  return (
    /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|57P0[123]|08\w{3}|53300)$/.test(error.code ?? '') ||
    /Connection terminated|timeout exceeded when trying to connect/.test(error.message)
  );
}

/** One structured line a request; query strings, bodies and headers stay out, since they may hold personal data. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id));
  app.addHook('onResponse', async (request, reply) => {
    const line = { method: request.method, path: request.url.split('?')[0], status: reply.statusCode, ms: Math.round(reply.elapsedTime) };
    request.log[reply.statusCode >= 500 ? 'error' : 'info'](line, 'request');
  });
}
