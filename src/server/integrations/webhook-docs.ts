import { z } from 'zod';
import { WebhookMessage } from '#contract/integrations/integrations.schema.ts';
import { WEBHOOK_TOPICS } from '#contract/integrations/integrations.ts';

const HEADERS = {
  'webhook-id': 'The same at each attempt',
  'webhook-timestamp': 'Seconds since 1970, when it was sent',
  'webhook-signature': '`v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body`, by the bytes of the secret after `whsec_`',
};

/** The messages that webhooks send, for the OpenAPI document. */
export function webhookDocs(): object {
  const schema = z.toJSONSchema(WebhookMessage, { target: 'draft-2020-12' });
  const parameters = Object.entries(HEADERS).map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  }));
  return Object.fromEntries(
    Object.entries(WEBHOOK_TOPICS).map(([topic, summary]) => [
      topic,
      {
        post: {
          operationId: `${topic}Webhook`,
          summary,
          tags: ['webhooks'],
          security: [],
          parameters,
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: {
            200: { description: 'Taken. Any 2xx will do.' },
            400: { description: 'Anything else is tried again, 15 times within a day and a half.' },
          },
        },
      },
    ]),
  );
}
