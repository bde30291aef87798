import { describe, expect, test } from 'vitest';
import type { Call } from '#contract/endpoint.ts';
import { Problem } from '#contract/problem.ts';
import { cartEmptied, checkoutFinished, checkoutSucceeded, itemAdded } from './app/cart.slice.ts';
import { checkoutReset, loadLastOrder, loadMyOrders, loadOrder, placeOrder } from './app/order.slice.ts';
import { loadProduct } from './app/product-detail.slice.ts';
import { loadNewArrivals, loadProducts, selectShownList } from './app/product-list.slice.ts';
import { makeStore } from './app/store.ts';
import { changePassword, checkOtp, loggedOut, logIn, saveProfile, sendOtp, signUp, userErrorShown, userReset } from './app/user.slice.ts';

const answering = (reply: unknown): Call => (async () => reply) as Call;
const failing = (status: number, message = 'No.'): Call =>
  (async () => {
    throw new Problem(status, message);
  }) as Call;
const casey = { _id: '1', name: 'Casey', email: 'casey@example.com', isAdmin: false, token: 't' };
const credentials = { email: casey.email, password: 'Correct-horse-1' };

describe('the user', () => {
  test.each([
    ['login', logIn(credentials)],
    ['register', signUp({ name: 'Casey', ...credentials })],
  ] as const)('%s: the request is pending, success sets userInfo', async (_, order) => {
    const store = makeStore(answering(casey));
    const done = store.dispatch(order);
    expect(store.getState().user).toMatchObject({ pending: true, userInfo: null });
    await done;
    expect(store.getState().user).toMatchObject({ pending: false, error: false, userInfo: casey });
  });
  test.each([
    ['login', logIn(credentials)],
    ['register', signUp({ name: 'Casey', ...credentials })],
    ['forgot-password', sendOtp({ email: casey.email })],
    ['OTP', checkOtp({ email: casey.email, otp: '123456' })],
    ['change-password', changePassword({ email: casey.email, otp: '123456', newPassword: 'x' })],
    ['update-profile', saveProfile({ name: 'C', email: casey.email, password: '' })],
  ] as const)('%s: failure clears pending, sets error and errorMessage', async (_, order) => {
    const store = makeStore(failing(400, 'The server’s words.'));
    await store.dispatch(order as ReturnType<typeof sendOtp>);
    expect(store.getState().user).toMatchObject({ pending: false, error: true, errorMessage: 'The server’s words.', userInfo: null });
  });
  test.each([
    ['forgot-password', sendOtp({ email: casey.email }), 'isOtp'],
    ['OTP', checkOtp({ email: casey.email, otp: '123456' }), 'isVerified'],
    ['change-password', changePassword({ email: casey.email, otp: '123456', newPassword: 'x' }), 'isPasswordChanged'],
    ['update-profile', saveProfile({ name: 'C', email: casey.email, password: '' }), 'updateSuccess'],
  ] as const)('%s: success sets its flag', async (_, order, flag) => {
    const store = makeStore(answering(casey));
    expect(store.getState().user[flag]).toBe(false);
    await store.dispatch(order as ReturnType<typeof sendOtp>);
    expect(store.getState().user).toMatchObject({ [flag]: true, pending: false, error: false });
  });
  test('reset clears pending, error, errorMessage and updateSuccess, and takes the session from storage', () => {
    const store = makeStore(answering(casey));
    store.dispatch(userErrorShown('Passwords do not match'));
    expect(store.getState().user).toMatchObject({ error: true, errorMessage: 'Passwords do not match' });
    store.dispatch(userReset(casey));
    expect(store.getState().user).toMatchObject({
      pending: false,
      error: false,
      errorMessage: '',
      updateSuccess: false,
      userInfo: casey,
    });
    store.dispatch(loggedOut());
    expect(store.getState().user.userInfo).toBeNull();
  });
  test.each([
    ['my orders', loadMyOrders(1)],
    ['one order', loadOrder('1')],
    ['the last order', loadLastOrder()],
    ['an order placed', placeOrder({ body: {} as never, idempotencyKey: 'k' })],
    ['the profile', saveProfile({ name: 'C', email: casey.email, password: '' })],
    ['products', loadProducts({})],
  ] as const)('a 401 from %s logs out', async (_, order) => {
    const store = makeStore(failing(401));
    store.dispatch(userReset(casey));
    await store.dispatch(order as ReturnType<typeof loadMyOrders>);
    expect(store.getState().user).toMatchObject({ userInfo: null, notice: 'Please Login again' });
  });
});

