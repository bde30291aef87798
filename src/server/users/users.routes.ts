import { Done } from '#contract/lists.schema.ts';
import * as schema from '#contract/users.schema.ts';
import * as contract from '#contract/users.ts';
import { on, onAdmin, onCustomer, type Route } from '#server/route.ts';
import { changeProfile, logInUser, logOutUser, registerUser } from './accounts.service.ts';
import { forgive, limit } from './rate-limit.service.ts';
import { resetPassword, sendOtp, verifyOtp } from './reset.service.ts';
import { deleteUser, editUser, listUsers, readUser } from './users.service.ts';

const session = schema.Session;
const byId = { params: schema.UserParams };

export const userRoutes: readonly Route[] = [
  on(contract.login, { body: schema.LoginBody, reply: session }, async ({ body }, { db, ip }) => {
    await limit(db, 'login', ip, body.email);
    const signedIn = await logInUser(db, body.email, body.password);
    await forgive(db, 'login', body.email);
    return signedIn;
  }),
  on(
    contract.register,
    { body: schema.RegisterBody, reply: session },
    async ({ body }, { db, ip }) => {
      await limit(db, 'register', ip, body.email);
      return registerUser(db, body);
    },
    { status: 201 },
  ),
  onCustomer(contract.logout, { reply: Done }, async (_, who, { db }) => {
    await logOutUser(db, who);
    return { message: 'You are logged out.' };
  }),
  onCustomer(contract.updateProfile, { body: schema.ProfileBody, reply: session }, ({ body }, who, { db }) => changeProfile(db, who, body)),
  on(contract.forgotPassword, { body: schema.ForgotPasswordBody, reply: Done }, async ({ body }, { db, ip }) => {
    await limit(db, 'forgot', ip, body.email);
    await sendOtp(db, body.email);
    return { message: 'If an account has this address, a code is on its way to it.' };
  }),
  on(contract.verifyOtp, { body: schema.VerifyOtpBody, reply: Done }, async ({ body }, { db, ip }) => {
    await limit(db, 'otp', ip, body.email);
    await verifyOtp(db, body.email, body.otp);
    return { message: 'The code is right.' };
  }),
  on(contract.resetPassword, { body: schema.ResetPasswordBody, reply: Done }, async ({ body }, { db, ip }) => {
    await limit(db, 'otp', ip, body.email);
    await resetPassword(db, body.email, body.otp, body.newPassword);
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
