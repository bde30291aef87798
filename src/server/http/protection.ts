import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/base/config.ts';

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

/** Headers that tell browsers what the shop never does, and which other sites may call its API (CORS_ORIGINS; none unless set). */
export async function protect(app: FastifyInstance, { publicUrl, corsOrigins }: Pick<Config, 'publicUrl' | 'corsOrigins'>): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: csp },
    strictTransportSecurity: publicUrl.startsWith('https:') ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginEmbedderPolicy: false,
  });
  app.addHook('onRequest', (_, reply, done) => {
    reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=()');
    done();
  });
  if (corsOrigins.length === 0) return;
  await app.register(cors, {
    origin: corsOrigins,
    allowedHeaders: ['authorization', 'bearer', 'content-type', 'idempotency-key', 'x-request-id'],
    exposedHeaders: ['retry-after', 'x-request-id'],
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    maxAge: 600,
  });
}
