import { useEffect, useRef, useState } from 'react';
import type { PhoneQuote } from '#contract/phone/phone.ts';
import { messageOf } from '#contract/platform/problem.ts';
import { useRested } from '#web/admin/use-rested.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { type NewOrder, quoteOf } from './new-order.ts';

/** The order's quote, which the server computes whenever typing pauses. The old quote stays until the new one is there. */
export function useQuote(fields: NewOrder) {
  const dispatch = useAppDispatch();
  const now = fields.lines.length === 0 ? '' : JSON.stringify(quoteOf(fields));
  const asked = useRested(now);
  const [version, setVersion] = useState(0);
  const latest = useRef(0);
  const [state, setState] = useState<{ of: string; quote?: PhoneQuote; error: string }>({ of: '', error: '' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a refused order asks for the quote again.
  useEffect(() => {
    latest.current += 1;
    const turn = latest.current;
    if (!asked) return setState({ of: '', error: '' });
    // Answers may arrive out of order: only the latest one counts.
    const settle = (next: (before: typeof state) => typeof state) => turn === latest.current && setState(next);
    void dispatch(request('POST /api/office/orders/quote', { body: JSON.parse(asked) })).then(
      (quote) => settle(() => ({ of: asked, quote, error: '' })),
      (error) => settle(({ quote }) => ({ of: asked, ...(quote && { quote }), error: messageOf(error) })),
    );
  }, [asked, version, dispatch]);
  return {
    quote: state.quote,
    error: state.error,
    isFresh: now !== '' && state.of === now && state.error === '',
    ask: () => setVersion((before) => before + 1),
  };
}
