import type { z } from 'zod';
import { endpoint } from '#contract/platform/endpoint.ts';
import type { Done } from '#contract/platform/lists.schema.ts';
import type * as schema from './users.schema.ts';

export type Session = z.infer<typeof schema.Session>;
export type User = z.infer<typeof schema.User>;
export type EditedUser = z.infer<typeof schema.EditedUser>;
export type UserDetail = z.infer<typeof schema.UserDetail>;
export type UserList = z.infer<typeof schema.UserList>;
export type LoginBody = z.infer<typeof schema.LoginBody>;
export type RegisterBody = z.infer<typeof schema.RegisterBody>;
export type ProfileBody = z.infer<typeof schema.ProfileBody>;
export type ForgotPasswordBody = z.infer<typeof schema.ForgotPasswordBody>;
type CodeRequested = z.infer<typeof schema.CodeRequested>;
export type VerifyOtpBody = z.infer<typeof schema.VerifyOtpBody>;
export type ResetPasswordBody = z.infer<typeof schema.ResetPasswordBody>;
export type ListUsersQuery = z.infer<typeof schema.ListUsersQuery>;
export type EditUserBody = z.infer<typeof schema.EditUserBody>;

export const login = endpoint<{ body: LoginBody }, Session>('POST', '/api/users/login');
export const register = endpoint<{ body: RegisterBody }, Session>('POST', '/api/users');
export const logout = endpoint<Record<never, never>, Done>('POST', '/api/users/logout');
export const updateProfile = endpoint<{ body: ProfileBody }, Session>('PUT', '/api/users/profile');
export const confirmAddress = endpoint<{ body: { token: string } }, Done>('POST', '/api/users/confirm-email');
export const forgotPassword = endpoint<{ body: ForgotPasswordBody }, CodeRequested>('POST', '/api/users/forgot-password');
export const verifyOtp = endpoint<{ body: VerifyOtpBody }, Done>('POST', '/api/users/verify-otp');
export const resetPassword = endpoint<{ body: ResetPasswordBody }, Done>('POST', '/api/users/reset-password');
