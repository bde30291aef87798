import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/platform/settings/config.ts';

/** The Content Security Policy. */
const policy = (pictures: string, scriptHash: string) =>
  [
    "default-src 'none'",
    "base-uri 'none'",
    // The viewer fetches 3D models.
    `connect-src 'self'${pictures}`,
    "font-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    // Previews of chosen pictures are blobs; the API docs' icons are data.
    `img-src 'self' blob: data:${pictures}`,
    "manifest-src 'self'",
    // The one inline script is known by its hash (decision 76).
    `script-src 'self' '${scriptHash}'`,
    // Carousels and toasts position themselves by style attributes.
    "style-src 'self' 'unsafe-inline'",
  ].join(';');

/** The headers that OWASP recommends. A constant: `@fastify/helmet` joins them for each request, which cost 3 % of a call's time. */
const HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};
const ONLY_BY_HTTPS = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' };

/** Sends the security headers, and CORS headers to the sites of CORS_ORIGINS. */
export async function setSecurityHeaders(
  app: FastifyInstance,
  { publicUrl, picturesUrl, corsOrigins }: Pick<Config, 'publicUrl' | 'picturesUrl' | 'corsOrigins'>,
  scriptHash: string,
): Promise<void> {
  const pictures = picturesUrl ? ` ${new URL(picturesUrl).origin}` : '';
  const headers = {
    'content-security-policy': policy(pictures, scriptHash),
    ...HEADERS,
    ...(publicUrl.startsWith('https:') && ONLY_BY_HTTPS),
  };
  app.addHook('onRequest', (_, reply, done) => {
    reply.headers(headers);
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
