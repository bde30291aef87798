import { ProofBody } from '#contract/accounts/second-factor.schema.ts';
import { proveOneself } from '#contract/accounts/second-factor.ts';
import * as office from '#contract/accounts/user-administration.ts';
import * as schema from '#contract/accounts/users.schema.ts';
import * as contract from '#contract/accounts/users.ts';
import { Done } from '#contract/platform/lists.schema.ts';
import type { Ctx } from '#server/context/context.ts';
import { on, onAdmin, onAnyAdmin, onAnyCustomer, onCustomer, type Route } from '#server/platform/http/route.ts';
import { type Attempt, forgive, limit } from '#server/sessions/rate-limit.service.ts';
import { changeProfile, isSensitive, logOutUser, registerUser } from './accounts.service.ts';
import { confirmAddress } from './addresses.service.ts';
import { logInUser } from './login.service.ts';
import { proveSessionOf } from './proof.service.ts';
import { requestOtp, resetPassword, verifyOtp } from './reset.service.ts';
import { deleteUser, editUser, listUsers, readUser } from './users.service.ts';

const session = schema.Session;
const byId = { params: schema.UserParams };

/** An attempt at the account of an address; `device` is the browser's token, where it sent one. */
const attemptOf = ({ ip, config }: Ctx, { email, device }: { email: string; device?: string | undefined }): Attempt => ({
  ip,
  account: email,
  device,
  factor: config.rateLimitFactor,
});

/** So long a mail may well take: a code that is asked for sooner would only end the one that is on its way. */
const MAIL_SECONDS = 60;

export const userRoutes: readonly Route[] = [
  on(contract.login, { body: schema.LoginBody, reply: session }, async ({ body }, ctx) => {
    const attempt = attemptOf(ctx, body);
    await limit(ctx.db, 'login', attempt);
    const session = await logInUser(ctx, body, () => limit(ctx.db, 'code', attempt));
    await forgive(ctx.db, 'login', attempt);
    if (body.code) await forgive(ctx.db, 'code', attempt);
    return session;
  }),
  on(
    contract.register,
    { body: schema.RegisterBody, reply: session },
    async ({ body }, ctx) => {
      await limit(ctx.db, 'register', attemptOf(ctx, body));
      return registerUser(ctx.db, body);
    },
    { status: 201 },
  ),
  onAnyAdmin(proveOneself, { body: ProofBody, reply: Done }, async ({ body }, who, ctx) => {
    const attempt = attemptOf(ctx, { email: who.email, device: body.device });
    await limit(ctx.db, 'proof', attempt);
    await proveSessionOf(ctx, who, body);
    await forgive(ctx.db, 'proof', attempt);
    return { message: 'Thank you.' };
  }),
  onAnyCustomer(contract.logout, { reply: Done }, async (_, who, { db }) => {
    await logOutUser(db, who);
    return { message: 'You are logged out.' };
  }),
  onCustomer(contract.updateProfile, { body: schema.ProfileBody, reply: session }, async ({ body }, who, ctx) => {
    // Without a password nothing is tried.
    if ((body.currentPassword || body.password) && isSensitive(who, body))
      await limit(ctx.db, 'profile', attemptOf(ctx, { email: who._id }));
    return changeProfile(ctx, who, body);
  }),
  on(contract.confirmAddress, { body: schema.ConfirmAddressBody, reply: Done }, async ({ body }, { db }) => {
    await confirmAddress(db, body.token);
    return { message: 'Thank you. Emails about your orders come to this address from now on.' };
  }),
  on(contract.forgotPassword, { body: schema.ForgotPasswordBody, reply: schema.CodeRequested }, async ({ body }, ctx) => {
    const wait = await limit(ctx.db, 'forgot', attemptOf(ctx, body));
    await requestOtp(ctx.db, body.email, { ip: ctx.ip, device: body.device });
    return { message: 'If this address has an account, a code is on its way.', nextCodeIn: Math.max(wait, MAIL_SECONDS) };
  }),
  on(contract.verifyOtp, { body: schema.VerifyOtpBody, reply: Done }, async ({ body }, ctx) => {
    await limit(ctx.db, 'otp', attemptOf(ctx, body));
    await verifyOtp(ctx.db, body.email, body.otp, { ip: ctx.ip, device: body.device });
    return { message: 'The code is correct.' };
  }),
  on(contract.resetPassword, { body: schema.ResetPasswordBody, reply: Done }, async ({ body }, ctx) => {
    const attempt = attemptOf(ctx, body);
    await limit(ctx.db, 'otp', attempt);
    await resetPassword(ctx.db, body.email, body.otp, body.newPassword, { ip: ctx.ip, device: body.device });
    // Whoever just set a new password may log in with it at once, however often the old one was mistyped.
    await forgive(ctx.db, 'otp', attempt);
    await forgive(ctx.db, 'login', attempt);
    return { message: 'Your password is changed. Please log in.' };
  }),
  onAdmin(office.listUsers, { query: schema.ListUsersQuery, reply: schema.UserList }, ({ query }, who, { db }) =>
    listUsers(db, who, query),
  ),
  onAdmin(office.readUser, { ...byId, reply: schema.UserDetail }, ({ params }, who, { db }) => readUser(db, who, params.id)),
  onAdmin(office.editUser, { ...byId, body: schema.EditUserBody, reply: schema.EditedUser }, ({ params, body }, who, ctx) =>
    editUser(ctx, who, params.id, body),
  ),
  onAdmin(office.deleteUser, { ...byId, reply: Done }, async ({ params }, who, ctx) => {
    await deleteUser(ctx, who, params.id);
    return { message: 'User deleted' };
  }),
];
