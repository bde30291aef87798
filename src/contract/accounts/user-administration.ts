import { endpoint } from '#contract/platform/endpoint.ts';
import type { Done } from '#contract/platform/lists.schema.ts';
import type { EditedUser, EditUserBody, ListUsersQuery, UserDetail, UserList } from './users.ts';

/** Only the back office makes these calls, so that no shopper's page loads them. */
type Id = { params: { id: string } };

export const listUsers = endpoint<{ query: Partial<Record<keyof ListUsersQuery, string | number>> }, UserList>('GET', '/api/users');
export const readUser = endpoint<Id, UserDetail>('GET', '/api/users/:id');
export const editUser = endpoint<Id & { body: EditUserBody }, EditedUser>('PUT', '/api/users/:id');
export const deleteUser = endpoint<Id, Done>('DELETE', '/api/users/:id');
