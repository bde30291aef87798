import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import {
  type Job,
  Logger,
  parseCronItems,
  type Runner,
  run,
  runOnce,
  type Task,
  type WorkerEvents,
  type WorkerPool,
} from 'graphile-worker';
import { sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import type { Services } from '#server/context/services.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { withoutAddresses } from '#server/platform/log.ts';
import { reportError } from '#server/platform/telemetry/error-reports.ts';
import { inSpan } from '#server/platform/telemetry/tracing.ts';
import { watchWorkers } from './liveness.ts';
import type { Jobs } from './queue.ts';
import { reconnectingPool } from './reconnecting-pool.ts';

/** The longest that stopping waits for running jobs; what is not done then is done after the next start. */
const STOP_MS = 5_000;

/** How long after a job of a queue the next one is looked for: the library looks at once, finds the queue still taken, and then waits for `pollInterval`. */
const FREED_MS = 20;

/** What the shop's jobs do: one function for each name of `Jobs`. The key names the job, and is the same each time that it is tried. */
export type Tasks = { [K in keyof Jobs]: (services: Services, payload: Jobs[K], key: string) => Promise<void> };

/** All that is done outside requests: by whom, and what runs by the clock. */
export interface Work {
  tasks: Tasks;
  /** Cron items of the queue's library; with several processes each runs once. */
  clock: Parameters<typeof parseCronItems>[0];
}

function optionsOf(services: Services, { tasks }: Pick<Work, 'tasks'>) {
  const log = services.log;
  const { tracing } = services;
  const taskList = Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => {
      const traced: Task = (payload, { job }) => {
        const run = () => task(services, payload as never, keyOf(job));
        return tracing ? inSpan(tracing, { name: `job ${name}`, kind: 'consumer' }, run) : run();
      };
      return [name, traced];
    }),
  );
  // The library's own lines name payloads, which hold addresses. Failed jobs are told by `tellFailures`; only its own troubles pass.
  const logger = new Logger(() => (level, message, meta) => {
    if (level === 'error' && !meta?.failure) log.error({ reason: reasonOf(message) }, 'job queue');
  });
  return {
    pgPool: services.directPool ?? services.pool,
    taskList,
    logger,
    events: tellFailures(services),
    noHandleSignals: true,
    pollInterval: 2_000,
  };
}

/** A UUID that is made from a job instead of chance, so that they sort in the order in which the jobs were queued. */
const keyOf = ({ id, created_at: queuedAt }: Job): string =>
  uuid({ msecs: new Date(queuedAt).getTime(), seq: Number(id) % 2 ** 31, random: createHash('sha256').update(String(id)).digest() });

const reasonOf = (error: unknown) => withoutAddresses(String(error)).slice(0, 300);

/** Every failed attempt is in the log; a job that will not be tried again is there as an error, and stays in the queue. */
function tellFailures(services: Services): WorkerEvents {
  const { log } = services;
  const events: WorkerEvents = new EventEmitter();
  events.on('job:error', ({ job, error }) => {
    const isDead = job.attempts >= job.max_attempts;
    const line = { task: job.task_identifier, job: job.id, attempt: job.attempts, reason: reasonOf(error) };
    if (!isDead) return log.warn(line, 'a job failed and will be tried again');
    log.error(line, 'a job failed for good');
    reportError(services, { source: 'server', error, place: `job ${job.task_identifier}` });
  });
  return events;
}

/** Starts working through the queue. Several processes share it; each job is done by one of them. It outlasts any time that the database is away. */
export async function startRunner(services: Services, work: Work): Promise<{ stop(): Promise<void> }> {
  const stopped = new AbortController();
  const { db, log, directPool: pool = services.pool } = services;
  const options = { ...optionsOf(services, work), pgPool: reconnectingPool(pool, stopped.signal) };
  const watch = watchWorkers({ db, log, pool }, options.events);
  followQueues(options.events, stopped.signal);
  const runner: Runner = await run({ ...options, concurrency: 3, parsedCronItems: parseCronItems(work.clock) });
  runner.promise.catch((error: unknown) => {
    if (stopped.signal.aborted) return;
    services.log.error({ reason: reasonOf(error) }, 'the job queue has ended');
    services.health.report('the job queue', reasonOf(error));
  });
  return {
    async stop() {
      stopped.abort();
      // A clock that is stopped while it starts never reports its end; by then the workers have.
      await Promise.race([runner.stop(), setTimeout(STOP_MS, undefined, { ref: false })]);
      await watch.stop();
    },
  };
}

/** Has the next job of a queue done soon after the one before it. */
function followQueues(events: WorkerEvents, stopped: AbortSignal): void {
  let pool: WorkerPool | undefined;
  events.on('pool:create', ({ workerPool }) => {
    pool = workerPool;
  });
  events.on('job:complete', async ({ job }) => {
    if (job.job_queue_id === null) return;
    await setTimeout(FREED_MS, undefined, { ref: false });
    if (stopped.aborted) return;
    try {
      pool?.nudge(1);
    } catch {
      // A worker that has ended cannot be woken. `runner.promise` tells of it.
    }
  });
}

/** Does everything that is due, once, and returns when nothing is left and every outcome is written down (tests). */
export async function runDue(services: Services, work: Pick<Work, 'tasks'>): Promise<void> {
  const options = optionsOf(services, work);
  let pool = '';
  options.events.on('pool:create', ({ workerPool }) => {
    pool = workerPool.id;
  });
  do {
    await runOnce(options);
    // The library does not wait for its last answer to the database, which also frees the job's queue for the next one.
    while (await hasUnfinished(services.db, pool)) await setTimeout(5);
  } while (await hasDue(services.db));
}

async function hasDue(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from graphile_worker.jobs where locked_at is null and attempts < max_attempts and run_at <= now() limit 1`.execute(db);
  return rows.length > 0;
}

async function hasUnfinished(db: Db, pool: string): Promise<boolean> {
  const { rows } = await sql`select from graphile_worker.jobs where locked_by = ${pool} limit 1`.execute(db);
  return rows.length > 0;
}
