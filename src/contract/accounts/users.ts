import type { z } from 'zod';
import type * as schema from './users.schema.ts';

export type Session = z.infer<typeof schema.Session>;
export type User = z.infer<typeof schema.User>;
export type EditedUser = z.infer<typeof schema.EditedUser>;
export type UserDetail = z.infer<typeof schema.UserDetail>;
export type UserList = z.infer<typeof schema.UserList>;
export type ListedUser = UserList['users'][number];
export type LoginBody = z.infer<typeof schema.LoginBody>;
export type RegisterBody = z.infer<typeof schema.RegisterBody>;
export type ProfileBody = z.infer<typeof schema.ProfileBody>;
export type ForgotPasswordBody = z.infer<typeof schema.ForgotPasswordBody>;
export type VerifyOtpBody = z.infer<typeof schema.VerifyOtpBody>;
export type ResetPasswordBody = z.infer<typeof schema.ResetPasswordBody>;
export type ListUsersQuery = z.infer<typeof schema.ListUsersQuery>;
export type EditUserBody = z.infer<typeof schema.EditUserBody>;
