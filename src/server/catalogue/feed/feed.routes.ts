import { addAbortSignal } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import type { Services } from '#server/context/services.ts';
import { GZIP } from '#server/platform/cache/cached-answer.ts';
import { clientSite } from '#server/platform/client-address.ts';
import { Semaphore } from '#server/platform/semaphore.ts';
import { FeedFile } from './feed-file.ts';

/** The most feeds unpacked at once, for readers that do not accept gzip. Each has ten minutes; the next one waits for at most half a minute. */
const UNPACKED = 2;
const UNPACKED_MS = 10 * 60_000;
const UNPACKED_WAIT_MS = 30_000;
/** The most requests that wait while the feed is generated; services fetch it a few times a day. */
const WAITING = 20;

/** `/api/feed.xml`: every piece in every size and colour, for services that show products, such as Google Merchant Center. */
export async function feedRoutes(app: FastifyInstance, services: Pick<Services, 'config' | 'readDb' | 'facts'>): Promise<void> {
  const feed = new FeedFile(services);
  // One generation at a time, even if the catalogue changes meanwhile.
  const making = new Semaphore(1, WAITING);
  const unpacking = new Semaphore(UNPACKED, WAITING, UNPACKED_WAIT_MS);
  app.addHook('onClose', () => feed.close());
  app.get('/api/feed.xml', { schema: { hide: true } }, async (request, reply) => {
    const site = clientSite(request);
    const { file, etag } = await making.run(site, () => feed.open());
    reply.header('cache-control', 'no-cache').header('etag', etag).header('vary', 'accept-encoding');
    if (request.headers['if-none-match']?.includes(etag)) {
      await file.close();
      return reply.status(304).send();
    }
    reply.type('application/xml; charset=utf-8');
    const compressed = file.createReadStream();
    if (GZIP.test(String(request.headers['accept-encoding'] ?? ''))) return reply.header('content-encoding', 'gzip').send(compressed);
    try {
      await unpacking.run(site, async () => {
        const plain = addAbortSignal(AbortSignal.timeout(UNPACKED_MS), createGunzip());
        compressed.once('error', (error) => plain.destroy(error));
        const closed = new Promise((resolve) => plain.once('close', resolve));
        void reply.send(compressed.pipe(plain));
        await closed;
      });
    } finally {
      compressed.destroy();
    }
    return reply;
  });
}
