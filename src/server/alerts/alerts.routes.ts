import * as api from '#contract/alerts/alerts.endpoints.ts';
import { done, type Route, route } from '#server/platform/http/route.ts';
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
  route(api.confirmAlert, ({ body }, { db }) => done(confirmAlert(db, body.token), 'Thank you. We will email you once, when it is back.')),
  route(api.stopAlert, ({ body }, { db }) =>
    done(stopAlert(db, body.token), 'We have deleted your address and will not email you about this piece.'),
  ),
];
