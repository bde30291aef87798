import { useCallback, useEffect, useRef, useState } from 'react';
import type { Endpoint, Input } from '#contract/platform/endpoint.ts';
import { messageOf } from '#contract/platform/problem.ts';
import { useAppDispatch } from './store.ts';
import { request } from './thunk.ts';

/** What one screen shows of the server: loaded anew whenever the input changes; what was there stays until the new answer is. */
export function useLoaded<I extends Input, O>(endpoint: Endpoint<I, O>, input: I) {
  const dispatch = useAppDispatch();
  const [state, setState] = useState<{ value: O | undefined; error: string }>({ value: undefined, error: '' });
  const key = JSON.stringify(input);
  const latest = useRef(0);
  const reload = useCallback(async () => {
    latest.current += 1;
    const turn = latest.current;
    // Answers may arrive in another order than they were asked for: only the latest counts.
    const settle = (next: (before: { value: O | undefined }) => { value: O | undefined; error: string }) =>
      turn === latest.current && setState(next);
    try {
      const value = await dispatch(request(endpoint, JSON.parse(key) as I));
      settle(() => ({ value, error: '' }));
    } catch (error) {
      settle(({ value }) => ({ value, error: messageOf(error) }));
    }
  }, [dispatch, endpoint, key]);
  useEffect(() => void reload(), [reload]);
  const replace = useCallback((value: O) => setState({ value, error: '' }), []);
  return { ...state, reload, replace };
}
