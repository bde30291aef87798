import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { afterAll } from 'vitest';
import { buildApp } from '#server/app/app.ts';
import { openServices } from '#server/app/open-services.ts';
import { noPages, type TestShop } from './harness.ts';

/** Sends requests in turn to the shop and to a second process of it: the same database, but connections and memory of its own. */
export async function inTurn({ app, services }: TestShop): Promise<(request: InjectOptions) => Promise<LightMyRequestResponse>> {
  const second = await openServices({ ...services.config }, { log: services.log });
  const other = await buildApp(second, noPages);
  afterAll(async () => {
    await other.close();
    await second.close();
  });
  let turn = 0;
  return (request) => {
    turn += 1;
    return (turn % 2 === 0 ? app : other).inject(request);
  };
}
