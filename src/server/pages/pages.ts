import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Call } from '#contract/api.ts';
import { noticeAt } from '#contract/delivery/dates.ts';
import { promiseOf } from '#contract/delivery/delivery-texts.ts';
import type { PageReply, Render } from '#contract/page.ts';
import { isProblem, Problem } from '#contract/platform/problem.ts';
import type { Services } from '#server/context/services.ts';
import { compressFirst, encodingFor } from '#server/platform/cache/cached-answer.ts';
import { varyOf } from '#server/platform/cache/page-cache.ts';
import { clientSite } from '#server/platform/client-address.ts';
import { localCalls, type Route } from '#server/platform/http/route.ts';
import { type Assets, CLIENT_DIR } from './assets.ts';
import { documentOf, waitingDocument } from './document.ts';
import { cachedPage, canonicalUrl, isChosenList, isPlainUrl, normalisedUrl } from './page-key.ts';
import { MOST_URLS, sitemapRoutes } from './sitemap.ts';

interface PageOptions {
  services: Services;
  render: Render;
  routes: readonly Route[];
  assets: Assets;
}

/** Paths for machines: their 404 is JSON, not a page. */
const MACHINE_PATH = /^\/(api|stripe|images|models|assets|healthz|readyz|metrics)(\/|\?|$)/;
const HTML = 'text/html; charset=utf-8';

/** Renders pages. A 5xx in one part of a page sets the page's status, so that it is not cached. */
function renderer(render: Render, config: Services['config'], callFor: (requestId: string) => Call) {
  return async (url: string, requestId: string): Promise<PageReply> => {
    const { publicUrl: origin, picturesUrl: pictures, company } = config;
    const { methods, areas } = config.delivery;
    const shop = {
      origin,
      pictures,
      market: config.market.name,
      company,
      delivery: { methods, promise: promiseOf(methods), variesByPlace: areas.length > 0 },
    };
    const call = callFor(requestId);
    let failure: Problem | undefined;
    const watched: Call = (name, input) =>
      call(name, input).catch((error: unknown) => {
        if (isProblem(error) && error.status >= 500) failure = error;
        throw error;
      });
    const rendered = await render({ url, shop, call: watched });
    return failure ? { ...rendered, status: failure.status } : rendered;
  };
}

/** Server-rendered pages and their static files. */
export async function pageRoutes(app: FastifyInstance, { services, render, routes, assets }: PageOptions): Promise<void> {
  const { cache, config, making } = services;
  await app.register(fastifyStatic, {
    root: join(CLIENT_DIR, 'assets'),
    prefix: '/assets/',
    immutable: true,
    maxAge: '365d',
    index: false,
    preCompressed: true,
  });
  app.get('/favicon.svg', { schema: { hide: true } }, (_, reply) =>
    reply.sendFile('favicon.svg', CLIENT_DIR, { maxAge: '1d', immutable: false }),
  );
  await app.register(sitemapRoutes, { ...services, most: MOST_URLS });
  app.setNotFoundHandler(() => {
    throw new Problem(404, 'Not found.');
  });
  const documentWith = (page: PageReply) => {
    const { notice, until } = noticeAt(config.delivery.notices, new Date().toISOString());
    // A page expires with its delivery days or its notice, whichever ends first.
    const [earliest] = [page.until, until].filter((time) => time !== undefined).sort();
    return { until: earliest, body: documentOf(page, assets, { ...config, notice }) };
  };
  const renderPage = renderer(render, config, localCalls(routes, services));
  app.get('/*', { schema: { hide: true } }, async (request, reply) => {
    if (MACHINE_PATH.test(request.url)) throw new Problem(404, 'Not found.');
    const url = normalisedUrl(request.url);
    const canonical = canonicalUrl(url);
    if (canonical !== url) return reply.redirect(canonical, 308);
    const cached = cachedPage(url);
    const renderedUrl = cached?.key ?? url;
    const turn = { places: making[isChosenList(renderedUrl) ? 'searches' : 'pages'], network: clientSite(request) };
    try {
      if (!cached) return sendPage(request, reply, await turn.places.run(turn.network, () => renderPage(url, request.id)));
      const { key, dependsOn } = cached;
      const make = async () => {
        const rendered = await renderPage(key, request.id);
        const { status, location, isInvented } = rendered;
        return { status, type: HTML, location, ...documentWith(rendered), dependsOn, keepEmpty: !key.includes('?'), isInvented };
      };
      return await cache.answer(`page ${key}`, request, reply, make, { ...turn, isPlain: isPlainUrl(request.url, key) });
    } catch (error) {
      if (isProblem(error) && error.retryAfter) return sendWaiting(reply, error, error.retryAfter);
      throw error;
    }
  });

  /** The "busy" page, which retries by itself; sent when the server has no capacity to render. */
  function sendWaiting(reply: FastifyReply, { status }: Problem, seconds: number): FastifyReply {
    return reply
      .status(status)
      .type(HTML)
      .header('cache-control', 'no-store')
      .header('retry-after', String(seconds))
      .send(waitingDocument(assets, config, seconds));
  }

  /** Sends an uncached page: an error, or one that depends on arbitrary parameters or on nothing. */
  function sendPage(request: FastifyRequest, reply: FastifyReply, rendered: PageReply): FastifyReply {
    if (rendered.location) return reply.redirect(rendered.location, rendered.status);
    const encoding = encodingFor(String(request.headers['accept-encoding'] ?? ''));
    const body = Buffer.from(documentWith(rendered).body);
    reply.status(rendered.status).type(HTML).header('cache-control', 'no-cache').header('vary', varyOf(reply));
    if (encoding === 'identity') return reply.send(body);
    return reply.header('content-encoding', encoding).send(compressFirst(body, encoding, HTML));
  }
}
