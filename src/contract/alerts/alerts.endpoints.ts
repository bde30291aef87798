import { endpoint } from '#contract/platform/endpoint.ts';
import { ById, Done } from '#contract/platform/lists.schema.ts';
import * as schema from './alerts.schema.ts';

export const requestAlert = endpoint('POST /api/products/:id/alerts', {
  role: 'visitor',
  summary: 'Request a back-in-stock alert; the address gets an email to confirm it',
  errors: [404, 409, 429],
  params: ById,
  body: schema.AlertBody,
  reply: Done,
});

export const confirmAlert = endpoint('POST /api/alerts/confirm', {
  role: 'visitor',
  summary: 'Confirm a back-in-stock alert with the token of its email',
  errors: [404],
  body: schema.AlertLinkBody,
  reply: Done,
});

export const stopAlert = endpoint('POST /api/alerts/stop', {
  role: 'visitor',
  summary: 'Cancel a back-in-stock alert with the token of its email',
  errors: [404],
  body: schema.AlertLinkBody,
  reply: Done,
});
