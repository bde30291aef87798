import { useEffect, useState } from 'react';
import type { Payment } from '#contract/orders/orders.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';

const SECOND_MS = 1_000;
/** From then on the page says that it takes long, and polls less often. */
const LONG_MS = 10 * SECOND_MS;
/** Polling ends here. */
const LONGEST_MS = 180 * SECOND_MS;

interface Waiting {
  payment?: Payment;
  isLong: boolean;
  hasStopped: boolean;
}

/** Polls a payment until its outcome is known; `askAgain` restarts it. Failed requests are repeated. */
export function usePayment(id: string): Waiting & { askAgain: () => void } {
  const dispatch = useAppDispatch();
  const [waiting, setWaiting] = useState<Waiting>({ isLong: false, hasStopped: false });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` is not read, it only starts anew.
  useEffect(() => {
    const start = Date.now();
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    const ask = async () => {
      const payment = await dispatch(request('GET /api/orders/:id/payment', { params: { id } })).catch(() => undefined);
      if (isOver) return;
      const isKnown = payment !== undefined && payment.state !== 'waiting';
      const isLong = Date.now() - start > LONG_MS;
      const hasStopped = !isKnown && Date.now() - start > LONGEST_MS;
      setWaiting({ isLong, hasStopped, ...(isKnown && { payment }) });
      if (!isKnown && !hasStopped) timer = setTimeout(ask, isLong ? 5 * SECOND_MS : SECOND_MS);
    };
    void ask();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [dispatch, id, round]);
  return { ...waiting, askAgain: () => setRound(round + 1) };
}