describe('lists and details', () => {
  const list = { products: [], page: 1, pages: 3, total: 30, suggestion: null };
  test('a list is reset and pending, then stored; until then the one before it is shown', async () => {
    const store = makeStore(answering(list));
    await store.dispatch(loadProducts({}));
    expect(store.getState().productList).toMatchObject({ pending: false, error: false, ...list });
    const done = store.dispatch(loadProducts({ search: 'x' }));
    expect(store.getState().productList).toMatchObject({ pending: true, products: [], total: 0 });
    expect(selectShownList(store.getState()).total).toBe(30);
    await done;
  });
  test('a list that fails keeps its message', async () => {
    const store = makeStore(failing(500, 'Broken.'));
    await store.dispatch(loadProducts({}));
    expect(store.getState().productList).toMatchObject({ pending: false, error: true, errorMessage: 'Broken.', products: [] });
  });
  test('new arrivals that fail leave an empty list and no error', async () => {
    const store = makeStore(failing(500));
    await store.dispatch(loadNewArrivals());
    expect(store.getState().productList).toMatchObject({ newArrivals: [], error: false });
  });
  test.each([
    ['product', loadProduct('1'), 'productDetail'],
    ['order', loadOrder('1'), 'order'],
  ] as const)('a %s is reset and pending, then stored, or failed with its message', async (name, order, slice) => {
    const store = makeStore(answering({ _id: '1' }));
    const done = store.dispatch(order as ReturnType<typeof loadProduct>);
    expect(store.getState()[slice]).toMatchObject({ pending: true, [name]: null });
    await done;
    expect(store.getState()[slice]).toMatchObject({ pending: false, error: false, [name]: { _id: '1' } });
    const broken = makeStore(failing(404, 'Not there.'));
    await broken.dispatch(order as ReturnType<typeof loadProduct>);
    expect(broken.getState()[slice]).toMatchObject({ pending: false, error: true, errorMessage: 'Not there.', [name]: null });
  });
});

describe('the checkout', () => {
  const order = placeOrder({ body: {} as never, idempotencyKey: 'k' });
  test('is loading, then a success, or an error; reset clears it', async () => {
    const store = makeStore(answering({ _id: '1' }));
    const done = store.dispatch(order);
    expect(store.getState().order.checkout).toEqual({ loading: true, error: '', success: false });
    await done;
    expect(store.getState().order.checkout).toEqual({ loading: false, error: '', success: true });
    store.dispatch(checkoutReset());
    expect(store.getState().order.checkout).toEqual({ loading: false, error: '', success: false });
    const broken = makeStore(failing(409, 'Sold out.'));
    await broken.dispatch(order);
    expect(broken.getState().order.checkout).toEqual({ loading: false, error: 'Sold out.', success: false });
  });
  test('a success marks the cart, and then empties it', () => {
    const store = makeStore(answering({}));
    store.dispatch(itemAdded({ _id: '1', name: 'A', image: '', price: 1, qty: 1 }));
    store.dispatch(checkoutSucceeded());
    expect(store.getState().cart).toMatchObject({ checkoutSuccess: true, items: [{ _id: '1' }] });
    store.dispatch(checkoutFinished());
    expect(store.getState().cart).toMatchObject({ checkoutSuccess: false, items: [] });
    store.dispatch(itemAdded({ _id: '1', name: 'A', image: '', price: 1, qty: 1 }));
    store.dispatch(cartEmptied());
    expect(store.getState().cart.items).toEqual([]);
  });
});
