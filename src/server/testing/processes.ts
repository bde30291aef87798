import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { afterAll } from 'vitest';
import { buildApp } from '#server/app/app.ts';
import { openCatalogueCaches } from '#server/platform/cache/catalogue-caches.ts';
import { connect } from '#server/platform/database/connect.ts';
import type { TestShop } from './harness.ts';

/** Sends requests in turn to the shop and to a second process of it: the same database, but connections and memory of its own. */
export async function inTurn({
  app,
  services,
  databaseUrl,
}: TestShop): Promise<(request: InjectOptions) => Promise<LightMyRequestResponse>> {
  const { db, pool, close } = connect(databaseUrl, { max: 5 });
  const other: FastifyInstance = await buildApp(
    { ...services, ...openCatalogueCaches(pool, services.log, services.config), db, pool, readDb: db },
    async () => ({
      status: 200,
      head: '',
      body: '',
      state: {},
      modules: [],
    }),
  );
  afterAll(async () => {
    await other.close();
    await close();
  });
  let turn = 0;
  return (request) => {
    turn += 1;
    return (turn % 2 === 0 ? app : other).inject(request);
  };
}
