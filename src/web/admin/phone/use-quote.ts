import { useEffect, useRef, useState } from 'react';
import type { PhoneQuote } from '#contract/phone/phone.ts';
import { messageOf } from '#contract/platform/problem.ts';
import { useRested } from '#web/admin/use-rested.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { type NewOrder, quoteBodyOf } from './new-order.ts';

/** The order's quote, which the server computes whenever typing pauses. The old quote stays until the new one is there. */
export function useQuote(fields: NewOrder) {
  const dispatch = useAppDispatch();
  const currentBody = fields.lines.length === 0 ? '' : JSON.stringify(quoteBodyOf(fields));
  const askedBody = useRested(currentBody);
  const [version, setVersion] = useState(0);
  const latest = useRef(0);
  /** The latest answer, and the body that it is for. */
  const [state, setState] = useState<{ body: string; quote?: PhoneQuote; error: string }>({ body: '', error: '' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a refused order asks for the quote again.
  useEffect(() => {
    latest.current += 1;
    const turn = latest.current;
    if (!askedBody) return setState({ body: '', error: '' });
    // Answers may arrive out of order: only the latest one counts.
    const settle = (next: (before: typeof state) => typeof state) => turn === latest.current && setState(next);
    void dispatch(request('POST /api/office/orders/quote', { body: JSON.parse(askedBody) })).then(
      (quote) => settle(() => ({ body: askedBody, quote, error: '' })),
      (error) => settle(({ quote }) => ({ body: askedBody, ...(quote && { quote }), error: messageOf(error) })),
    );
  }, [askedBody, version, dispatch]);
  return {
    quote: state.quote,
    error: state.error,
    isFresh: currentBody !== '' && state.body === currentBody && state.error === '',
    ask: () => setVersion((before) => before + 1),
  };
}
