import { createHmac } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import type { WebhookMessage } from '#contract/integrations/integrations.schema.ts';
import { isProblem } from '#contract/platform/problem.ts';
import type { Services } from '#server/context/services.ts';
import { type FetchRules, postPublic } from '#server/gateways/public-fetch.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { type SealedColumn, unseal } from '#server/platform/database/sealed-secret.ts';
import { newId } from '#server/platform/ids.ts';
import { declareJobs, enqueue, job, type PayloadOf } from '#server/platform/jobs/queue.ts';
import { errorMessage } from '#server/platform/log.ts';

export const webhookJobs = declareJobs({
  packWebhook: job<{ webhookId: string }>({ label: 'Prepare a message to a webhook', lane: 'webhooks' }),
  // One at a time: a receiver that hangs holds up others, but no mails and no payments.
  /** `id`: of the stored message. */
  sendWebhook: job<{ id: string }>({ label: 'Send a message to a webhook', lane: 'webhook messages' }),
});

export const SEALED_WEBHOOKS: readonly SealedColumn[] = [{ table: 'webhooks', id: 'id', column: 'secret' }];

/** The most items of a message. */
const MOST_ITEMS = 500;
/** With exponential back-off, attempts over a day and a half. */
const ATTEMPTS = 15;
/** Messages are deleted after this many days. */
const KEPT_DAYS = 30;

/** Queues a stored message; one that is waiting already is sent now. */
export const queueMessage = (tx: Tx, id: string): Promise<void> =>
  enqueue(tx, webhookJobs.sendWebhook, { id }, { key: `message ${id}`, maxAttempts: ATTEMPTS });

/** Stores a message and queues it. */
export async function addMessage(tx: Tx, webhookId: string, topic: string, items: readonly unknown[]): Promise<void> {
  const id = newId();
  await tx
    .insertInto('webhookMessages')
    .values({ id, webhookId, topic, items: JSON.stringify(items) })
    .execute();
  await queueMessage(tx, id);
}

/** Packs a webhook's pending items into messages, one for each topic, in the order of the events. */
export async function packWebhook({ db }: Pick<Services, 'db'>, { webhookId }: PayloadOf<typeof webhookJobs.packWebhook>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const next = tx.selectFrom('webhookNews').select('id').where('webhookId', '=', webhookId).orderBy('id').limit(MOST_ITEMS).forUpdate();
    const pending = await tx.deleteFrom('webhookNews').where('id', 'in', next).returning(['id', 'topic', 'item']).execute();
    pending.sort((one, other) => one.id - other.id);
    for (const topic of new Set(pending.map((one) => one.topic)))
      await addMessage(
        tx,
        webhookId,
        topic,
        pending.filter((one) => one.topic === topic).map(({ item }) => item),
      );
    if (pending.length === MOST_ITEMS) await enqueue(tx, webhookJobs.packWebhook, { webhookId }, { key: `webhook ${webhookId}` });
  });
}

interface StoredMessage {
  id: string;
  topic: string;
  items: unknown;
  madeAt: string;
}

/** A message as it is sent: the same text at each attempt. */
export const bodyOf = ({ id, topic, items, madeAt }: StoredMessage): string =>
  JSON.stringify({ id, topic, at: madeAt, items: items as WebhookMessage['items'] } satisfies WebhookMessage);

/** The headers of Standard Webhooks, for which receivers have libraries. */
function headersOf(id: string, body: string, secret: Buffer): Record<string, string> {
  const time = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', secret).update(`${id}.${time}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': `v1,${signature}`,
  };
}

/** The result of an attempt. `problem` is empty after a success; `isFinal` if there is no further attempt. */
interface Outcome {
  status?: number;
  problem: string;
  isFinal: boolean;
}

const recordAttempt = (db: Db, id: string, { status, problem }: Outcome) =>
  db
    .updateTable('webhookMessages')
    .set((eb) => ({
      attempts: eb('attempts', '+', 1),
      triedAt: sql<string>`now()`,
      status: status ?? null,
      problem,
      sentAt: problem ? eb.ref('sentAt') : sql<string>`now()`,
    }))
    .where('id', '=', id)
    .execute();

const selectMessage = (db: Db, id: string) =>
  db
    .selectFrom('webhookMessages')
    .innerJoin('webhooks', 'webhooks.id', 'webhookId')
    .select(['webhookMessages.id', 'topic', 'items', 'webhookMessages.madeAt', 'webhookId', 'address', 'secret', 'isOn'])
    .where('webhookMessages.id', '=', id)
    .executeTakeFirst();
type Message = NonNullable<Awaited<ReturnType<typeof selectMessage>>>;

async function attempt({ config }: Pick<Services, 'config'>, message: Message, rules: Omit<FetchRules, 'mostBytes'>): Promise<Outcome> {
  if (!message.isOn) return { problem: 'The webhook is switched off.', isFinal: true };
  const secret = unseal(message.secret, message.webhookId, config.secondFactorKeys);
  // Tried again, since the key may be put back.
  if (!secret) return { problem: 'Its secret cannot be read: SECOND_FACTOR_KEY has changed. Make this webhook again.', isFinal: false };
  const body = bodyOf(message);
  try {
    const status = await postPublic(message.address, { headers: headersOf(message.id, body, secret), body }, rules);
    const isAccepted = status >= 200 && status < 300;
    return { status, problem: isAccepted ? '' : `It answered ${status}.`, isFinal: isAccepted };
  } catch (error) {
    // A Problem, such as an address within this network, would only be repeated by another attempt.
    return { problem: errorMessage(error), isFinal: isProblem(error) };
  }
}

/**
 * Sends a message; anything but a 2xx is a failure and tried again. Delivered at least once: receivers recognise a repeat by its id. Nothing is sent to a
 * webhook that was switched off or deleted meanwhile.
 */
export async function sendWebhook(
  { db, config }: Pick<Services, 'db' | 'config'>,
  { id }: PayloadOf<typeof webhookJobs.sendWebhook>,
  rules: Omit<FetchRules, 'mostBytes'> = {},
): Promise<void> {
  const message = await selectMessage(db, id);
  if (!message) return;
  const outcome = await attempt({ config }, message, rules);
  await recordAttempt(db, id, outcome);
  if (!outcome.isFinal) throw new Error(outcome.problem);
}

/** Deletes messages after `KEPT_DAYS` (a daily job). */
export async function removeOldMessages(db: Db): Promise<void> {
  await db.deleteFrom('webhookMessages').where(sql<SqlBool>`made_at < now() - make_interval(days => ${KEPT_DAYS})`).execute();
}
