import { z } from 'zod';
import { Day } from '#contract/orders/periods.schema.ts';
import { KEY_RIGHTS, WEBHOOK_TOPICS, type WebhookTopic } from './integrations.ts';

const name = z.string().trim().min(1, 'Enter a name').max(60, 'A name has at most 60 characters');
const Topic = z.enum(Object.keys(WEBHOOK_TOPICS) as [WebhookTopic, ...WebhookTopic[]]);

export const NewKeyBody = z.object({
  name: name.describe('What uses it, such as “Courier”'),
  rights: z.array(z.enum(KEY_RIGHTS)).min(1, 'Choose what the key may do'),
  endsOn: Day.describe('The last day on which it works'),
});

export const ApiKey = z.object({
  _id: z.string(),
  name: z.string(),
  rights: z.array(z.string()),
  madeBy: z.string(),
  madeAt: z.string(),
  endsAt: z.string(),
  usedAt: z.string().nullable().describe('To the hour'),
});
export const ApiKeys = z.object({ keys: z.array(ApiKey).describe('Newest first, ended ones too') });
export const MadeKey = ApiKeys.extend({ key: z.string().describe('Shown only this once: the shop stores its hash') });

export const WebhookBody = z.object({
  address: z
    .string()
    .trim()
    .max(500, 'An address has at most 500 characters')
    .regex(/^https:\/\/[^\s/@:?#]+([/?#]\S*)?$/i, 'Write an address that begins with https://, without a password and without a port'),
  topics: z.array(Topic).min(1, 'Choose at least one event'),
  isOn: z.boolean().default(true),
});

export const Webhook = z.object({
  _id: z.string(),
  address: z.string(),
  topics: z.array(Topic),
  isOn: z.boolean(),
  madeBy: z.string(),
  madeAt: z.string(),
});
export const Webhooks = z.object({ webhooks: z.array(Webhook).describe('Newest first') });
export const MadeWebhook = Webhooks.extend({ secret: z.string().describe('Signs each message; shown only this once') });

/** A message as it is sent. */
export const WebhookMessage = z.object({
  id: z.string().describe('The same at each attempt, and in the header `webhook-id`'),
  topic: z.string(),
  at: z.string(),
  items: z
    .array(z.record(z.string(), z.unknown()))
    .describe(
      'What happened, at most 500: of `order` and `return` {order, reference, event}; of `stock` {product, size, change, left, reason}; of `product` {product}, null where many have changed',
    ),
});

export const SentMessage = z.object({
  _id: z.string(),
  topic: z.string(),
  count: z.int().describe('The number of events'),
  body: z.string().describe('As it was sent'),
  madeAt: z.string(),
  attempts: z.int(),
  triedAt: z.string().nullable(),
  status: z.int().nullable().describe('The status of the last answer'),
  problem: z.string().describe('Why the last attempt failed'),
  sentAt: z.string().nullable(),
  isWaiting: z.boolean().describe('Whether it will be tried again automatically'),
});
export const SentMessages = z.object({ messages: z.array(SentMessage).describe('The latest, newest first') });

export type ApiKeys = z.infer<typeof ApiKeys>;
export type ApiKey = z.infer<typeof ApiKey>;
export type MadeKey = z.infer<typeof MadeKey>;
export type NewKeyBody = z.infer<typeof NewKeyBody>;
export type WebhookBody = z.infer<typeof WebhookBody>;
export type Webhook = z.infer<typeof Webhook>;
export type Webhooks = z.infer<typeof Webhooks>;
export type MadeWebhook = z.infer<typeof MadeWebhook>;
export type WebhookMessage = z.infer<typeof WebhookMessage>;
export type SentMessages = z.infer<typeof SentMessages>;
