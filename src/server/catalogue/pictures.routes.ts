import type { FastifyInstance } from 'fastify';
import { PICTURE_FORMATS, PICTURE_WIDTHS, type PictureFormat, type PictureWidth } from '#contract/pictures.ts';
import { Problem } from '#contract/problem.ts';
import type { Services } from '#server/services.ts';

const NAME = new RegExp(`^([a-f0-9]{32})-(${PICTURE_WIDTHS.join('|')})\\.(${PICTURE_FORMATS.join('|')})$`);

/** Pictures by address. The address is made from the content, so an answer never goes stale. */
export async function pictureRoutes(app: FastifyInstance, { pictures }: Services): Promise<void> {
  app.get<{ Params: { name: string } }>('/images/:name', { schema: { hide: true } }, async (request, reply) => {
    const [, id, width, format] = NAME.exec(request.params.name) ?? [];
    if (!id || !width || !format) throw new Problem(404, 'There is no such picture.');
    const tag = `"${request.params.name}"`;
    const forGood = () => reply.header('cache-control', 'public, max-age=31536000, immutable').header('etag', tag);
    if (request.headers['if-none-match'] === tag) return forGood().status(304).send();
    const bytes = await pictures.read(id, Number(width) as PictureWidth, format as PictureFormat);
    if (!bytes) throw new Problem(404, 'There is no such picture.');
    return forGood().type(`image/${format}`).send(bytes);
  });
}
