import { expect, test } from 'vitest';
import { testShop } from '#server/testing/harness.ts';

const { app, services } = await testShop();
const ask = async (url: string) => {
  const reply = await app.inject({ url });
  return [reply.statusCode, reply.json()];
};

test('/healthz fails while a part has failed that will not mend itself, names it, and keeps the reason for the log (§17.2)', async () => {
  expect(await ask('/healthz')).toEqual([200, { status: 'ok' }]);
  services.health.report('the database', 'FATAL: /secret/place is gone');
  expect(await ask('/healthz')).toEqual([503, { message: 'This needs an operator: the database. See the log.' }]);
  expect(await ask('/readyz')).toEqual([200, { status: 'ready' }]);
  services.health.report('the database', undefined);
  expect(await ask('/healthz')).toEqual([200, { status: 'ok' }]);
});
