import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import {
  MAIL_VARIANT,
  MARK_VARIANT,
  ORIGINAL_WIDTH,
  PICTURE_VARIANTS,
  type PictureVariant,
  pictureUrl,
} from '#contract/catalogue/pictures.ts';
import { Problem } from '#contract/platform/problem.ts';
import type { Services } from '#server/context/services.ts';
import type { Pictures, ServedPicture } from '#server/gateways/pictures.ts';
import { keyOfPicture } from '#server/platform/cache/catalogue-changes.ts';
import { pictureGate } from './hidden-review-pictures.ts';
import { queueWidths } from './pictures.jobs.ts';

const VARIANTS = new Map([...PICTURE_VARIANTS, MARK_VARIANT].map((variant) => [`${variant.width}.${variant.format}`, variant]));
const ORIGINAL_END = `${ORIGINAL_WIDTH}.webp`;
const NAME = /^([a-f0-9]{32})-(\d+\.\w+)$/;

/** Cached for a year by browsers; by a cache in front for its own time, since a review's pictures may be hidden meanwhile. */
const immutableWith = (front: { seconds: number } | undefined) =>
  `public, max-age=31536000, immutable${front ? `, s-maxage=${front.seconds}` : ''}`;
/** For a picture of a hidden review. */
const NOT_CACHED = 'private, no-store';
/** For the nearest width, while the requested one is being made. */
const BRIEFLY_CACHED = 'public, max-age=30';

/** A picture in one width and format, or the stored original. */
async function readPicture(pictures: Pictures, id: string, variant: PictureVariant | undefined): Promise<ServedPicture | undefined> {
  if (variant) return pictures.read(id, variant.width, variant.format);
  const bytes = await pictures.master(id);
  return bytes && { bytes, format: 'webp', isExact: true };
}

/**
 * Serves pictures. Their URL is derived from their content, so an answer never goes stale. If a width is missing, its job is queued and the nearest
 * width is answered for a short time: a request never encodes a picture.
 */
export async function pictureRoutes(
  app: FastifyInstance,
  services: Pick<Services, 'pictures' | 'db' | 'facts' | 'log' | 'config'>,
): Promise<void> {
  const { pictures, db, log, config } = services;
  const visibilityOf = pictureGate(services);
  const immutable = immutableWith(config.front);
  // A page may ask for the same picture many times before its job has run.
  const queued = new LRUCache<string, true>({ max: 10_000, ttl: 60_000 });
  const makeLater = (url: string) => {
    if (queued.has(url)) return;
    queued.set(url, true);
    queueWidths(db, [url]).catch((error: unknown) => log.warn(error, 'widths of a picture could not be queued'));
  };
  app.get<{ Params: { name: string }; Querystring: { key?: unknown } }>(
    '/images/:name',
    { schema: { hide: true } },
    async (request, reply) => {
      const [, id, end = ''] = NAME.exec(request.params.name) ?? [];
      const variant = VARIANTS.get(end);
      if (!id || !(variant || end === ORIGINAL_END)) throw new Problem(404, 'There is no such picture.');
      const { key } = request.query;
      const visibility = await visibilityOf(id, typeof key === 'string' ? key : undefined);
      if (visibility === 'no') throw new Problem(404, 'There is no such picture.');
      // Webmail shows pictures on other sites, and the shop's pages show those of a CDN.
      if (variant === MAIL_VARIANT || variant === MARK_VARIANT || config.picturesUrl)
        reply.header('cross-origin-resource-policy', 'cross-origin');
      const tag = `"${request.params.name}"`;
      const isPublic = visibility === 'by all';
      const withEtag = () => reply.header('cache-control', isPublic ? immutable : NOT_CACHED).header('etag', tag);
      if (config.front && isPublic) reply.header('surrogate-key', keyOfPicture(id));
      if (request.headers['if-none-match'] === tag) return withEtag().status(304).send();
      const picture = await readPicture(pictures, id, variant);
      if (!picture) throw new Problem(404, 'There is no such picture.');
      if (picture.isExact) withEtag();
      else {
        reply.header('cache-control', isPublic ? BRIEFLY_CACHED : NOT_CACHED);
        makeLater(pictureUrl(id));
      }
      return reply.type(`image/${picture.format}`).send(picture.bytes);
    },
  );
}
