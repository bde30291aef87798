import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';

/**
 * Coming back from the provider's page by its cancel address: the mark in it gives back what the checkout held, and leaves the address.
 * Returns what the shop says of it, empty until then. What cannot be given back now ends by the clock.
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
