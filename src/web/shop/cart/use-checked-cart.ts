import { useContext, useEffect, useState } from 'react';
import { useStore } from 'react-redux';
import type { CheckedLine } from '#contract/orders/orders.ts';
import { partsText } from '#contract/orders/parts-text.ts';
import { type CartItem, itemsCorrected, selectCart } from '#web/state/cart.slice.ts';
import { type AppStore, MarketContext, useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';

/** A line as the server checked it, with a note for the customer. */
export interface LineState extends CheckedLine {
  note: string;
}

/** Checks the cart with the server when it opens, and when `trigger` changes. New prices and names are applied, with a note at the line. */
export function useCheckedCart(trigger: unknown): Map<string, LineState> {
  const { isRestored } = useAppSelector(selectCart);
  const store = useStore() as AppStore;
  const dispatch = useAppDispatch();
  const market = useContext(MarketContext);
  const [states, setStates] = useState(new Map<string, LineState>());
  // biome-ignore lint/correctness/useExhaustiveDependencies: `trigger` is not read.
  useEffect(() => {
    const { items } = store.getState().cart;
    if (!isRestored || items.length === 0) return;
    let isCurrent = true;
    dispatch(request('POST /api/cart/check', { body: { orderItems: items } })).then(
      ({ lines }) => {
        if (!isCurrent) return;
        const before = new Map(items.map((item) => [item._id, item]));
        setStates(new Map(lines.map((line) => [line._id, { ...line, note: noteOf(line, before.get(line._id), market.shopPrice) }])));
        dispatch(itemsCorrected(lines.map(correctionOf)));
      },
      // The cart works without the check: orders are checked by themselves.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [isRestored, store, dispatch, market, trigger]);
  return states;
}

/** The changes to store for a line. One that cannot be bought is kept as it is, but for the colour's name, which older carts lack. */
function correctionOf({ _id, name, image, picture, price, size, colourName, isSold, needsSize, parts }: CheckedLine) {
  const named = { _id, ...(colourName !== null && { colourName }) };
  if (!isSold || needsSize) return named;
  const shown = { name, image, picture: picture === image ? undefined : picture, price, seenParts: partsText(parts) };
  return { ...named, ...shown, ...(size !== null && { size }) };
}

/** What the customer must know about a line before ordering; empty if nothing. */
function noteOf(
  { isSold, available, needsSize, name, price }: CheckedLine,
  item: CartItem | undefined,
  format: (pence: number) => string,
): string {
  if (!isSold) return 'We no longer sell this. Please remove it to continue.';
  if (needsSize) return `Please choose a size of ${name}.`;
  if (available === 0) return 'This has just sold out. Please remove it to continue.';
  if (item && item.qty > available) return `Only ${available} left. Please choose fewer.`;
  return item && item.price !== price ? `The price has changed from ${format(item.price)} to ${format(price)}.` : '';
}
