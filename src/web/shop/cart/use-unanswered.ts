import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Order } from '#contract/orders/orders.ts';
import { deleteDraft, readDraft } from '#web/browser/drafts.ts';
import { useOrderFound } from '#web/shop/confirmation/use-order-found.ts';
import { type AppStore, useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { selectUserInfo } from '#web/state/user.slice.ts';

const PATIENCE_MS = 5_000;

type Dispatch = AppStore['dispatch'];

/** The order sent with this key, if it was placed and not cancelled. Throws a Problem if the shop cannot answer. */
export async function findAttempt(dispatch: Dispatch, key: string): Promise<Order | undefined> {
  const { order } = await dispatch(request('GET /api/order-attempts/:id', { params: { id: key } }));
  if (order?.status !== 'cancelled') return order ?? undefined;
  // A new try with its key would only return the cancelled order.
  deleteDraft('checkoutAttempt');
  return undefined;
}

/** The paid order of a card checkout that nobody returned from. */
async function findPaid(dispatch: Dispatch, id: string): Promise<Order | undefined> {
  const { state, order } = await dispatch(request('GET /api/orders/:id/payment', { params: { id } }));
  if (state === 'settled' && order && order.status !== 'cancelled') return order;
  if (state !== 'waiting') deleteDraft('payingOrder');
  return undefined;
}

/** This tab's order or payment without an answer. */
function readUnanswered(owner: string | undefined): { key?: string | undefined; payment?: string | undefined } {
  if (owner === undefined) return {};
  const { key } = readDraft('checkoutAttempt', owner);
  const { id, isBack } = readDraft('payingOrder', owner);
  return { key, payment: isBack ? undefined : id };
}

/**
 * Before showing the cart or the checkout, looks for an order of this tab whose answer was lost, so that its buyer does not read "sold out".
 * Such an order is shown as placed. Returns whether it is still asking; without an answer the cart is shown.
 */
export function useUnanswered(): boolean {
  const dispatch = useAppDispatch();
  const user = useAppSelector(selectUserInfo);
  const owner = user?._id;
  const showOrder = useOrderFound(owner);
  // An object, so that setting it reads the drafts again even if `isDone` stays false.
  const [asked, setAsked] = useState({ isDone: false });
  const { key, payment } = useMemo(() => readUnanswered(asked.isDone ? undefined : owner), [owner, asked]);
  const find = useCallback(
    async () => (key && (await findAttempt(dispatch, key))) || (payment && (await findPaid(dispatch, payment))) || undefined,
    [dispatch, key, payment],
  );
  const isAsking = Boolean(key || payment);
  useEffect(() => {
    if (!isAsking) return;
    let isCurrent = true;
    const stop = () => isCurrent && setAsked({ isDone: true });
    find().then((order) => (order && isCurrent ? showOrder(order) : stop()), stop);
    const timer = setTimeout(stop, PATIENCE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [isAsking, find, showOrder]);
  // The browser may restore the page from its back/forward cache: ask again.
  useEffect(() => {
    const askAgain = ({ persisted }: PageTransitionEvent) => persisted && setAsked({ isDone: false });
    window.addEventListener('pageshow', askAgain);
    return () => window.removeEventListener('pageshow', askAgain);
  }, []);
  return isAsking;
}
