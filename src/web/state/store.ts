import { combineReducers, configureStore, isFulfilled, isPending, isRejected, type Middleware } from '@reduxjs/toolkit';
import { createContext, type Dispatch, type SetStateAction } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import type { Call } from '#contract/api.ts';
import type { ShopDelivery } from '#contract/delivery/methods.ts';
import type { Company } from '#contract/market/company.ts';
import { MARKETS, type Market } from '#contract/market/market.ts';
import { isProblem } from '#contract/platform/problem.ts';
import { cartSlice } from './cart.slice.ts';
import { orderSlice } from './order.slice.ts';
import { productDetailSlice } from './product-detail.slice.ts';
import { productListSlice } from './product-list.slice.ts';
import { LOGIN_AGAIN, loggedOut, type UserState, userReset, userSlice } from './user.slice.ts';

/** The specification's five slices. State of a single screen stays in the screen (decision 20). */
export const rootReducer = combineReducers({
  productList: productListSlice.reducer,
  productDetail: productDetailSlice.reducer,
  cart: cartSlice.reducer,
  user: userSlice.reducer,
  order: orderSlice.reducer,
});
export type RootState = ReturnType<typeof rootReducer>;

/** A store for one visitor or one server-rendered page. */
export function makeStore(call: Call, preloadedState?: Partial<RootState>) {
  const extraArgument = { call };
  const store = configureStore({
    reducer: rootReducer,
    ...(preloadedState && { preloadedState }),
    devTools: import.meta.env.DEV,
    middleware: (defaults) => defaults({ thunk: { extraArgument } }).concat(dropLateAnswers),
  });
  extraArgument.call = followingTheSession(call, store);
  return store;
}

interface SessionStore {
  getState(): { user: UserState };
  dispatch(action: ReturnType<typeof loggedOut | typeof userReset>): unknown;
}
const tokenOf = ({ getState }: Pick<SessionStore, 'getState'>) => getState().user.userInfo?.token;

/**
 * Handles the end of sessions for all requests. A 401 logs out (specification §8), except from the login itself or an older session. A 403
 * means that the admin role is gone, and the admin guard leads home; one with `errors` asks the administrator for a proof.
 */
function followingTheSession(call: Call, store: SessionStore): Call {
  return async (name, input) => {
    const token = tokenOf(store);
    try {
      return await call(name, input);
    } catch (error) {
      const isOfSession = name !== 'POST /api/users/login' && tokenOf(store) === token;
      const { status, errors } = isOfSession && isProblem(error) ? error : {};
      if (status === 401) store.dispatch(loggedOut(LOGIN_AGAIN));
      const { userInfo } = store.getState().user;
      if (status === 403 && !errors && userInfo) store.dispatch(userReset({ ...userInfo, isAdmin: false }));
      throw error;
    }
  };
}

/** Requests whose answers belong to the session that asked. */
const OF_SESSION = /^(order|user\/update-profile)\//;

/** Drops answers that arrive after the account has changed. */
const dropLateAnswers: Middleware<unknown, { user: UserState }> = (store) => {
  const askedBy = new Map<string, string | undefined>();
  return (next) => (action) => {
    if (isPending(action)) askedBy.set(action.meta.requestId, tokenOf(store));
    if (!isRejected(action) && !isFulfilled(action)) return next(action);
    const isLate = askedBy.get(action.meta.requestId) !== tokenOf(store);
    askedBy.delete(action.meta.requestId);
    return isLate && OF_SESSION.test(action.type) ? action : next(action);
  };
};

export type AppStore = ReturnType<typeof makeStore>;
export const useAppDispatch = useDispatch.withTypes<AppStore['dispatch']>();
export const useAppSelector = useSelector.withTypes<RootState>();

/** The shop's market, chosen by the server. */
export const MarketContext = createContext<Market>(MARKETS.classic);
export const DeliveryContext = createContext<ShopDelivery>({ methods: [], promise: '', variesByPlace: false });
export const CompanyContext = createContext({} as Company);
/** For the screen that changes it. */
export const SetCompanyContext = createContext<Dispatch<SetStateAction<Company>>>(() => undefined);
/** The origin of canonical URLs and social cards. */
export const OriginContext = createContext('');
