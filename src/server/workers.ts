import cluster, { type Worker } from 'node:cluster';
import type { Config } from './config.ts';
import type { Log } from './services.ts';

const REPLACE_MS = 1_000;

/**
 * What a worker is started with beside this process's own environment: the database and the provider that this process has started or was
 * given. It makes none of its own, and never loads the demo catalogue.
 */
function settingsOf({ stripe, isSandbox }: Config, databaseUrl: string): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    SEED_DEMO: '',
    STRIPE_SECRET_KEY: stripe?.secretKey ?? '',
    STRIPE_WEBHOOK_SECRET: stripe?.webhookSecret ?? '',
    STRIPE_API_BASE: stripe?.apiBase ?? '',
    PAYMENT_SANDBOX: isSandbox ? '1' : '',
  };
}

/** Resolves once a worker serves. Rejects when it ends before. */
function serving(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('listening', () => resolve());
    worker.once('exit', (code) => reject(new Error(`A worker ended with ${code} before it could serve.`)));
  });
}

/** Starts processes that share the port and serve requests; one that ends is replaced. Rejects when they cannot serve at all. */
export async function startWorkers(config: Config, databaseUrl: string, log: Log): Promise<{ stop(): Promise<void> }> {
  const settings = settingsOf(config, databaseUrl);
  let isStopping = false;
  const stop = async () => {
    isStopping = true;
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(
      workers.map((worker) => {
        const gone = new Promise((resolve) => worker.once('exit', resolve));
        worker.process.kill('SIGTERM');
        return gone;
      }),
    );
  };
  try {
    await Promise.all(Array.from({ length: config.workers }, () => serving(cluster.fork(settings))));
  } catch (error) {
    await stop();
    throw error;
  }
  cluster.on('exit', (_, code, signal) => {
    if (isStopping) return;
    log.error({ code, signal }, 'a worker ended and is replaced');
    setTimeout(() => !isStopping && cluster.fork(settings), REPLACE_MS).unref();
  });
  return { stop };
}
