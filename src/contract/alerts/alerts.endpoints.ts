import { endpoint } from '#contract/platform/endpoint.ts';
import { ById, Done } from '#contract/platform/lists.schema.ts';
import * as schema from './alerts.schema.ts';

export const requestAlert = endpoint('POST /api/products/:id/alerts', {
  role: 'visitor',
  summary: 'Ask the owner of an email address whether they want to hear when a product is back in stock',
  errors: [404, 409, 429],
  params: ById,
  body: schema.AlertBody,
  reply: Done,
});

export const confirmAlert = endpoint('POST /api/alerts/confirm', {
  role: 'visitor',
  summary: 'Confirm, with the link in an email, a wish to hear when a product is back in stock',
  errors: [404],
  body: schema.AlertLinkBody,
  reply: Done,
});

export const stopAlert = endpoint('POST /api/alerts/stop', {
  role: 'visitor',
  summary: 'Withdraw, with the link in an email, the wish to hear when a product is back in stock',
  errors: [404],
  body: schema.AlertLinkBody,
  reply: Done,
});
