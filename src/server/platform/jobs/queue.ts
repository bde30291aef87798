import { type SqlBool, sql } from 'kysely';
import { storable } from '#contract/platform/storable.ts';
import type { Mail } from '#server/gateways/mail.ts';
import type { RefundReason } from '#server/mail/order-mails.ts';
import type { Db } from '#server/platform/database/connect.ts';

/** The jobs of the shop and their payloads; `app/jobs.ts` has their functions. */
export interface Jobs {
  /**
   * `hourly`: the mails that the mailbox may get in an hour. Without it there is no limit, for mails that must arrive. `orderId`: the order with which
   * the mail is kept.
   */
  sendMail: Mail & { hourly?: number; orderId?: string };
  /** `asker`: the hash of who asked, in base64url. */
  mailOtp: { email: string; asker: string };
  /** Of a whole payment that cannot be used; `sendRefund` is for a refund of an order. */
  refundPayment: { orderId: string; paymentId: string; reason: RefundReason };
  sendRefund: { refundId: string };
  expireHold: { orderId: string };
  closeCorrection: { correctionId: string; isClosing?: boolean };
  reconcilePayments: Record<string, never>;
  reconcileOutcomes: Record<string, never>;
  checkBooks: Record<string, never>;
  tellOfBook: Record<string, never>;
  makeWidths: { id: string };
  showProduct: { productId: string };
  /** `order`: all pictures of the product in their order, stored ones too. */
  fetchPicture: { productId: string; address: string; order: string[] };
  removeOrphanedPictures: Record<string, never>;
  removePictures: { ids: string[] };
  removeExpired: Record<string, never>;
  deriveAttributes: Record<string, never>;
  askForReviews: { orderId: string };
  /** `isAgain`: a second mail, with the tracking that the first one lacked. */
  tellOfParcel: { parcelId: string; isAgain?: boolean };
  tellOfDelivery: { orderId: string };
  confirmAlert: { email: string; productId: string };
  tellOfReturns: Record<string, never>;
  sumSales: Record<string, never>;
  makeEventMonths: Record<string, never>;
  sendStaffNotices: Record<string, never>;
  packWebhook: { webhookId: string };
  /** `id`: of the stored message. */
  sendWebhook: { id: string };
}

/** One lane for all calls of the payment provider, so that while it hangs mails still have workers. */
const PROVIDER = 'payment provider';

interface JobInfo {
  /** Its name for people. */
  label: string;
  /** Jobs of one lane run one after the other, those without a lane concurrently. */
  lane?: string;
}

const JOBS: Record<keyof Jobs, JobInfo> = {
  sendMail: { label: 'Send an email' },
  mailOtp: { label: 'Email a code for a new password' },
  refundPayment: { label: 'Refund a card payment', lane: PROVIDER },
  sendRefund: { label: 'Send a refund to the payment provider', lane: PROVIDER },
  expireHold: { label: 'Release the stock of an unpaid card checkout', lane: PROVIDER },
  closeCorrection: { label: 'End a correction that was not paid', lane: PROVIDER },
  reconcilePayments: { label: 'Compare card payments with the provider', lane: PROVIDER },
  reconcileOutcomes: { label: 'Compare refunds and disputes with the provider', lane: PROVIDER },
  checkBooks: { label: 'Compare the books with the payment provider', lane: PROVIDER },
  tellOfBook: { label: 'Send the morning book to staff', lane: PROVIDER },
  makeWidths: { label: 'Make the sizes of a picture', lane: 'pictures' },
  showProduct: { label: 'Make a scheduled product live' },
  fetchPicture: { label: 'Fetch a picture from its address', lane: 'fetched pictures' },
  removeOrphanedPictures: { label: 'Delete pictures that nothing uses' },
  removePictures: { label: 'Delete the pictures of a review' },
  removeExpired: { label: 'Delete old data' },
  deriveAttributes: { label: 'Work out colours and materials for the filters', lane: 'attributes' },
  askForReviews: { label: 'Ask a customer for reviews' },
  tellOfParcel: { label: 'Tell a customer about a parcel' },
  tellOfDelivery: { label: 'Tell a customer about a delivery' },
  confirmAlert: { label: 'Ask a customer to confirm a stock alert' },
  tellOfReturns: { label: 'Tell customers that a product is back' },
  sumSales: { label: 'Add up sales' },
  makeEventMonths: { label: 'Prepare the order history for the next months' },
  sendStaffNotices: { label: 'Send notices to staff', lane: 'staff notices' },
  packWebhook: { label: 'Prepare a message to a webhook', lane: 'webhooks' },
  // One at a time: a receiver that hangs holds up others, but no mails and no payments.
  sendWebhook: { label: 'Send a message to a webhook', lane: 'webhook messages' },
};

export const JOB_NAMES = Object.keys(JOBS) as (keyof Jobs)[];

