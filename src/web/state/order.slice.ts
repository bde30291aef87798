import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Session } from '#contract/accounts/users.ts';
import type { CheckoutSessionInput, CreateOrderInput, Order, OrderList } from '#contract/orders/orders.ts';
import { untilAnswered } from './again.ts';
import { type Failure, thunk } from './thunk.ts';
import { loggedOut, logIn, signUp, userReset } from './user.slice.ts';

export const loadMyOrders = thunk('order/list', (call, pageNumber: number) => call('GET /api/orders/myorders', { query: { pageNumber } }));
export const loadOrder = thunk('order/read', (call, id: string) => call('GET /api/orders/:id', { params: { id } }));
/** The last order, for its address; not stored. */
export const loadLastOrder = thunk('order/last', async (call) => (await call('GET /api/orders/myorders', { query: {} })).orders[0]);
/** An order or a card checkout, with the key that makes sending it again harmless. `onWait` is called before it is sent again. */
interface Attempt<Body> {
  body: Body;
  idempotencyKey: string;
  onWait: () => void;
}
export const placeOrder = thunk('order/place', (call, { body, idempotencyKey, onWait }: Attempt<CreateOrderInput>) =>
  untilAnswered(() => call('POST /api/orders', { body, idempotencyKey }), onWait),
);
/** Starts a card payment at the provider's `url`. A new try opens the same page. */
export const startCardCheckout = thunk('order/cardCheckout', (call, { body, idempotencyKey, onWait }: Attempt<CheckoutSessionInput>) =>
  untilAnswered(() => call('POST /stripe/create-checkout-session', { body, idempotencyKey }), onWait),
);

interface Request {
  loading: boolean;
  error: string;
  success: boolean;
}
const idle: Request = { loading: false, error: '', success: false };

export interface OrderState {
  list: OrderList | null;
  order: Order | null;
  pending: boolean;
  error: boolean;
  errorMessage: string;
  errorStatus: number;
  /** The checkout's request, cash or card (specification §4). */
  checkout: Request;
  /** The account's `_id`. */
  owner: string | null;
  /** Ids of the latest requests: answers to older ones are ignored. */
  asked: { list: string; order: string };
}

const initialState: OrderState = {
  list: null,
  order: null,
  pending: false,
  error: false,
  errorMessage: '',
  errorStatus: 0,
  checkout: idle,
  owner: null,
  asked: { list: '', order: '' },
};
/** Clears the orders when another account logs in, in this tab or another. */
const keptFor = (state: OrderState, { payload }: { payload: Session | null }): OrderState =>
  payload?._id === state.owner ? state : { ...initialState, owner: payload?._id ?? null };
const failed = (state: OrderState, error: Failure) =>
  Object.assign(state, { pending: false, error: true, errorMessage: error.message, errorStatus: error.status });
/** The reducers of the checkout's request. */
const asking = (state: OrderState) => {
  state.checkout = { ...idle, loading: true };
};
const refused = (state: OrderState, { error }: { error: Failure }) => {
  state.checkout = { ...idle, error: error.message };
};
const calm = { pending: false, error: false, errorMessage: '', errorStatus: 0 };

export const orderSlice = createSlice({
  name: 'order',
  initialState,
  reducers: {
    orderChanged(state, { payload }: PayloadAction<Order>) {
      state.order = payload;
    },
    checkoutReset(state) {
      state.checkout = idle;
    },
  },
  extraReducers: (builder) =>
    builder
      .addCase(loggedOut, () => initialState)
      .addCase(userReset, keptFor)
      .addCase(logIn.fulfilled, keptFor)
      .addCase(signUp.fulfilled, keptFor)
      .addCase(loadMyOrders.pending, (state, { meta }) => {
        Object.assign(state, calm, { pending: true });
        state.asked.list = meta.requestId;
      })
      .addCase(loadMyOrders.fulfilled, (state, { payload, meta }) => {
        if (state.asked.list === meta.requestId) Object.assign(state, calm, { list: payload });
      })
      .addCase(loadMyOrders.rejected, (state, { error, meta }) => {
        if (state.asked.list === meta.requestId) failed(state, error);
      })
      .addCase(loadOrder.pending, (state, { meta }) => {
        Object.assign(state, calm, { pending: true, order: null });
        state.asked.order = meta.requestId;
      })
      .addCase(loadOrder.fulfilled, (state, { payload, meta }) => {
        if (state.asked.order === meta.requestId) Object.assign(state, calm, { order: payload });
      })
      .addCase(loadOrder.rejected, (state, { error, meta }) => {
        if (state.asked.order === meta.requestId) failed(state, error);
      })
      .addCase(placeOrder.pending, asking)
      .addCase(placeOrder.fulfilled, (state) => void Object.assign(state, { checkout: { ...idle, success: true } }))
      .addCase(placeOrder.rejected, refused)
      .addCase(startCardCheckout.pending, asking)
      // Stays "loading" while the browser leaves for the provider.
      .addCase(startCardCheckout.rejected, refused),
  selectors: { selectOrders: (state) => state, selectCheckout: (state) => state.checkout },
});

export const { checkoutReset, orderChanged } = orderSlice.actions;
export const { selectOrders, selectCheckout } = orderSlice.selectors;
