import { endpoint } from '#contract/platform/endpoint.ts';
import { ById, Done } from '#contract/platform/lists.schema.ts';
import * as schema from './order-mails.schema.ts';

export const listOrderMails = endpoint('GET /api/office/orders/:id/mails', {
  right: 'see orders',
  summary: 'List the emails about an order that were sent',
  errors: [404],
  params: ById,
  reply: schema.OrderMails,
});

export const readOrderMail = endpoint('GET /api/office/mails/:id', {
  right: 'see orders',
  summary: 'Read an email about an order as it was sent',
  errors: [404],
  params: ById,
  reply: schema.OrderMail,
});

export const sendMailAgain = endpoint('POST /api/office/mails/:id/send', {
  right: 'change orders',
  summary: 'Send an email about an order again, to the customer’s current address',
  errors: [404, 409],
  params: ById,
  reply: Done,
});
