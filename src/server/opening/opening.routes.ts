import * as opening from '#contract/opening/opening.endpoints.ts';
import { readDemo, removeDemo } from '#server/demo/remove-demo.service.ts';
import { done, type Route, route } from '#server/platform/http/route.ts';
import { readOpening } from './opening.service.ts';
import { mailArrived, sendTestMail } from './test-mail.service.ts';

/** “Before you open” on `/admin/settings`. */
export const openingRoutes: readonly Route[] = [
  route(opening.readOpening, async ({ who }, ctx) => ({ steps: await readOpening(ctx, who) })),
  route(opening.sendTestMail, ({ body, who }, ctx) => sendTestMail(ctx, who, body.email), { limit: 'testMail' }),
  route(opening.mailArrived, ({ body }, { db }) =>
    done(mailArrived(db, body.token), 'Thank you. The settings show that your emails arrive.'),
  ),
  route(opening.readDemo, ({ who }, { db }) => readDemo(db, who)),
  route(opening.removeDemo, ({ who }, ctx) => removeDemo(ctx, who)),
];
