import { sql } from 'kysely';
import { storable } from '#contract/platform/storable.ts';
import type { Mail } from '#server/gateways/mail.ts';
import type { RefundReason } from '#server/mail/order-mails.ts';
import type { Db } from '#server/platform/database/connect.ts';

/** The jobs of the shop and what each carries; `runner.ts` has the code that does them. */
export interface Jobs {
  /** `hourly`: how many mails an hour the mailbox may get; unlimited unless said, for what its owner must hear of. */
  sendMail: Mail & { hourly?: number };
  mailOtp: { email: string; asker: string };
  refundPayment: { orderId: string; paymentId: string; reason: RefundReason };
  sendRefund: { refundId: string };
  expireHold: { orderId: string };
  reconcilePayments: Record<string, never>;
  reconcileOutcomes: Record<string, never>;
  makeWidths: { id: string };
  removeOrphanedPictures: Record<string, never>;
  removeExpired: Record<string, never>;
  deriveAttributes: Record<string, never>;
  askForReviews: { orderId: string };
  tellOfParcel: { parcelId: string; isAgain?: boolean };
  tellOfDelivery: { orderId: string };
  confirmAlert: { email: string; productId: string };
  tellOfReturns: Record<string, never>;
  sumSales: Record<string, never>;
  makeEventMonths: Record<string, never>;
}

/** Jobs that ask the payment provider are done one after the other, so that while it hangs they do not keep the workers from mails. */
export const PROVIDER_QUEUE = 'payment provider';

interface Queueing {
  /** Jobs of one queue are done one after the other; those of none at the same time. */
  queue?: string;
  /** Always queued with a key, so that the newest of each key is the only one. */
  isKeyed?: true;
}

const QUEUEING: Record<keyof Jobs, Queueing> = {
  sendMail: {},
  mailOtp: {},
  refundPayment: { queue: PROVIDER_QUEUE, isKeyed: true },
  sendRefund: { queue: PROVIDER_QUEUE, isKeyed: true },
  expireHold: { queue: PROVIDER_QUEUE, isKeyed: true },
  reconcilePayments: { queue: PROVIDER_QUEUE, isKeyed: true },
  reconcileOutcomes: { queue: PROVIDER_QUEUE, isKeyed: true },
  makeWidths: { queue: 'pictures', isKeyed: true },
  removeOrphanedPictures: {},
  removeExpired: {},
  deriveAttributes: { queue: 'attributes', isKeyed: true },
  askForReviews: { isKeyed: true },
  tellOfParcel: { isKeyed: true },
  tellOfDelivery: { isKeyed: true },
  confirmAlert: {},
  tellOfReturns: { isKeyed: true },
  sumSales: { isKeyed: true },
  makeEventMonths: { isKeyed: true },
};

export const JOB_NAMES = Object.keys(QUEUEING) as (keyof Jobs)[];
export const KEYED = JOB_NAMES.filter((name) => QUEUEING[name].isKeyed);

/** The queue of a job; null for none, and for a job that this version of the shop does not know. */
export const queueOf = (name: string): string | null => (QUEUEING as Partial<Record<string, Queueing>>)[name]?.queue ?? null;

interface Timing {
  /** Not before this moment (ISO). */
  runAt?: string;
  /** A job with the same key is replaced instead of queued twice. */
  key?: string;
  /** After so many failures the job stays in the queue as a dead letter; 25 unless said, with exponential back-off. */
  maxAttempts?: number;
}

/** Queues a job in the transaction of what it speaks of: both happen or neither. */
export async function enqueue<K extends keyof Jobs>(tx: Db, name: K, payload: Jobs[K], timing: Timing = {}): Promise<void> {
  const { runAt = null, key = null, maxAttempts = 25 } = timing;
  await sql`select graphile_worker.add_job(${name}::text, payload := ${JSON.stringify(storable(payload))}::json, run_at := ${runAt}::timestamptz,
    max_attempts := ${maxAttempts}::int, job_key := ${key}::text, queue_name := ${queueOf(name)}::text)`.execute(tx);
}
