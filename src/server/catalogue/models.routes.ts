import type { FastifyInstance } from 'fastify';
import { VIEWS } from '#contract/catalogue/pictures.ts';
import { Problem } from '#contract/platform/problem.ts';
import type { Services } from '#server/context/services.ts';
import { keyOfPicture } from '#server/platform/cache/catalogue-changes.ts';

const NAME = /^([a-f0-9]{32})(?:\.glb|-(front|side)\.svg)$/;

/** Serves 3D models and their outlines. Their URLs are hashes of their content, so that an answer never becomes stale. */
export async function modelRoutes(
  app: FastifyInstance,
  { pictures: { models }, config }: Pick<Services, 'pictures' | 'config'>,
): Promise<void> {
  const { origin } = new URL(config.publicUrl);
  app.get<{ Params: { name: string } }>('/models/:name', { schema: { hide: true } }, async (request, reply) => {
    const [, id, side] = NAME.exec(request.params.name) ?? [];
    const view = VIEWS.find((one) => one === side);
    const tag = `"${id}${view ? `-${view}` : ''}"`;
    const isUnmodified = id !== undefined && request.headers['if-none-match'] === tag;
    const outline = view && id && !isUnmodified ? await models.silhouette(id, view) : undefined;
    const model = !view && id && !isUnmodified ? await models.stream(id) : undefined;
    if (!isUnmodified && !outline && !model) throw new Problem(404, 'There is no such model.');
    reply.header('cache-control', 'public, max-age=31536000, immutable').header('etag', tag);
    if (config.front && id) reply.header('surrogate-key', keyOfPicture(id));
    // Pages fetch models from the CDN, which caches these headers with them.
    if (config.picturesUrl) reply.header('access-control-allow-origin', origin).header('cross-origin-resource-policy', 'cross-origin');
    if (isUnmodified) return reply.status(304).send();
    if (outline) return reply.type('image/svg+xml').send(outline);
    return reply.type('model/gltf-binary').header('content-length', model?.length).send(model?.body);
  });
}
