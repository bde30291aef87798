import cluster, { type Worker } from 'node:cluster';
import { setTimeout } from 'node:timers/promises';
import type { Config } from '#server/base/config.ts';
import type { Fault } from '#server/base/health.ts';
import type { Services } from '#server/context/services.ts';
import { processesUp, resourceMetrics } from '#server/metrics/gauges.ts';
import type { Reading } from '#server/metrics/request-counts.ts';

const REPLACE_MS = 1_000;
/** A process that does not tell what it counts within this time is left out. */
const READ_MS = 2_000;

/** What the primary process says to a worker, and a worker to the primary; `id` tells a question's answer from others. */
interface Message {
  /** The primary's faults, which are the worker's as well. */
  faults?: Fault[];
  /** "Tell me what you count", from the primary, and a worker's answer. */
  count?: { id: number; reading?: Reading };
  /** "Tell me what all others count", from a worker, and the primary's answer. */
  countAll?: { id: number; readings?: Reading[] };
}

/** Questions to another process, whose answers come as messages. One that is not answered in time is answered undefined. */
class Questions<T> {
  readonly #waiting = new Map<number, (answer: T) => void>();
  #last = 0;

  async ask(send: (id: number) => void): Promise<T | undefined> {
    this.#last += 1;
    const id = this.#last;
    const answered = new Promise<T>((resolve) => this.#waiting.set(id, resolve));
    send(id);
    const answer = await Promise.race([answered, setTimeout(READ_MS, undefined, { ref: false })]);
    this.#waiting.delete(id);
    return answer;
  }

  answer(id: number, answer: T): void {
    this.#waiting.get(id)?.(answer);
  }
}

type Shared = Pick<Services, 'metrics' | 'health' | 'log' | 'cache' | 'pool'>;

/** The name under which a process of several counts; undefined where one process does everything. */
export function processName({ workers }: Pick<Config, 'workers'>): string | undefined {
  if (cluster.isWorker) return process.env[SLOT];
  return workers > 1 ? PRIMARY : undefined;
}

const SLOT = 'SHOP_WORKER';
const PRIMARY = 'primary';

/** In a worker: its metrics are those of all processes, and it is as well as the primary is. */
export function joinPrimary({ metrics, health, cache, pool }: Shared): void {
  const questions = new Questions<Reading[]>();
  const send = (message: Message) => void process.send?.(message);
  metrics.hasOthers(async () => (await questions.ask((id) => send({ countAll: { id } }))) ?? []);
  process.on('message', async ({ faults, count, countAll }: Message) => {
    if (faults) health.replace(faults);
    if (countAll?.readings) questions.answer(countAll.id, countAll.readings);
    if (count) send({ count: { id: count.id, reading: await metrics.read(resourceMetrics({ cache, pool })) } });
  });
}

/** The workers of this process by their number, which one that replaces another takes over. */
class Team {
  readonly #workers = new Map<number, Worker>();
  readonly #settings: Record<string, string>;
  readonly #shared: Shared;
  readonly #questions = new Questions<Reading>();
  #isStopping = false;

  constructor(settings: Record<string, string>, shared: Shared) {
    this.#settings = settings;
    this.#shared = shared;
    shared.health.onChange(() => {
      for (const worker of this.#workers.values()) this.#tellFaults(worker);
    });
  }

  /** Starts a worker, and another in its place whenever it ends. Resolves once it serves. Rejects when it ends before. */
  start(slot: number): Promise<void> {
    const worker = cluster.fork({ ...this.#settings, [SLOT]: String(slot) });
    this.#workers.set(slot, worker);
    worker.on('message', (message: Message) => void this.#hear(worker, message));
    // What is sent to a worker that has just died fails before its end is known here: nobody waits for an answer from it.
    worker.on('error', (error) => this.#shared.log.warn({ reason: error.message }, 'a worker could not be told something'));
    worker.once('online', () => this.#tellFaults(worker));
    return new Promise((resolve, reject) => {
      worker.once('listening', () => {
        resolve();
        worker.once('exit', (code, signal) => this.#replace(slot, code, signal));
      });
      worker.once('exit', (code) => reject(new Error(`A worker ended with ${code} before it could serve.`)));
    });
  }

  /** Every worker answers what it has begun, and ends. None is replaced from now on, also where the signal reached them first. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(
      [...this.#workers.values()].map((worker) => {
        if (worker.isDead()) return undefined;
        const gone = new Promise((resolve) => worker.once('exit', resolve));
        worker.process.kill('SIGTERM');
        return gone;
      }),
    );
  }

  #replace(slot: number, code: number | null, signal: string | null): void {
    if (this.#isStopping) return;
    const { log } = this.#shared;
    log.error({ code, signal }, 'a worker ended and is replaced');
    const again = async () => {
      await setTimeout(REPLACE_MS, undefined, { ref: false });
      if (this.#isStopping) return;
      await this.start(slot).catch((error: Error) => {
        log.error({ reason: error.message }, 'a worker could not be replaced; it is tried again');
        void again();
      });
    };
    void again();
  }

  #tellFaults(worker: Worker): void {
    if (worker.isConnected()) worker.send({ faults: this.#shared.health.faults } satisfies Message);
  }

  async #hear(worker: Worker, { count, countAll }: Message): Promise<void> {
    if (count?.reading) this.#questions.answer(count.id, count.reading);
    if (!countAll) return;
    const readings = await this.#readOthers(worker);
    if (worker.isConnected()) worker.send({ countAll: { id: countAll.id, readings } } satisfies Message);
  }

  /** What all processes but the asking one count, this one included, and which of them answer. */
  async #readOthers(asking: Worker): Promise<Reading[]> {
    const { metrics, cache, pool } = this.#shared;
    const isUp = new Map([[PRIMARY, true]]);
    const readings = [await metrics.read(resourceMetrics({ cache, pool }))];
    await Promise.all(
      [...this.#workers].map(async ([slot, worker]) => {
        const reading = worker !== asking && (await this.#read(worker));
        isUp.set(String(slot), reading !== undefined);
        if (reading) readings.push(reading);
      }),
    );
    return [...readings, await processesUp(isUp).getMetricsAsJSON()];
  }

  async #read(worker: Worker): Promise<Reading | undefined> {
    if (!worker.isConnected()) return undefined;
    return this.#questions.ask((id) => void worker.send({ count: { id } } satisfies Message));
  }
}

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

/** Starts processes that share the port and serve requests; one that ends is replaced. Rejects when they cannot serve at all. */
export async function startWorkers(config: Config, databaseUrl: string, shared: Shared): Promise<Pick<Team, 'stop'>> {
  const team = new Team(settingsOf(config, databaseUrl), shared);
  try {
    await Promise.all(Array.from({ length: config.workers }, (_, index) => team.start(index + 1)));
  } catch (error) {
    await team.stop();
    throw error;
  }
  return team;
}
