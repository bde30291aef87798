import { Done } from '#contract/lists.schema.ts';
import * as schema from '#contract/users.schema.ts';
import * as contract from '#contract/users.ts';
import type { Ctx } from '#server/context.ts';
import { on, onAdmin, onCustomer, type Route } from '#server/route.ts';
import { changeProfile, isSameEmail, logInUser, logOutUser, registerUser } from './accounts.service.ts';
import { forgive, limit, type Try } from './rate-limit.service.ts';
import { requestOtp, resetPassword, verifyOtp } from './reset.service.ts';
import { deleteUser, editUser, listUsers, readUser } from './users.service.ts';

const session = schema.Session;
const byId = { params: schema.UserParams };

const tryOf = ({ ip, config }: Ctx, account: string): Try => ({ ip, account, factor: config.rateLimitFactor });

export const userRoutes: readonly Route[] = [
  on(contract.login, { body: schema.LoginBody, reply: session }, async ({ body }, ctx) => {
    const attempt = tryOf(ctx, body.email);
    await limit(ctx.db, 'login', attempt);
    const signedIn = await logInUser(ctx.db, body.email, body.password);
    await forgive(ctx.db, 'login', attempt);
    return signedIn;
  }),
  on(
    contract.register,
    { body: schema.RegisterBody, reply: session },
    async ({ body }, ctx) => {
      await limit(ctx.db, 'register', tryOf(ctx, body.email));
      return registerUser(ctx.db, body);
    },
    { status: 201 },
  ),
  onCustomer(contract.logout, { reply: Done }, async (_, who, { db }) => {
    await logOutUser(db, who);
    return { message: 'You are logged out.' };
  }),
  onCustomer(contract.updateProfile, { body: schema.ProfileBody, reply: session }, async ({ body }, who, ctx) => {
    if (body.password || (body.email && !isSameEmail(body.email, who.email))) await limit(ctx.db, 'profile', tryOf(ctx, who._id));
    return changeProfile(ctx.db, who, body);
  }),
  on(contract.forgotPassword, { body: schema.ForgotPasswordBody, reply: Done }, async ({ body }, ctx) => {
    await limit(ctx.db, 'forgot', tryOf(ctx, body.email));
    await requestOtp(ctx.db, body.email);
    return { message: 'If an account has this address, a code is on its way to it.' };
  }),
  on(contract.verifyOtp, { body: schema.VerifyOtpBody, reply: Done }, async ({ body }, ctx) => {
    await limit(ctx.db, 'otp', tryOf(ctx, body.email));
    await verifyOtp(ctx.db, body.email, body.otp);
    return { message: 'The code is right.' };
  }),
  on(contract.resetPassword, { body: schema.ResetPasswordBody, reply: Done }, async ({ body }, ctx) => {
    const attempt = tryOf(ctx, body.email);
    await limit(ctx.db, 'otp', attempt);
    await resetPassword(ctx.db, body.email, body.otp, body.newPassword);
    // Whoever just set a new password may log in with it at once, however often the old one was mistyped.
    await forgive(ctx.db, 'otp', attempt);
    await forgive(ctx.db, 'login', attempt);
    return { message: 'Your password is changed. Please log in.' };
  }),
  onAdmin(contract.listUsers, { query: schema.ListUsersQuery, reply: schema.UserList }, ({ query }, who, { db }) =>
    listUsers(db, who, query),
  ),
  onAdmin(contract.readUser, { ...byId, reply: schema.UserDetail }, ({ params }, who, { db }) => readUser(db, who, params.id)),
  onAdmin(contract.editUser, { ...byId, body: schema.EditUserBody, reply: schema.User }, ({ params, body }, who, { db }) =>
    editUser(db, who, params.id, body),
  ),
  onAdmin(contract.deleteUser, { ...byId, reply: Done }, async ({ params }, who, { db }) => {
    await deleteUser(db, who, params.id);
    return { message: 'User deleted' };
  }),
];
