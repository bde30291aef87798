import * as api from '#contract/alerts/alerts.endpoints.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { mailboxOf } from '#server/sessions/mail-limit.service.ts';
import { limit } from '#server/sessions/rate-limit.service.ts';
import { confirmAlert, requestAlert, stopAlert } from './alerts.service.ts';

/** “Tell me when it is back”. */
export const alertRoutes: readonly Route[] = [
  route(api.requestAlert, async ({ params, body }, ctx) => {
    await limit(ctx.db, 'alert', { ip: ctx.ip, account: mailboxOf(body.email), factor: ctx.config.rateLimitFactor });
    await requestAlert(ctx.db, params.id, body.email);
    return { message: 'Almost done: click the link in the email we’ve just sent.' };
  }),
  route(api.confirmAlert, async ({ body }, { db }) => {
    await confirmAlert(db, body.token);
    return { message: 'Thank you. We will email you once, when it is back.' };
  }),
  route(api.stopAlert, async ({ body }, { db }) => {
    await stopAlert(db, body.token);
    return { message: 'We have deleted your address and will not email you about this piece.' };
  }),
];
