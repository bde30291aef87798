import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'react-redux';
import { useNavigate } from 'react-router';
import { readDraft } from '#web/browser/drafts.ts';
import type { Unanswered } from '#web/shop/confirmation/order-found.ts';
import { type AppStore, useAppSelector } from '#web/state/store.ts';
import { selectUserInfo } from '#web/state/user.slice.ts';

const PATIENCE_MS = 5_000;

/** This tab's order or payment without an answer. */
function readUnanswered(owner: string | undefined): Unanswered {
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
  const store = useStore() as AppStore;
  const navigate = useNavigate();
  const user = useAppSelector(selectUserInfo);
  const owner = user?._id;
  // An object, so that setting it reads the drafts again even if `isDone` stays false.
  const [asked, setAsked] = useState({ isDone: false });
  const { key, payment } = useMemo(() => readUnanswered(asked.isDone ? undefined : owner), [owner, asked]);
  const isAsking = Boolean(key || payment);
  useEffect(() => {
    if (!isAsking || !owner) return;
    let isCurrent = true;
    const stop = () => isCurrent && setAsked({ isDone: true });
    const find = async () => {
      const { findUnanswered, showFound } = await import('#web/shop/confirmation/order-found.ts');
      const order = await findUnanswered(store.dispatch, { key, payment });
      if (order && isCurrent) await showFound(store, navigate, owner, order);
      else stop();
    };
    find().catch(stop);
    const timer = setTimeout(stop, PATIENCE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [isAsking, store, navigate, owner, key, payment]);
  // The browser may restore the page from its back/forward cache: ask again.
  useEffect(() => {
    const askAgain = ({ persisted }: PageTransitionEvent) => persisted && setAsked({ isDone: false });
    window.addEventListener('pageshow', askAgain);
    return () => window.removeEventListener('pageshow', askAgain);
  }, []);
  return isAsking;
}
