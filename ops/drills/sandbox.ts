import { pino } from 'pino';
import { startSandbox } from '#sandbox/sandbox.ts';
import { Payments } from '#server/gateways/payments.ts';

/** A payment provider for the shop at a URL, which keeps its files in `dir`. */
export async function openSandbox(shopUrl: string, dir: string) {
  const keys = { secretKey: 'sk_test_ops', webhookSecret: 'whsec_ops' };
  const { url, close } = await startSandbox({ host: '127.0.0.1', port: 0, dir, ...keys, webhookUrl: `${shopUrl}/stripe/webhook` });
  return {
    url,
    close,
    /** The shop's settings. */
    env: { STRIPE_SECRET_KEY: keys.secretKey, STRIPE_WEBHOOK_SECRET: keys.webhookSecret, STRIPE_API_BASE: url },
    /** A client such as the shop's own. */
    payments: new Payments({ ...keys, apiBase: url }, pino({ level: 'silent' })),
  };
}
