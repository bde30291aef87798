import { combineSlices, configureStore, isFulfilled, isPending, isRejected, type Middleware } from '@reduxjs/toolkit';
import { createContext } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import type { Call } from '#contract/api.ts';
import type { Company } from '#contract/market/company.ts';
import { MARKETS, type Market } from '#contract/market/market.ts';
import { isProblem } from '#contract/platform/problem.ts';
import { cartSlice } from './cart.slice.ts';
import { orderSlice } from './order.slice.ts';
import { productDetailSlice } from './product-detail.slice.ts';
import { productListSlice } from './product-list.slice.ts';
import { LOGIN_AGAIN, loggedOut, type UserState, userReset, userSlice } from './user.slice.ts';

/** The five slices of the specification. What only one screen needs is that screen's own state (docs/decisions/0020). */
export const rootReducer = combineSlices(productListSlice, productDetailSlice, cartSlice, userSlice, orderSlice);
export type RootState = ReturnType<typeof rootReducer>;

/** A store for one visitor or one server-rendered page; `call` is how it reaches the shop. */
export function makeStore(call: Call, preloadedState?: RootState) {
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

/** What the handling of sessions needs of the store. */
interface SessionStore {
  getState(): { user: UserState };
  dispatch(action: ReturnType<typeof loggedOut | typeof userReset>): unknown;
}
const tokenOf = ({ getState }: Pick<SessionStore, 'getState'>) => getState().user.userInfo?.token;

/**
 * The one place where the end of a session is handled: every request of a store passes here. A 401 logs out (specification §8), unless it
 * answers the login itself, or somebody has logged in again since the request was sent. A 403 means that the administrator's role is gone: the
 * admin guard then leads home. One with `errors` asks the administrator for something first, such as the password.
 */
function followingTheSession(call: Call, store: SessionStore): Call {
  return async (name, input) => {
    const token = tokenOf(store);
    try {
      return await call(name, input);
    } catch (error) {
      const { status, errors } = isProblem(error) && name !== 'POST /api/users/login' && tokenOf(store) === token ? error : {};
      if (status === 401) store.dispatch(loggedOut(LOGIN_AGAIN));
      const { userInfo } = store.getState().user;
      if (status === 403 && !errors && userInfo) store.dispatch(userReset({ ...userInfo, isAdmin: false }));
      throw error;
    }
  };
}

/** Requests whose answer belongs to the session that asked. */
const OF_SESSION = /^(order|user\/update-profile)\//;

/** Keeps an answer that arrives after the account has changed away from the slices: what was loaded for one account never reaches the next. */
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

/** What differs between the shop's two readings; a value of the page, chosen by the server. */
export const MarketContext = createContext<Market>(MARKETS.classic);
/** Who runs the shop and how to reach them. */
export const CompanyContext = createContext({} as Company);
/** The origin that canonical links and social cards name. */
export const OriginContext = createContext('');
