import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Endpoint } from '#contract/platform/endpoint.ts';
import { testShop } from '#server/testing/harness.ts';
import { localCalls, on } from './route.ts';

const { services } = await testShop();

test('a page that is rendered on the server gets nothing that the call does not answer over HTTP', async () => {
  const endpoint: Endpoint<object, { name: string }> = { method: 'GET', url: '/api/names' };
  const names = on(endpoint, { reply: z.object({ name: z.string() }) }, async () => ({ name: 'Ann', passwordHash: 'secret' }));
  expect(await localCalls([names], services)('a-request')(endpoint, {})).toEqual({ name: 'Ann' });
});
