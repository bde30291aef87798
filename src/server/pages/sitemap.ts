import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Services } from '#server/context/services.ts';
import { clientSite } from '#server/platform/client-address.ts';

/** Indexable pages besides products. */
const PAGES = [
  '/',
  '/newarrivals',
  '/shop',
  '/shop?query=Sofa',
  '/shop?query=Wardrobe',
  '/privacy',
  '/legal',
  '/refund-policy',
  '/shipping-policy',
  '/contact',
];
/** Maximum URLs in one sitemap, by its standard. */
const MOST = 50_000;

const escapeXml = (text: string) => text.replace(/[<>&'"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** robots.txt, and a sitemap with the newest products first. */
export async function sitemapRoutes(
  app: FastifyInstance,
  { config, readDb, cache, making }: Pick<Services, 'config' | 'readDb' | 'cache' | 'making'>,
): Promise<void> {
  app.get('/robots.txt', { schema: { hide: true } }, (_, reply) =>
    reply
      .type('text/plain')
      .send(
        `User-agent: *\nDisallow: /admin/\nDisallow: /api/\nDisallow: /cart\nDisallow: /checkout\nSitemap: ${config.publicUrl}/sitemap.xml\n`,
      ),
  );
  const makeSitemap = async () => {
    const { rows } = await sql<{ id: string; updatedAt: string }>`
      select id, updated_at from products where deleted_at is null order by created_at desc, id desc limit ${MOST - PAGES.length}`.execute(
      readDb,
    );
    const pages = PAGES.map((path) => `<url><loc>${escapeXml(config.publicUrl + path)}</loc></url>`);
    const products = rows.map(
      ({ id, updatedAt }) =>
        `<url><loc>${escapeXml(`${config.publicUrl}/product/${id}`)}</loc><lastmod>${updatedAt.slice(0, 10)}</lastmod></url>`,
    );
    const body = `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${pages.join('')}${products.join('')}</urlset>`;
    return { status: 200, type: 'application/xml; charset=utf-8', body, dependsOn: ['products'] as const, keepEmpty: true };
  };
  app.get('/sitemap.xml', { schema: { hide: true } }, (request, reply) =>
    cache.answer('sitemap', request, reply, () => making.pages.run(clientSite(request), makeSitemap)),
  );
}
