import type { Right } from '#contract/accounts/roles.ts';

/** The rights that an API key may have: none about staff, settings, the holder's own account or outgoing money. */
export const KEY_RIGHTS = [
  'see orders',
  'change orders',
  'see products',
  'change products',
  'see money',
  'see customers',
  'change customers',
] as const satisfies readonly Right[];

/** The beginning of each key, by which a leaked one is recognised. */
export const KEY_PREFIX = 'shopkey_';

/** A key lasts at most this many days. */
export const LONGEST_KEY_DAYS = 731;

export const MAX_WEBHOOKS = 20;
export const MAX_KEYS = 50;

/** What a webhook can be sent messages about. */
export const WEBHOOK_TOPICS = {
  order: 'Orders: each entry of an order’s history',
  return: 'Returns: asked for, agreed, refused, withdrawn, received',
  stock: 'Stock: each movement of a product or size',
  product: 'Products: created, edited, deleted or reviewed',
} as const;
export type WebhookTopic = keyof typeof WEBHOOK_TOPICS;

/** What `Send a test` sends. */
export const TEST_TOPIC = 'test';
