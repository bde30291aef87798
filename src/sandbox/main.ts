import { startSandbox } from './sandbox.ts';

/** Runs the payment sandbox as its own process. */
const {
  SANDBOX_HOST = '127.0.0.1',
  SANDBOX_PORT = '0',
  SANDBOX_DIR = '.data/sandbox',
  SANDBOX_WEBHOOK_URL = '',
  STRIPE_SECRET_KEY = '',
  STRIPE_WEBHOOK_SECRET = '',
} = process.env;
if (!STRIPE_SECRET_KEY || !STRIPE_WEBHOOK_SECRET || !SANDBOX_WEBHOOK_URL) {
  throw new Error('Set STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET and SANDBOX_WEBHOOK_URL.');
}
const sandbox = await startSandbox({
  host: SANDBOX_HOST,
  port: Number(SANDBOX_PORT),
  dir: SANDBOX_DIR,
  secretKey: STRIPE_SECRET_KEY,
  webhookSecret: STRIPE_WEBHOOK_SECRET,
  webhookUrl: SANDBOX_WEBHOOK_URL,
  log: (line) => void process.stdout.write(`${line}\n`),
});
process.stdout.write(`The payment sandbox answers at ${sandbox.url}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.close().then(() => process.exit(0)));
