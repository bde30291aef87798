import { useStore } from 'react-redux';
import { useNavigate } from 'react-router';
import type { Session } from '#contract/accounts/users.ts';
import type { CreateOrderInput } from '#contract/orders/orders.ts';
import { readDraft, writeDraft } from '#web/browser/drafts.ts';
import { sayTriedAgain } from '#web/shop/cart/say-tried-again.ts';
import { useAttemptKey } from '#web/shop/cart/use-attempt-key.ts';
import { ORDER_PLACED } from '#web/shop/confirmation/just-placed.ts';
import { findAttempt, keepPlaced, showFound } from '#web/shop/confirmation/order-found.ts';
import { checkoutFinished, checkoutSucceeded } from '#web/state/cart.slice.ts';
import { placeOrder } from '#web/state/order.slice.ts';
import { type AppStore, useAppDispatch } from '#web/state/store.ts';
import { type Failure, failureOf } from '#web/state/thunk.ts';
import { toast } from '#web/ui/toast.ts';
import { attemptOf } from './checkout-form.ts';

/** Sends the order. If an earlier attempt got no answer, finds its order instead of buying twice. */
function useSend(user: Session) {
  const dispatch = useAppDispatch();
  const readAttempt = () => readDraft('checkoutAttempt', user._id);
  const keyOf = useAttemptKey({
    read: readAttempt,
    write: (attempt) => writeDraft('checkoutAttempt', user._id, { ...attempt }),
  });
  /** The order of an earlier attempt with other contents. */
  const findChanged = async (attempt: object) => {
    const { key, payload } = readAttempt();
    return key && payload !== JSON.stringify(attempt) ? findAttempt(dispatch, key) : undefined;
  };
  return async (body: CreateOrderInput) => {
    const attempt = attemptOf(body);
    try {
      const found = await findChanged(attempt);
      if (found) return { found };
    } catch (error) {
      return { error: failureOf(error) };
    }
    const idempotencyKey = keyOf(attempt);
    const result = await dispatch(placeOrder({ body, idempotencyKey, onWait: sayTriedAgain }));
    if (!('error' in result)) return { placed: result.payload };
    // The answer may have been lost after the order was placed.
    const found = result.error.status < 500 ? undefined : await findAttempt(dispatch, idempotencyKey).catch(() => undefined);
    return found ? { found } : { error: result.error };
  };
}

/** Places the order with the toasts of specification §8. Returns a failure for the form. */
export function usePlaceOrder(user: Session, onRefused: () => void) {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const send = useSend(user);
  const store = useStore() as AppStore;
  const refuse = async ({ status, message, errors }: Failure) => {
    // The login page says why.
    if (status === 401) await navigate('/login?redirect=cart');
    else toast.error(message);
    onRefused();
    return { message, errors };
  };
  return async (body: CreateOrderInput) => {
    toast.info('In Process!');
    const { placed, found, error } = await send(body);
    if (error) return refuse(error);
    if (found) return showFound(store, navigate, user._id, found);
    toast.success('Order placed successfully!');
    dispatch(checkoutSucceeded());
    keepPlaced(user._id, placed);
    // Replaces the checkout in the history: Back leads to the cart.
    await navigate('/', { state: ORDER_PLACED, replace: true });
    dispatch(checkoutFinished());
    return undefined;
  };
}
