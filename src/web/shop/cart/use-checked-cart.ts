import { useContext, useEffect, useState } from 'react';
import { useStore } from 'react-redux';
import type { CheckedLine } from '#contract/orders/orders.ts';
import { type CartItem, itemsCorrected, selectCart } from '#web/state/cart.slice.ts';
import { type AppStore, MarketContext, useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';

/** What the server says of a line: what there is of it, and what has changed since it was put in. */
export interface LineState {
  isSold: boolean;
  /** Pieces that can be ordered now. */
  available: number;
  /** One of several sizes must be chosen on the product's page first. */
  needsSize: boolean;
  note: string;
}

/**
 * Asks the server once, when the cart opens and again when `again` changes, what became of its lines.
 * New prices and names are taken over, and each line that changed says how. Without an answer the cart stays as it is.
 */
export function useCheckedCart(again: unknown): Map<string, LineState> {
  const { isRestored } = useAppSelector(selectCart);
  const store = useStore() as AppStore;
  const dispatch = useAppDispatch();
  const market = useContext(MarketContext);
  const [states, setStates] = useState(new Map<string, LineState>());
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` is not read, it only triggers another check.
  useEffect(() => {
    const { items } = store.getState().cart;
    if (!isRestored || items.length === 0) return;
    let isCurrent = true;
    dispatch(request('POST /api/cart/check', { body: { orderItems: items } })).then(
      ({ lines }) => {
        if (!isCurrent) return;
        const before = new Map(items.map((item) => [item._id, item]));
        setStates(new Map(lines.map((line) => [line._id, stateOf(line, before.get(line._id), market.shopPrice)])));
        dispatch(itemsCorrected(lines.map(correctionOf)));
      },
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [isRestored, store, dispatch, market, again]);
  return states;
}

/** What a line takes over. One that cannot be bought stays as it was put in, but for the name of its colour, which older carts lack. */
function correctionOf({ _id, name, image, picture, price, size, colourName, isSold, needsSize }: CheckedLine) {
  const named = { _id, ...(colourName !== null && { colourName }) };
  return isSold && !needsSize
    ? { ...named, name, image, picture: picture === image ? undefined : picture, price, ...(size !== null && { size }) }
    : named;
}

function stateOf(line: CheckedLine, item: CartItem | undefined, format: (pence: number) => string): LineState {
  const { isSold, available, needsSize } = line;
  const state = (note: string) => ({ isSold, available, needsSize, note });
  if (!isSold) return state('We no longer sell this. Please remove it to continue.');
  if (needsSize) return state(`Please choose a size of ${line.name}.`);
  if (available === 0) return state('This has just sold out. Please remove it to continue.');
  if (item && item.qty > available) return state(`Only ${available} left. Please choose fewer.`);
  if (item && item.price !== line.price) return state(`The price has changed from ${format(item.price)} to ${format(line.price)}.`);
  return state('');
}
