import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { MadeWebhook, SentMessages, Webhook, WebhookBody, Webhooks } from '#contract/integrations/integrations.schema.ts';
import { MAX_WEBHOOKS, TEST_TOPIC } from '#contract/integrations/integrations.ts';
import type { Done } from '#contract/platform/lists.schema.ts';
import { Problem } from '#contract/platform/problem.ts';
import { recordChange } from '#server/context/audit.ts';
import { type Admin, type ProvenAdmin, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { lockName } from '#server/platform/database/name-lock.ts';
import { seal } from '#server/platform/database/sealed-secret.ts';
import { newId } from '#server/platform/ids.ts';
import { addMessage, bodyOf, queueMessage } from './webhooks.jobs.ts';

/** How many messages the screen shows. */
const MOST_SHOWN = 50;
const NOT_FOUND = 'This webhook has already been deleted.';

/** All webhooks, newest first, without their secrets. */
export async function listWebhooks(db: Db, _: Admin): Promise<Webhooks> {
  const rows = await db
    .selectFrom('webhooks')
    .select(['id as _id', 'address', 'topics', 'isOn', 'madeBy', 'madeAt'])
    .orderBy('madeAt', 'desc')
    .orderBy('id')
    .execute();
  return { webhooks: rows.map((row) => ({ ...row, topics: row.topics as Webhook['topics'] })) };
}

const textOf = ({ address, topics }: Pick<WebhookBody, 'address' | 'topics'>) => `${address} (${topics.join(', ')})`;

/** Makes a webhook. Only this answer has its secret, in the format of Standard Webhooks. Throws 409. */
export function makeWebhook({ db, config }: Pick<Services, 'db' | 'config'>, who: ProvenAdmin, body: WebhookBody): Promise<MadeWebhook> {
  const [id, secret] = [newId(), randomBytes(32)];
  return transactionOf(db, who, async (tx) => {
    // Two at once would both find room for the last webhook.
    await lockName(tx, 'webhooks');
    const { webhooks } = await listWebhooks(tx, who);
    if (webhooks.length >= MAX_WEBHOOKS) throw new Problem(409, `There are ${MAX_WEBHOOKS} webhooks. Delete one that is no longer used.`);
    const stored = seal(secret, id, config.secondFactorKeys);
    const { address, topics, isOn } = body;
    await tx
      .insertInto('webhooks')
      .values({ id, address, topics: [...topics], isOn, secret: stored, madeBy: who.name })
      .execute();
    await recordChange(tx, who, 'settings', null, `Made the webhook ${textOf(body)}`);
    return { ...(await listWebhooks(tx, who)), secret: `whsec_${secret.toString('base64')}` };
  });
}

/** Changes a webhook; its secret stays. Throws 404. */
export function editWebhook(db: Db, who: ProvenAdmin, id: string, body: WebhookBody): Promise<Webhooks> {
  return transactionOf(db, who, async (tx) => {
    const { address, topics, isOn } = body;
    const changed = await tx
      .updateTable('webhooks')
      .set({ address, topics: [...topics], isOn })
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!changed) throw new Problem(404, NOT_FOUND);
    await recordChange(tx, who, 'settings', null, `Changed a webhook to ${textOf(body)}${isOn ? '' : ', switched off'}`);
    return listWebhooks(tx, who);
  });
}

/** Deletes a webhook with its messages and pending items. Throws 404. */
export function deleteWebhook(db: Db, who: Admin, id: string): Promise<Webhooks> {
  return transactionOf(db, who, async (tx) => {
    const deleted = await tx.deleteFrom('webhooks').where('id', '=', id).returning('address').executeTakeFirst();
    if (!deleted) throw new Problem(404, NOT_FOUND);
    await recordChange(tx, who, 'settings', null, `Deleted the webhook ${deleted.address}`);
    return listWebhooks(tx, who);
  });
}

/** The address of a webhook, which cannot be deleted before a message to it is stored. Throws 404. */
async function lockWebhook(tx: Tx, id: string): Promise<string> {
  const found = await tx.selectFrom('webhooks').select('address').where('id', '=', id).forShare().executeTakeFirst();
  if (!found) throw new Problem(404, NOT_FOUND);
  return found.address;
}

/** Queues a test message, which has no items. Throws 404. */
export function testWebhook(db: Db, who: Admin, id: string): Promise<Done> {
  return transactionOf(db, who, async (tx) => {
    const address = await lockWebhook(tx, id);
    await addMessage(tx, id, TEST_TOPIC, []);
    return { message: `A test is on its way to ${address}.` };
  });
}

/** The latest messages to a webhook. Throws 404. */
export async function listMessages(db: Db, _: Admin, id: string): Promise<SentMessages> {
  const webhook = await db.selectFrom('webhooks').select('id').where('id', '=', id).executeTakeFirst();
  if (!webhook) throw new Problem(404, NOT_FOUND);
  const rows = await db
    .selectFrom('webhookMessages as message')
    .select(['id', 'topic', 'items', 'madeAt', 'attempts', 'triedAt', 'status', 'problem', 'sentAt'])
    .select(sql<boolean>`exists (select from jobs where key = 'message ' || message.id and attempts < max_attempts)`.as('isWaiting'))
    .where('webhookId', '=', id)
    .orderBy('madeAt', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_SHOWN)
    .execute();
  return {
    messages: rows.map(({ id: _id, items, ...row }) => ({
      _id,
      ...row,
      count: (items as unknown[]).length,
      body: bodyOf({ id: _id, items, ...row }),
    })),
  };
}

/** Queues a message again, with the same id. Throws 404. */
export function sendMessageAgain(db: Db, who: Admin, id: string): Promise<Done> {
  return transactionOf(db, who, async (tx) => {
    const message = await tx.selectFrom('webhookMessages').select(['id', 'webhookId']).where('id', '=', id).executeTakeFirst();
    if (!message) throw new Problem(404, 'This message has already been deleted.');
    const address = await lockWebhook(tx, message.webhookId);
    await queueMessage(tx, message.id);
    return { message: `It is on its way to ${address} again.` };
  });
}
