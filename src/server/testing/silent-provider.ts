import { afterAll } from 'vitest';
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';
import { aFolder } from './a-folder.ts';
import { WEBHOOK_SECRET } from './harness.ts';

/** A provider whose notices all get lost: for `testShop({ env: { STRIPE_API_BASE: url } })`. */
export async function silentProvider(): Promise<Sandbox> {
  const dir = aFolder('silent-provider', afterAll);
  const secrets = { secretKey: 'sk_test_shop', webhookSecret: WEBHOOK_SECRET };
  const silent = await startSandbox({ host: '127.0.0.1', port: 0, dir, ...secrets, webhookUrl: 'http://127.0.0.1:9/', deliver: false });
  afterAll(() => silent.close());
  return silent;
}
