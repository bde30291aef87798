import { endpoint } from '#contract/platform/endpoint.ts';
import { ById, Done } from '#contract/platform/lists.schema.ts';
import * as schema from './users.schema.ts';

export const login = endpoint('POST /api/users/login', {
  role: 'visitor',
  summary: 'Log in',
  errors: [401, 429],
  body: schema.LoginBody,
  reply: schema.Session,
});

export const register = endpoint('POST /api/users', {
  role: 'visitor',
  summary: 'Create an account and log in',
  errors: [409, 429],
  body: schema.RegisterBody,
  reply: schema.Session,
  status: 201,
});

export const logout = endpoint('POST /api/users/logout', {
  role: 'customer',
  allowsMissingSecondFactor: true,
  summary: 'End this session',
  reply: Done,
});

export const updateProfile = endpoint('PUT /api/users/profile', {
  role: 'customer',
  summary: 'Change your own name, email address or password',
  errors: [409, 429],
  body: schema.ProfileBody,
  reply: schema.Session,
});

export const confirmAddress = endpoint('POST /api/users/confirm-email', {
  role: 'visitor',
  summary:
    'Confirm the email address of your account, with the token of the link that was emailed to it; staff are asked for their password again',
  errors: [403, 404],
  body: schema.ConfirmAddressBody,
  reply: Done,
});

export const askToConfirm = endpoint('POST /api/users/confirm-email/send', {
  role: 'customer',
  summary: 'Email a link that confirms your email address, unless it is confirmed',
  errors: [409],
  reply: Done,
});

export const forgotPassword = endpoint('POST /api/users/forgot-password', {
  role: 'visitor',
  summary: 'Email a code for a new password',
  errors: [429],
  body: schema.ForgotPasswordBody,
  reply: schema.CodeRequested,
});

export const verifyOtp = endpoint('POST /api/users/verify-otp', {
  role: 'visitor',
  summary: 'Check a code without using it up',
  errors: [429],
  body: schema.VerifyOtpBody,
  reply: Done,
});

export const resetPassword = endpoint('POST /api/users/reset-password', {
  role: 'visitor',
  summary: 'Set a new password with a code',
  errors: [429],
  body: schema.ResetPasswordBody,
  reply: Done,
});

export const listUsers = endpoint('GET /api/users', {
  right: 'see customers',
  summary: 'List users',
  query: schema.ListUsersQuery,
  reply: schema.UserList,
});

export const readUser = endpoint('GET /api/users/:id', {
  right: 'see customers',
  summary: 'Read a user',
  errors: [404],
  params: ById,
  reply: schema.UserDetail,
});

export const editUser = endpoint('PUT /api/users/:id', {
  right: 'change customers',
  summary: 'Change a user’s name, email address or role',
  errors: [404, 409],
  params: ById,
  body: schema.EditUserBody,
  reply: schema.EditedUser,
});

export const exportUser = endpoint('POST /api/office/users/:id/export', {
  right: 'change customers',
  summary: 'Export everything held on a customer, for the customer; asks for the password again',
  errors: [404],
  params: ById,
  reply: schema.HeldData,
});

export const eraseUser = endpoint('POST /api/office/users/:id/erase', {
  right: 'change customers',
  summary: 'Erase a customer: the account is deleted, their orders stay without personal data; asks for the password again',
  errors: [404, 409],
  params: ById,
  body: schema.EraseBody,
  reply: Done,
});

export const deleteUser = endpoint('DELETE /api/users/:id', {
  right: 'change customers',
  summary: 'Delete a user; their orders stay',
  errors: [404, 409],
  params: ById,
  reply: Done,
});
