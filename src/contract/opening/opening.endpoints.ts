import { endpoint } from '#contract/platform/endpoint.ts';
import { Done } from '#contract/platform/lists.schema.ts';
import * as schema from './opening.schema.ts';

export const readOpening = endpoint('GET /api/opening', {
  right: 'office',
  summary: 'Read what is done and what is left before the shop opens',
  reply: schema.Opening,
});

export const sendTestMail = endpoint('POST /api/opening/mail', {
  right: 'change settings',
  summary: 'Send a test email with a link that proves it arrived',
  errors: [409, 429],
  body: schema.TestMailBody,
  reply: Done,
});

export const mailArrived = endpoint('POST /api/opening/mail-arrived', {
  role: 'visitor',
  summary: 'Confirm that a test email arrived, with the token of its link',
  errors: [404],
  body: schema.MailArrivedBody,
  reply: Done,
});

export const readDemo = endpoint('GET /api/opening/demo', {
  right: 'office',
  summary: 'List the parts of the demo that would be removed, and those that stay, with the reason',
  reply: schema.DemoLeft,
});

export const removeDemo = endpoint('DELETE /api/opening/demo', {
  right: 'change settings',
  summary: 'Remove the products and accounts of the demo that nobody has changed or used',
  reply: schema.DemoLeft,
});