/** Undefined for a job of another version. */
const infoOf = (name: string) => (JOBS as Partial<Record<string, JobInfo>>)[name];

/** A job's name for people. Jobs of other versions keep their own name. */
export const jobLabel = (name: string): string => infoOf(name)?.label ?? name;

interface Timing {
  /** Not before this moment (ISO). */
  runAt?: string;
  /** Replaces a waiting job with the same key. */
  key?: string;
  /** After this many failures, with exponential back-off, the job stays in the queue as a dead letter; 25 by default. */
  maxAttempts?: number;
}

/** A job as a backup holds it. */
export interface SavedJob {
  task: string;
  payload: unknown;
  runAt: string | null;
  maxAttempts: number;
  key: string | null;
  attempts: number;
  lastError: string | null;
  createdAt?: string;
}

/** The query for all jobs as a backup stores them, in the column `item`. */
export const JOBS_AS_JSON = `select json_build_object('task', name, 'payload', payload, 'runAt', run_at, 'maxAttempts', max_attempts,
    'key', key, 'attempts', attempts, 'lastError', last_error, 'createdAt', created_at) as item from jobs order by id`;

/** PostgreSQL notifies every process of a due job on this channel. */
export const JOBS_CHANNEL = 'jobs';

/** Queues a job. One of a backup comes with its earlier failures. */
export async function addJob(tx: Db, job: SavedJob): Promise<void> {
  const lane = infoOf(job.task)?.lane ?? null;
  await sql`
    with added as (
      insert into jobs (name, lane, key, payload, run_at, created_at, attempts, max_attempts, last_error)
      values (${job.task}, ${lane}, ${job.key}, ${JSON.stringify(storable(job.payload))}::jsonb, coalesce(${job.runAt}::timestamptz, now()),
        coalesce(${job.createdAt ?? null}::timestamptz, now()), ${job.attempts}, ${job.maxAttempts}, ${job.lastError})
      on conflict (key) where taken_by is null do update set name = excluded.name, lane = excluded.lane, payload = excluded.payload,
        run_at = excluded.run_at, created_at = excluded.created_at, attempts = excluded.attempts, max_attempts = excluded.max_attempts,
        last_error = excluded.last_error
      returning run_at)
    select pg_notify(${JOBS_CHANNEL}, '') from added where run_at <= now()`.execute(tx);
}

/** Queues a job in the transaction of the change it belongs to: both happen or neither. */
export async function enqueue<K extends keyof Jobs>(tx: Db, name: K, payload: Jobs[K], timing: Timing = {}): Promise<void> {
  const { runAt = null, key = null, maxAttempts = 25 } = timing;
  await addJob(tx, { task: name, payload, runAt, key, maxAttempts, attempts: 0, lastError: null });
}

/** The condition for jobs that failed for good, which has a partial index. */
export const FAILED = sql<SqlBool>`taken_by is null and attempts >= max_attempts`;

/** The latest jobs that failed for good. */
export async function readFailedJobs(db: Db, most: number): Promise<{ _id: string; name: string; reason: string; at: string }[]> {
  const { rows } = await sql<{ _id: string; name: string; reason: string; at: string }>`
    select id::text as _id, name, coalesce(last_error, '') as reason, created_at as at
    from jobs where ${FAILED} order by id desc limit ${most}`.execute(db);
  return rows;
}

/** Makes a job that failed for good due again. Returns its name; undefined if there was none. */
export async function retryFailedJob(db: Db, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    with retried as (update jobs set attempts = 0, run_at = now() where id::text = ${id} and ${FAILED} returning name)
    select name, pg_notify(${JOBS_CHANNEL}, '') from retried`.execute(db);
  return rows[0]?.name;
}

/**
 * Corrects the times of waiting jobs that a clock ahead of ours has stored. A job that failed then is due, since no pause after a failure is longer than
 * about six hours. One that was only queued waits as long from now; its key changes with its time of queuing, which nobody has seen yet.
 */
export async function correctTimes(db: Db): Promise<void> {
  await sql`update jobs set run_at = now() where taken_by is null and attempts between 1 and max_attempts - 1 and run_at > now() + interval '7 hours'`.execute(
    db,
  );
  await sql`
    update jobs set run_at = now() + greatest(run_at - created_at, interval '0'), created_at = now()
    where taken_by is null and attempts = 0 and run_at > now() + interval '5 minutes' and created_at > now() + interval '5 minutes'`.execute(
    db,
  );
}

/** Deletes jobs. A running one finishes, and is not tried again after a failure. */
export async function deleteJobs(tx: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom('jobs').where('id', 'in', ids).execute();
}

/** Deletes dead letters that are older than `days`, since their payloads name people. */
export async function deleteFailedJobs(db: Db, days: number): Promise<void> {
  await sql`delete from jobs where ${FAILED} and created_at < now() - ${days} * interval '1 day'`.execute(db);
}
