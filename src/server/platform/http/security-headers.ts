import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/platform/settings/config.ts';

/** The Content Security Policy. `pictures` is another source of pictures with a space before it, or empty. */
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
    // The one inline script is known by its hash (decision 76), which is calculated from the built file at each start.
    `script-src 'self' '${scriptHash}'`,
    // Carousels and toasts position themselves by style attributes, whose changing values have no fixed hash.
    "style-src 'self' 'unsafe-inline'",
  ].join(';');

/** The headers that OWASP recommends. A constant: `@fastify/helmet` joins them for each request, which cost 3 % of a call's time. */
const HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  // The routes of pictures and models replace it where mails or PICTURES_URL need them.
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  // Only for browsers that do not know `frame-ancestors`, which overrides it.
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};
const ONLY_BY_HTTPS = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' };

/**
 * Sends the security headers, and CORS headers to the sites of CORS_ORIGINS. A call from another site is not refused: its browser keeps the answer from the
 * page. Cookies are not allowed, since the session is a header.
 */
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
  // Before CORS, which answers preflights itself.
  app.addHook('onRequest', (_, reply, done) => {
    reply.headers(headers);
    done();
  });
  if (corsOrigins.length === 0) return;
  await app.register(cors, {
    origin: corsOrigins,
    // `Bearer` is the specification's header for the session (§6.1).
    allowedHeaders: ['authorization', 'bearer', 'content-type', 'idempotency-key', 'x-request-id'],
    exposedHeaders: ['retry-after', 'x-request-id'],
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    maxAge: 600,
  });
}
