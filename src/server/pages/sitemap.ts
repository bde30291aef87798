import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { Problem } from '#contract/platform/problem.ts';
import type { Services } from '#server/context/services.ts';
import type { Content } from '#server/platform/cache/cached-answer.ts';
import { clientSite } from '#server/platform/client-address.ts';
import { escapeXml } from '#server/platform/markup.ts';

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
/** The most URLs in one sitemap: few enough that making it costs no more than a page. The standard allows 50,000. */
export const MOST_URLS = 1_000;

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>';
const SCHEMA = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** `/sitemap.xml?part=2` → 2; 0 without a part. */
function partOf(query: unknown): number {
  const { part } = query as { part?: string };
  if (part === undefined) return 0;
  if (!/^[1-9]\d{0,4}$/.test(part)) throw new Problem(404, 'Not found.');
  return Number(part);
}

type Needs = Pick<Services, 'config' | 'readDb' | 'cache' | 'making'> & {
  /** The most URLs in one part. */
  most: number;
};

/** One part of the URLs: pages first, then products by age, so that a new product only changes the last part. */
async function urlsOf({ config, readDb, most }: Needs, part: number): Promise<string> {
  const start = most * (part - 1);
  const pages = start === 0 ? PAGES.map((path) => `<url><loc>${escapeXml(config.publicUrl + path)}</loc></url>`) : [];
  const { rows } = await sql<{ id: string; updatedAt: string }>`
    select id, updated_at from products where deleted_at is null order by id
    offset ${Math.max(0, start - PAGES.length)} limit ${most - pages.length}`.execute(readDb);
  if (rows.length === 0 && pages.length === 0) throw new Problem(404, 'Not found.');
  const products = rows.map(
    ({ id, updatedAt }) =>
      `<url><loc>${escapeXml(`${config.publicUrl}/product/${id}`)}</loc><lastmod>${updatedAt.slice(0, 10)}</lastmod></url>`,
  );
  return `${HEAD}<urlset ${SCHEMA}>${pages.join('')}${products.join('')}</urlset>`;
}

/** All URLs, or an index of parts if one sitemap cannot hold them. */
async function sitemapOf(needs: Needs): Promise<string> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from products where deleted_at is null`.execute(needs.readDb);
  const parts = Math.ceil(((rows[0]?.count ?? 0) + PAGES.length) / needs.most);
  if (parts === 1) return urlsOf(needs, 1);
  const urls = Array.from({ length: parts }, (_, index) => `${needs.config.publicUrl}/sitemap.xml?part=${index + 1}`);
  return `${HEAD}<sitemapindex ${SCHEMA}>${urls.map((url) => `<sitemap><loc>${escapeXml(url)}</loc></sitemap>`).join('')}</sitemapindex>`;
}

/** robots.txt and the sitemap. */
export async function sitemapRoutes(app: FastifyInstance, needs: Needs): Promise<void> {
  const { config, cache, making } = needs;
  const robots = [
    'User-agent: *',
    ...['/admin/', '/api/', '/checkout'].map((path) => `Disallow: ${path}`),
    // The longest matching rule counts. Readers of the feed obey this file, so the feed must be allowed.
    'Allow: /api/feed.xml',
    `Sitemap: ${config.publicUrl}/sitemap.xml`,
  ];
  app.get('/robots.txt', { schema: { hide: true } }, (_, reply) =>
    reply
      .type('text/plain')
      .header('cache-control', 'no-cache')
      .send(`${robots.join('\n')}\n`),
  );
  app.get('/sitemap.xml', { schema: { hide: true } }, (request, reply) => {
    const part = partOf(request.query);
    const make = async (): Promise<Content> => {
      const body = await (part === 0 ? sitemapOf(needs) : urlsOf(needs, part));
      return { status: 200, type: 'application/xml; charset=utf-8', body, dependsOn: ['products'], keepEmpty: true };
    };
    return cache.answer(`sitemap ${part}`, request, reply, make, {
      places: making.pages,
      network: clientSite(request),
      isPlain: !request.url.includes('?'),
    });
  });
}
