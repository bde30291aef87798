import { useCallback, useEffect, useRef, useState } from 'react';
import type { Input, Name, Reply } from '#contract/api.ts';
import { messageOf } from '#contract/platform/problem.ts';
import { useAppDispatch } from './store.ts';
import { request } from './thunk.ts';

/** Data of one screen, reloaded when the input or version changes. The old value stays until the new one is loaded. */
export function useLoaded<N extends Name>(name: N, input: Input<N>, version = 0) {
  const dispatch = useAppDispatch();
  const [state, setState] = useState<{ value: Reply<N> | undefined; error: string }>({ value: undefined, error: '' });
  const key = JSON.stringify(input);
  const latest = useRef(0);
  const reload = useCallback(async () => {
    latest.current += 1;
    const turn = latest.current;
    // Answers may arrive out of order: only the latest request counts.
    const settle = (next: (before: { value: Reply<N> | undefined }) => { value: Reply<N> | undefined; error: string }) =>
      turn === latest.current && setState(next);
    try {
      const value = await dispatch(request(name, JSON.parse(key) as Input<N>));
      settle(() => ({ value, error: '' }));
    } catch (error) {
      settle(({ value }) => ({ value, error: messageOf(error) }));
    }
  }, [dispatch, name, key]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version of the data asks for it again.
  useEffect(() => void reload(), [reload, version]);
  const replace = useCallback((value: Reply<N>) => setState({ value, error: '' }), []);
  return { ...state, reload, replace };
}
