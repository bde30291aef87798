import { expect, test } from 'vitest';
import { testShop } from '#server/testing/harness.ts';

const { app, services } = await testShop();
const ask = async (url: string) => {
  const reply = await app.inject({ url });
  return [reply.statusCode, reply.json()];
};

test('/healthz fails while a part has failed that will not mend itself, and names it (§17.2)', async () => {
  expect(await ask('/healthz')).toEqual([200, { status: 'ok' }]);
  services.health.add('the database');
  expect(await ask('/healthz')).toEqual([503, { message: 'This needs an operator: the database. See the log.' }]);
  expect(await ask('/readyz')).toEqual([200, { status: 'ready' }]);
  services.health.delete('the database');
  expect(await ask('/healthz')).toEqual([200, { status: 'ok' }]);
});
