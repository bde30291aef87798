import { endpoint } from '#contract/platform/endpoint.ts';
import { ById, Done } from '#contract/platform/lists.schema.ts';
import * as schema from './integrations.schema.ts';

export const listKeys = endpoint('GET /api/office/keys', {
  right: 'manage staff',
  summary: 'List the API keys',
  reply: schema.ApiKeys,
});

export const makeKey = endpoint('POST /api/office/keys', {
  right: 'manage staff',
  summary: 'Create an API key, which is shown once',
  errors: [409],
  body: schema.NewKeyBody,
  reply: schema.MadeKey,
  status: 201,
});

export const deleteKey = endpoint('DELETE /api/office/keys/:id', {
  right: 'manage staff',
  summary: 'Delete an API key, which ends it at once',
  errors: [404],
  params: ById,
  reply: schema.ApiKeys,
});

export const listWebhooks = endpoint('GET /api/office/webhooks', {
  right: 'manage staff',
  summary: 'List the webhooks',
  reply: schema.Webhooks,
});

export const makeWebhook = endpoint('POST /api/office/webhooks', {
  right: 'manage staff',
  summary: 'Create a webhook, whose secret is shown once',
  errors: [409],
  body: schema.WebhookBody,
  reply: schema.MadeWebhook,
  status: 201,
});

export const editWebhook = endpoint('PUT /api/office/webhooks/:id', {
  right: 'manage staff',
  summary: 'Change a webhook’s address and topics, or switch it on or off',
  errors: [404],
  params: ById,
  body: schema.WebhookBody,
  reply: schema.Webhooks,
});

export const deleteWebhook = endpoint('DELETE /api/office/webhooks/:id', {
  right: 'manage staff',
  summary: 'Delete a webhook with its messages',
  errors: [404],
  params: ById,
  reply: schema.Webhooks,
});

export const testWebhook = endpoint('POST /api/office/webhooks/:id/test', {
  right: 'manage staff',
  summary: 'Send a test message to a webhook',
  errors: [404],
  params: ById,
  reply: Done,
});

export const listMessages = endpoint('GET /api/office/webhooks/:id/messages', {
  right: 'manage staff',
  summary: 'List the latest messages to a webhook, with their results',
  errors: [404],
  params: ById,
  reply: schema.SentMessages,
});

export const sendMessageAgain = endpoint('POST /api/office/webhook-messages/:id/send', {
  right: 'manage staff',
  summary: 'Send a message to its webhook again',
  errors: [404],
  params: ById,
  reply: Done,
});
