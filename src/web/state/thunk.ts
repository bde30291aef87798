import { createAsyncThunk } from '@reduxjs/toolkit';
import type { Session } from '#contract/accounts/users.ts';
import type { Call, Input, Name, Reply } from '#contract/api.ts';
import { isProblem, messageOf } from '#contract/platform/problem.ts';

export interface Failure {
  message: string;
  status: number;
  errors?: Record<string, string> | undefined;
}

/** An error for a slice. Whatever is not a Problem counts as 500; a shop that cannot be reached is a Problem 503. */
export function failureOf(error: unknown): Failure {
  return { message: messageOf(error), status: isProblem(error) ? error.status : 500, errors: isProblem(error) ? error.errors : undefined };
}

export interface WhoAsks {
  user: { userInfo: Session | null };
}

interface ThunkConfig {
  state: WhoAsks;
  extra: { call: Call };
  serializedErrorType: Failure;
}

const create = createAsyncThunk.withTypes<ThunkConfig>();

/** A request whose answer a slice keeps. It never throws: a failure is `action.error`. */
export function thunk<Result, Argument = void>(name: string, run: (call: Call, argument: Argument, state: WhoAsks) => Promise<Result>) {
  return create<Result, Argument>(name, (argument, { extra, getState }) => run(extra.call, argument, getState()), {
    serializeError: failureOf,
  });
}

/** A request whose answer one screen keeps: `await dispatch(request('GET /api/users/:id', { params: { id } }))`. Throws a Problem. */
export function request<N extends Name>(name: N, input: Input<N>) {
  return (_dispatch: unknown, _getState: unknown, { call }: { call: Call }): Promise<Reply<N>> => call(name, input);
}
