import type { z } from 'zod';
import { endpoint } from './endpoint.ts';
import type { Done } from './lists.ts';
import type * as schema from './users.schema.ts';

export type Session = z.infer<typeof schema.Session>;
export type User = z.infer<typeof schema.User>;
export type UserDetail = z.infer<typeof schema.UserDetail>;
export type UserList = z.infer<typeof schema.UserList>;
export type LoginBody = z.infer<typeof schema.LoginBody>;
export type RegisterBody = z.infer<typeof schema.RegisterBody>;
export type ProfileBody = z.infer<typeof schema.ProfileBody>;
export type ListUsersQuery = z.infer<typeof schema.ListUsersQuery>;
export type EditUserBody = z.infer<typeof schema.EditUserBody>;
type Id = { params: { id: string } };

export const login = endpoint<{ body: LoginBody }, Session>('POST', '/api/users/login');
export const register = endpoint<{ body: RegisterBody }, Session>('POST', '/api/users');
export const logout = endpoint<Record<never, never>, Done>('POST', '/api/users/logout');
export const updateProfile = endpoint<{ body: ProfileBody }, Session>('PUT', '/api/users/profile');
export const forgotPassword = endpoint<{ body: { email: string } }, Done>('POST', '/api/users/forgot-password');
export const verifyOtp = endpoint<{ body: { email: string; otp: string } }, Done>('POST', '/api/users/verify-otp');
export const resetPassword = endpoint<{ body: { email: string; otp: string; newPassword: string } }, Done>(
  'POST',
  '/api/users/reset-password',
);
export const listUsers = endpoint<{ query: Partial<Record<keyof ListUsersQuery, string | number>> }, UserList>('GET', '/api/users');
export const readUser = endpoint<Id, UserDetail>('GET', '/api/users/:id');
export const editUser = endpoint<Id & { body: EditUserBody }, User>('PUT', '/api/users/:id');
export const deleteUser = endpoint<Id, Done>('DELETE', '/api/users/:id');
