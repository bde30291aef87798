import { proveOneself } from '#contract/accounts/second-factor.endpoints.ts';
import * as api from '#contract/accounts/users.endpoints.ts';
import { isLink } from '#contract/accounts/users.schema.ts';
import type { Ctx } from '#server/context/context.ts';
import { proven, visitor } from '#server/context/context.ts';
import { done, type Route, route } from '#server/platform/http/route.ts';
import { type Attempt, clearAccount, forgive, limit } from '#server/sessions/rate-limit.service.ts';
import { endSession } from '#server/sessions/session.service.ts';
import { changeProfile, isSensitive, registerUser } from './accounts.service.ts';
import { askToConfirm, confirmAddress } from './addresses.service.ts';
import { logInUser, proveSessionOf } from './login.service.ts';
import { eraseUser, exportUser } from './privacy.service.ts';
import { requestOtp, resetPassword, verifyOtp } from './reset.service.ts';
import { deleteUser, editUser, listUsers, readUser } from './users.service.ts';

const attemptOf = ({ ip, config }: Ctx, { email, device }: { email: string; device?: string | undefined }): Attempt => ({
  ip,
  account: email,
  device,
  factor: config.rateLimitFactor,
});

/** Time for a mail to arrive: a sooner request would only invalidate the code on its way. */
const MAIL_SECONDS = 60;

export const userRoutes: readonly Route[] = [
  route(api.login, async ({ body }, ctx) => {
    const attempt = attemptOf(ctx, body);
    const counted = [await limit(ctx.db, 'login', attempt)];
    // The limit of codes counts only after the right password.
    const session = await logInUser(ctx, body, async () => counted.push(await limit(ctx.db, 'code', attempt)));
    for (const each of counted) await forgive(ctx.db, each);
    return session;
  }),
  route(api.register, async ({ body }, ctx) => {
    await limit(ctx.db, 'register', attemptOf(ctx, body));
    return registerUser(ctx.db, body);
  }),
  route(proveOneself, async ({ body, who }, ctx) => {
    const attempt = attemptOf(ctx, { email: who.email, device: body.device });
    const counted = await limit(ctx.db, 'proof', attempt);
    await proveSessionOf(ctx, who, body);
    await forgive(ctx.db, counted);
    return { message: 'Thank you.' };
  }),
  route(api.logout, ({ who }, { db }) => done(endSession(db, who.token), 'You are logged out.')),
  route(
    api.updateProfile,
    async ({ body, who }, ctx) => {
      // Only requests with a password are guesses. Counted by id, since the address may be what changes.
      if ((body.currentPassword || body.password) && isSensitive(who, body))
        await limit(ctx.db, 'profile', attemptOf(ctx, { email: who._id }));
      return changeProfile(ctx, who, body);
    },
    { takesTurn: true },
  ),
  route(api.confirmAddress, async ({ body }, ctx) =>
    done(confirmAddress(ctx.db, body.token, await visitor(ctx)), 'Thank you. Emails about your orders come to this address from now on.'),
  ),
  route(api.askToConfirm, ({ who }, ctx) => askToConfirm(ctx, who), { takesTurn: true }),
  route(api.forgotPassword, async ({ body }, ctx) => {
    const { isTooSoon, wait } = await limit(ctx.db, 'forgot', attemptOf(ctx, body));
    if (!isTooSoon) await requestOtp(ctx.db, body.email, { ip: ctx.ip, device: body.device });
    return { message: 'If this address has an account, a code is on its way.', nextCodeIn: Math.max(wait, MAIL_SECONDS) };
  }),
  route(api.verifyOtp, async ({ body }, ctx) => {
    if (!isLink(body.otp)) await limit(ctx.db, 'otp', attemptOf(ctx, body));
    await verifyOtp(ctx.db, body.email, body.otp, { ip: ctx.ip, device: body.device });
    return { message: 'The code is correct.' };
  }),
  route(api.resetPassword, async ({ body }, ctx) => {
    const attempt = attemptOf(ctx, body);
    const counted = isLink(body.otp) ? undefined : await limit(ctx.db, 'otp', attempt);
    await resetPassword(ctx, body.email, body.otp, body.newPassword, { ip: ctx.ip, device: body.device });
    if (counted) await forgive(ctx.db, counted);
    // A user who has just set a new password can log in at once, despite earlier typing errors.
    await clearAccount(ctx.db, 'login', attempt);
    // The code is used up, so the next one must not wait for its end.
    await clearAccount(ctx.db, 'forgot', attempt);
    return { message: 'Your password is changed. Please log in.' };
  }),
  route(api.listUsers, ({ query, who }, { db }) => listUsers(db, who, query)),
  route(api.readUser, ({ params, who }, { db }) => readUser(db, who, params.id)),
  route(api.editUser, ({ params, body, who }, ctx) => editUser(ctx, who, params.id, body)),
  route(api.exportUser, async ({ params, who }, { db }) => exportUser(db, proven(who), params.id)),
  route(api.eraseUser, async ({ params, body, who }, { db }) => eraseUser(db, proven(who), params.id, body.isForced)),
  route(api.deleteUser, ({ params, who }, ctx) => done(deleteUser(ctx, who, params.id), 'User deleted')),
];
