import { useCallback, useEffect, useRef, useState } from 'react';
import type { Endpoint, Input } from '#contract/base/endpoint.ts';
import { isProblem, messageOf } from '#contract/base/problem.ts';
import { readUserInfo } from '#web/browser/browser-storage.ts';
import { httpCall } from '#web/browser/http-call.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { loggedOut } from '#web/state/user.slice.ts';

/** Makes calls for the back office; a 401 logs out, as everywhere (specification §8). */
export function useCall() {
  const dispatch = useAppDispatch();
  return useCallback(
    async <I extends Input, O>(endpoint: Endpoint<I, O>, input: I): Promise<O> => {
      const token = readUserInfo()?.token;
      try {
        return await httpCall(endpoint, input);
      } catch (error) {
        // Unless somebody has logged in again meanwhile: then another session has ended than the one that is here.
        if (isProblem(error) && error.status === 401 && readUserInfo()?.token === token) dispatch(loggedOut());
        throw error;
      }
    },
    [dispatch],
  );
}

/** What a page of the back office shows: loaded anew whenever the input changes; what was there stays until the new is. */
export function useLoaded<I extends Input, O>(endpoint: Endpoint<I, O>, input: I) {
  const call = useCall();
  const [state, setState] = useState<{ value: O | undefined; error: string }>({ value: undefined, error: '' });
  const key = JSON.stringify(input);
  const latest = useRef(0);
  const reload = useCallback(async () => {
    latest.current += 1;
    const turn = latest.current;
    // An answer that was overtaken by a newer question is no longer wanted.
    const settle = (next: (before: { value: O | undefined }) => { value: O | undefined; error: string }) =>
      turn === latest.current && setState(next);
    try {
      const value = await call(endpoint, JSON.parse(key) as I);
      settle(() => ({ value, error: '' }));
    } catch (error) {
      settle(({ value }) => ({ value, error: messageOf(error) }));
    }
  }, [call, endpoint, key]);
  useEffect(() => void reload(), [reload]);
  const replace = useCallback((value: O) => setState({ value, error: '' }), []);
  return { ...state, reload, replace };
}
