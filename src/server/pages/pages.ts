import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Render } from '#contract/page.ts';
import { Problem } from '#contract/problem.ts';
import { localCall, type Route } from '#server/route.ts';
import type { Services } from '#server/services.ts';
import { CLIENT_DIR, readAssets } from './assets.ts';
import { documentOf } from './document.ts';

interface PageOptions {
  services: Services;
  render: Render;
  routes: readonly Route[];
}

/** Paths that belong to machines: what is not found there is answered in JSON, not by a page. */
const MACHINE_PATH = /^\/(api|stripe|images|assets|healthz|readyz|metrics)(\/|$)/;

/** The pages of the shop, rendered on the server, and the files that they load. */
export async function pageRoutes(app: FastifyInstance, { services, render, routes }: PageOptions): Promise<void> {
  const assets = readAssets();
  const call = localCall(routes, services);
  await app.register(fastifyStatic, {
    root: join(CLIENT_DIR, 'assets'),
    prefix: '/assets/',
    immutable: true,
    maxAge: '365d',
    index: false,
    wildcard: false,
  });
  app.setNotFoundHandler(() => {
    throw new Problem(404, 'Not found.');
  });
  app.get('/*', { schema: { hide: true } }, async (request, reply) => {
    if (MACHINE_PATH.test(request.url)) throw new Problem(404, 'Not found.');
    const page = await render({ url: request.url, origin: services.config.publicUrl, market: services.config.market.name, call });
    if (page.location) return reply.redirect(page.location, page.status);
    return reply.status(page.status).type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(documentOf(page, assets));
  });
}
