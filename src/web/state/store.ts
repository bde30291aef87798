import { combineSlices, configureStore, isFulfilled, isPending, isRejected, type Middleware } from '@reduxjs/toolkit';
import { createContext } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import type { Call } from '#contract/base/endpoint.ts';
import { MARKETS, type Market } from '#contract/market/market.ts';
import { cartSlice } from './cart.slice.ts';
import { orderSlice } from './order.slice.ts';
import { productDetailSlice } from './product-detail.slice.ts';
import { productListSlice } from './product-list.slice.ts';
import type { Failure } from './thunk.ts';
import { LOGIN_AGAIN, loggedOut, type UserState, userSlice } from './user.slice.ts';

/** The five slices of the specification; the back office injects its own when it is loaded. */
export const rootReducer = combineSlices(productListSlice, productDetailSlice, cartSlice, userSlice, orderSlice);
export type RootState = ReturnType<typeof rootReducer>;

/** A store for one visitor or one server-rendered page; `call` is how it reaches the shop. */
export function makeStore(call: Call, preloadedState?: RootState) {
  return configureStore({
    reducer: rootReducer,
    ...(preloadedState && { preloadedState }),
    devTools: import.meta.env.DEV,
    middleware: (defaults) => defaults({ thunk: { extraArgument: { call } } }).concat(watchSession),
  });
}

/** Requests whose answer belongs to the session that asked. */
const OF_SESSION = /^(order|user\/update-profile)\//;

/**
 * Ties answers to the session that asked for them. A 401 from any call but the login itself means that this session is over
 * (specification §8), unless somebody has logged in again meanwhile; and what was loaded for one account never reaches the next.
 */
const watchSession: Middleware = ({ dispatch, getState }) => {
  const askedBy = new Map<string, string | undefined>();
  const token = () => (getState() as { user: UserState }).user.userInfo?.token;
  return (next) => (action) => {
    if (isPending(action)) askedBy.set(action.meta.requestId, token());
    if (!isRejected(action) && !isFulfilled(action)) return next(action);
    const isLate = askedBy.get(action.meta.requestId) !== token();
    askedBy.delete(action.meta.requestId);
    if (isLate && OF_SESSION.test(action.type)) return action;
    const result = next(action);
    if (isRejected(action) && !isLate && (action.error as Failure).status === 401 && !action.type.startsWith('user/login'))
      dispatch(loggedOut(LOGIN_AGAIN));
    return result;
  };
};

export type AppStore = ReturnType<typeof makeStore>;
export const useAppDispatch = useDispatch.withTypes<AppStore['dispatch']>();
export const useAppSelector = useSelector.withTypes<RootState>();

/** What differs between the shop's two readings; a value of the page, chosen by the server. */
export const MarketContext = createContext<Market>(MARKETS.classic);
/** The origin that canonical links and social cards name. */
export const OriginContext = createContext('');
