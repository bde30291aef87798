import * as api from '#contract/integrations/integrations.endpoints.ts';
import { proven } from '#server/context/context.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { deleteKey, listKeys, makeKey } from './keys.service.ts';
import { deleteWebhook, editWebhook, listMessages, listWebhooks, makeWebhook, sendMessageAgain, testWebhook } from './webhooks.service.ts';

export const integrationRoutes: readonly Route[] = [
  route(api.listKeys, ({ who }, { db }) => listKeys(db, who)),
  route(api.makeKey, async ({ body, who }, { db }) => makeKey(db, proven(who), body)),
  route(api.deleteKey, ({ params, who }, { db }) => deleteKey(db, who, params.id)),
  route(api.listWebhooks, ({ who }, { db }) => listWebhooks(db, who)),
  route(api.makeWebhook, async ({ body, who }, ctx) => makeWebhook(ctx, proven(who), body)),
  route(api.editWebhook, async ({ params, body, who }, { db }) => editWebhook(db, proven(who), params.id, body)),
  route(api.deleteWebhook, ({ params, who }, { db }) => deleteWebhook(db, who, params.id)),
  route(api.testWebhook, ({ params, who }, { db }) => testWebhook(db, who, params.id)),
  route(api.listMessages, ({ params, who }, { db }) => listMessages(db, who, params.id)),
  route(api.sendMessageAgain, ({ params, who }, { db }) => sendMessageAgain(db, who, params.id)),
];
