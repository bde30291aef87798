import { sql } from 'kysely';
import { storable } from '#contract/base/storable.ts';
import type { Db } from '#server/db/connect.ts';
import type { Mail } from '#server/gateways/mail.ts';
import type { RefundReason } from '#server/mail/order-mails.ts';

/** The jobs of the shop and what each carries; `runner.ts` has the code that does them. */
export interface Jobs {
  sendMail: Mail;
  mailOtp: { email: string; asker: string };
  refundPayment: { orderId: string; paymentId: string; reason: RefundReason };
  expireHold: { orderId: string };
  reconcilePayments: Record<string, never>;
  makeWidths: { id: string };
  removeOrphanedPictures: Record<string, never>;
  removeExpired: Record<string, never>;
  deriveAttributes: Record<string, never>;
}

/** Jobs that ask the payment provider: done one after the other, so that while it hangs they do not keep the workers from mails. */
export const PROVIDER_QUEUE = 'payment provider';
const ASKS_PROVIDER: ReadonlySet<keyof Jobs> = new Set(['refundPayment', 'expireHold', 'reconcilePayments']);

/** Jobs that are always queued with a key, so that the newest of each key is the only one. */
export const KEYED: readonly (keyof Jobs)[] = ['refundPayment', 'expireHold', 'reconcilePayments', 'makeWidths', 'deriveAttributes'];

/** Work that is done one after the other anyway; in queues of their own these leave the other workers to mails. */
const OWN_QUEUES: Partial<Record<keyof Jobs, string>> = { makeWidths: 'pictures', deriveAttributes: 'attributes' };
const queueOf = (name: keyof Jobs) => (ASKS_PROVIDER.has(name) ? PROVIDER_QUEUE : (OWN_QUEUES[name] ?? null));

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
