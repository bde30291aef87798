import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';

/**
 * Handles the return from the provider's page without a payment: releases the held stock by the mark in the URL, and removes the mark. Returns the shop's
 * message, at first empty. If the call fails, the hold expires later.
 */
export function usePaymentReturn(): string {
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
