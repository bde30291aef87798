import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';

/**
 * Handles the provider's cancel URL: its mark releases the held stock, and is removed from the URL. Returns the shop's message, first empty.
 * What cannot be released now expires.
 */
export function useReturn(): string {
  const dispatch = useAppDispatch();
  const [search, setSearch] = useSearchParams();
  const [message, setMessage] = useState('');
  const mark = search.get('left');
  useEffect(() => {
    if (mark === null) return;
    setSearch({}, { replace: true, preventScrollReset: true });
    dispatch(request('POST /api/cart/return', { body: { mark } })).then(
      (reply) => setMessage(reply.message),
      () => undefined,
    );
  }, [dispatch, mark, setSearch]);
  return message;
}
