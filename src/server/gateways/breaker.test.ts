import { afterEach, expect, test, vi } from 'vitest';
import { eventually } from '#server/testing/eventually.ts';
import { aCustomer } from '#server/testing/factories.ts';
import { testShop, WEBHOOK_SECRET } from '#server/testing/harness.ts';
import { readableLog } from '#server/testing/logs.ts';
import { Payments } from './payments.ts';

const { wire, db } = await testShop();
const { log, lines } = readableLog();
const keys = { secretKey: 'sk_test_shop', webhookSecret: WEBHOOK_SECRET, apiBase: wire.url };

afterEach(() => void vi.useRealTimers());

test('a provider that hangs is not asked for a while after three failures, and again after a rest (§14.1)', {
  tags: ['thorough'],
}, async () => {
  const { email } = await aCustomer(db);
  const payments = new Payments({ ...keys, timeoutMs: 300, restMs: 1_000 }, log);
  // A frozen clock: no rest ends until the test moves it.
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  wire.isSilent = true;
  for (let n = 0; n < 3; n += 1) await expect(payments.findSession('cs_test_x')).rejects.toMatchObject({ status: 503 });
  const asked = wire.asked.length;
  for (let n = 0; n < 50; n += 1)
    await expect(payments.findSession('cs_test_x')).rejects.toMatchObject({ status: 503, retryAfter: expect.any(Number) });
  expect(wire.asked.length).toBe(asked);
  expect(lines.filter(({ msg }) => String(msg).includes('is not asked for a while'))).toHaveLength(1);
  wire.isSilent = false;
  vi.useRealTimers();
  await eventually(async () =>
    expect([await payments.findSession('cs_test_x'), await payments.findSession('cs_test_x')]).toEqual([undefined, undefined]),
  );
  expect(JSON.stringify(lines)).not.toContain(email);
});

test('a provider that answers with errors is asked all the same', async () => {
  const payments = new Payments({ ...keys, secretKey: 'sk_test_wrong' }, log);
  const asked = wire.asked.length;
  for (let n = 0; n < 6; n += 1) await expect(payments.findSession('cs_test_x')).rejects.toMatchObject({ status: 502 });
  expect(wire.asked.length).toBe(asked + 6);
});
