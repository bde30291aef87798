import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { MAX_QUANTITY } from '#contract/platform/limits.ts';
import { CART_ITEMS_KEY, readStored, SHIPPING_METHOD_KEY, writeStored } from '#web/browser/browser-storage.ts';

/** A cart line (specification §3); `price` in pence for one piece. */
export interface CartItem {
  _id: string;
  name: string;
  image: string;
  /** The picture of the chosen size and colour, if it is not `image`. */
  picture?: string | undefined;
  price: number;
  qty: number;
  size?: string | undefined;
  color?: string | undefined;
  /** The colour's name for people. */
  colourName?: string | undefined;
  /** The query string for this size and colour; unset if there is only one. */
  variant?: string | undefined;
  /** What is in a set, as it was last shown. Not stored. */
  seenParts?: string | undefined;
}

export interface CartState {
  items: CartItem[];
  /** False until the browser's storage is read: the cart is unknown before. */
  isRestored: boolean;
  /** Set when an order is placed, until the cart is cleared (specification §4). */
  checkoutSuccess: boolean;
  /** The id of the delivery method that was chosen; empty for the default. */
  shippingMethod: string;
}

const initialState: CartState = { items: [], isRestored: false, checkoutSuccess: false, shippingMethod: '' };

function empty(state: CartState): void {
  state.items = [];
  state.shippingMethod = '';
  state.checkoutSuccess = false;
}

export const cartSlice = createSlice({
  name: 'cart',
  initialState,
  reducers: {
    itemAdded(state, { payload }: PayloadAction<CartItem>) {
      const index = state.items.findIndex(({ _id }) => _id === payload._id);
      if (index === -1) state.items.push(payload);
      else state.items[index] = payload;
    },
    /** Undoes a removal. */
    itemReturned(state, { payload }: PayloadAction<{ item: CartItem; index: number }>) {
      if (!state.items.some(({ _id }) => _id === payload.item._id)) state.items.splice(payload.index, 0, payload.item);
    },
    quantityChanged(state, { payload }: PayloadAction<{ _id: string; qty: number }>) {
      const item = state.items.find(({ _id }) => _id === payload._id);
      if (item && payload.qty >= 1) item.qty = payload.qty;
    },
    itemRemoved(state, { payload }: PayloadAction<string>) {
      state.items = state.items.filter(({ _id }) => _id !== payload);
    },
    /** The server's new prices, names and pictures, or a product's only size. */
    itemsCorrected(state, { payload }: PayloadAction<(Pick<CartItem, '_id'> & Partial<CartItem>)[]>) {
      for (const line of payload) Object.assign(state.items.find(({ _id }) => _id === line._id) ?? {}, line);
    },
    shippingChosen(state, { payload }: PayloadAction<string>) {
      state.shippingMethod = payload;
    },
    cartEmptied: empty,
    checkoutSucceeded(state) {
      state.checkoutSuccess = true;
    },
    checkoutFinished: empty,
    /** Storage was read, or changed by another tab. */
    cartRestored(state, { payload }: PayloadAction<Pick<CartState, 'items' | 'shippingMethod'>>) {
      Object.assign(state, payload);
      state.isRestored = true;
    },
  },
  selectors: {
    selectCart: (state) => state,
    selectCartCount: (state) => state.items.length,
    selectSubtotal: (state) => state.items.reduce((sum, { price, qty }) => sum + price * qty, 0),
  },
});

export const {
  itemAdded,
  itemReturned,
  quantityChanged,
  itemRemoved,
  itemsCorrected,
  shippingChosen,
  cartEmptied,
  checkoutSucceeded,
  checkoutFinished,
  cartRestored,
} = cartSlice.actions;
export const { selectCart, selectCartCount, selectSubtotal } = cartSlice.selectors;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

function repairItem(value: unknown): CartItem[] {
  const { _id, name, image, picture, price, qty, size, color, colourName, variant } = Object(value) as Record<string, unknown>;
  const id = text(_id);
  if (!id || !isCount(price)) return [];
  return [
    {
      _id: id,
      name: text(name) ?? '',
      image: text(image) ?? '',
      picture: text(picture),
      price,
      qty: isCount(qty) && qty >= 1 ? Math.min(qty, MAX_QUANTITY) : 1,
      size: text(size),
      color: text(color),
      colourName: text(colourName),
      variant: text(variant),
    },
  ];
}

/** The stored cart. Damaged lines are repaired or dropped. */
export function readStoredCart(): Pick<CartState, 'items' | 'shippingMethod'> {
  const stored = readStored(CART_ITEMS_KEY);
  const items = Array.isArray(stored) ? stored.flatMap(repairItem) : [];
  return {
    items: items.filter((item, index) => items.findIndex(({ _id }) => _id === item._id) === index),
    shippingMethod: String(readStored(SHIPPING_METHOD_KEY) ?? ''),
  };
}

export function storeCart({ items, shippingMethod }: Pick<CartState, 'items' | 'shippingMethod'>): void {
  writeStored(CART_ITEMS_KEY, items);
  writeStored(SHIPPING_METHOD_KEY, shippingMethod || undefined);
}
