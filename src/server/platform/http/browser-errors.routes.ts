import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '#contract/market/shop-time.ts';
import { Problem } from '#contract/platform/problem.ts';
import { clientNetwork } from '#server/platform/client-address.ts';
import { type Reporting, reportError } from '#server/platform/telemetry/error-reports.ts';
import { withoutSecrets } from '#server/platform/telemetry/request-log.ts';

/** Limits: bytes of a report; reports a minute of one network, and of all together in each process. */
const LONGEST_REPORT = 4096;
const MOST_OF_A_NETWORK = 5;
const MOST_OF_ALL = 60;
/** Limits reports in memory: one must not cost a statement, least of all while the database is down. The sum of all networks has the key ''. */
function limit() {
  const counts = new LRUCache<string, number>({ max: 1_000, ttl: MINUTE_MS, noUpdateTTL: true });
  const countOf = (network: string) => counts.get(network) ?? 0;
  return (network: string): boolean => {
    if (countOf(network) >= MOST_OF_A_NETWORK || countOf('') >= MOST_OF_ALL) return false;
    for (const key of [network, '']) counts.set(key, countOf(key) + 1);
    return true;
  };
}

/** Whether a page of the shop sent the request. Browsers tell the truth; other programs may lie, and are rate-limited all the same. */
function isOwnPage({ headers }: FastifyRequest, publicUrl: string): boolean {
  return headers['sec-fetch-site'] === 'same-origin' || headers.origin === new URL(publicUrl).origin;
}

/** The path of the page, without its query and the secret of a link. */
function pathOf({ headers: { referer } }: FastifyRequest): string | undefined {
  return referer && URL.canParse(referer) ? withoutSecrets(new URL(referer).pathname).slice(0, 200) : undefined;
}

/** The reported error: its message, then its stack. Query strings are removed, since they may hold what people typed. */
function errorOf(text: string): Error {
  const plain = withoutSecrets(text)
    // Firefox and Safari write "function@address", which must not pass for an email address.
    .replace(/@(?=https?:)/g, ' at ')
    .replace(/\?[^\s:)]*/g, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed.
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, ' ');
  const [message = ''] = plain.split('\n', 1);
  return Object.assign(new Error(message.slice(0, 300)), { name: 'BrowserError', stack: plain });
}

/**
 * `POST /api/browser-errors`: an uncaught error of a page, as plain text of 4 KB at most. It is reported as the server's own errors are, without the
 * visitor's data. Answers 204; 403 to other sites, 429 above the limits.
 */
export async function browserErrorRoutes(app: FastifyInstance, services: Reporting & { config: { publicUrl: string } }): Promise<void> {
  const admits = limit();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('text/plain', { parseAs: 'string', bodyLimit: LONGEST_REPORT }, (_, body, done) => done(null, body));
  app.post('/api/browser-errors', { schema: { hide: true } }, async (request, reply) => {
    if (!isOwnPage(request, services.config.publicUrl)) throw new Problem(403, 'Only the shop’s own pages report errors here.');
    if (typeof request.body !== 'string' || request.body.trim() === '') throw new Problem(400, 'There is nothing in the report.');
    if (!admits(clientNetwork(request))) throw new Problem(429, 'Too many reports. Try again in a minute.', undefined, 60);
    reportError(services, { source: 'browser', error: errorOf(request.body), requestId: request.id, place: pathOf(request) });
    return reply.status(204).header('cache-control', 'no-store').send();
  });
}
