import { setTimeout } from 'node:timers/promises';
import { Logger, parseCronItems, type Runner, run, runOnce, type Task } from 'graphile-worker';
import { removeOrphanedPictures } from '#server/catalogue/pictures.jobs.ts';
import { expireHold, reconcilePayments, refundPayment } from '#server/payments/payments.jobs.ts';
import type { Services } from '#server/services.ts';
import { removeOldLimits } from '#server/users/rate-limit.service.ts';
import { removeExpired } from '#server/users/session.service.ts';
import type { Jobs } from './queue.ts';

/** The longest that stopping waits for running jobs; what is not done then is done after the next start. */
const STOP_MS = 5_000;

type Tasks = { [K in keyof Jobs]: (services: Services, payload: Jobs[K]) => Promise<void> };

const tasks: Tasks = {
  sendMail: ({ mailer }, mail) => mailer.send(mail),
  refundPayment,
  expireHold,
  reconcilePayments,
  removeOrphanedPictures,
  removeExpired: async ({ db }) => {
    await removeExpired(db);
    await removeOldLimits(db);
  },
};

/** What runs by the clock; with several processes each runs once. */
const CLOCK = [
  { task: 'reconcilePayments', match: '* * * * *' },
  { task: 'removeExpired', match: '17 3 * * *' },
  { task: 'removeOrphanedPictures', match: '37 3 * * *' },
];

function optionsOf(services: Services) {
  const log = services.log;
  const taskList = Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [name, ((payload) => task(services, payload as never)) satisfies Task]),
  );
  // The library's own lines name payloads, which hold addresses; only failures are passed on, as job and reason.
  const logger = new Logger(() => (level, message) => {
    if (level === 'error') log.error({ reason: message.slice(0, 500) }, 'job queue');
  });
  return { pgPool: services.pool, taskList, logger, noHandleSignals: true, pollInterval: 2_000 };
}

/** Starts working through the queue. Several processes share it; each job is done by one of them. */
export async function startJobs(services: Services): Promise<{ stop(): Promise<void> }> {
  const runner: Runner = await run({ ...optionsOf(services), concurrency: 3, parsedCronItems: parseCronItems(CLOCK) });
  runner.events.on('job:failed', ({ job }) =>
    services.log.error(
      { task: job.task_identifier, job: job.id, attempts: job.attempts, reason: job.last_error?.slice(0, 300) },
      'a job failed for good',
    ),
  );
  runner.events.on('job:error', ({ job, error }) =>
    services.log.warn(
      { task: job.task_identifier, job: job.id, attempt: job.attempts, reason: String(error).slice(0, 300) },
      'a job failed and will be tried again',
    ),
  );
  return {
    // A clock that is stopped while it starts never reports its end; by then the workers have.
    stop: () => Promise.race([runner.stop(), setTimeout(STOP_MS, undefined, { ref: false })]),
  };
}

/** Does everything that is due, once, and returns when nothing is left (tests). */
export async function runJobs(services: Services): Promise<void> {
  await runOnce(optionsOf(services));
}
