import { describe, expect, test } from 'vitest';
import type { Call } from '#contract/api.ts';
import { Problem } from '#contract/platform/problem.ts';
import { cartEmptied, checkoutFinished, checkoutSucceeded, itemAdded } from '#web/state/cart.slice.ts';
import { checkoutReset, loadLastOrder, loadMyOrders, loadOrder, placeOrder } from '#web/state/order.slice.ts';
import { loadProduct, loadRelated, loadReviews } from '#web/state/product-detail.slice.ts';
import { loadNewArrivals, loadProducts, selectHead, selectShownList } from '#web/state/product-list.slice.ts';
import { makeStore } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { changePassword, checkOtp, loggedOut, logIn, logOut, saveProfile, sendOtp, signUp, userReset } from '#web/state/user.slice.ts';

const answering = (reply: unknown): Call => (async () => reply) as Call;
const failing = (status: number, message = 'No.'): Call =>
  (async () => {
    throw new Problem(status, message);
  }) as Call;
/** Calls that wait until `answer` gives those from `first` on their reply. */
function answeringLater() {
  const waiting: ((reply: unknown) => void)[] = [];
  const call = (() => new Promise<unknown>((resolve) => waiting.push(resolve))) as Call;
  const answer = (first: number, reply: unknown) => {
    for (const resolve of waiting.slice(first)) resolve(reply);
  };
  return { call, answer };
}
const casey = { _id: '1', name: 'Casey', email: 'casey@example.com', isAdmin: false, token: 't' };
const credentials = { email: casey.email, password: 'Correct-horse-1' };

test('the state has the five slices of the specification and no others (§3.11)', () => {
  const names = Object.keys(makeStore(answering({})).getState());
  expect(names.toSorted()).toEqual(['cart', 'order', 'productDetail', 'productList', 'user']);
});

describe('the user', () => {
  test.each([
    ['login', logIn(credentials)],
    ['register', signUp({ name: 'Casey', ...credentials })],
  ] as const)('%s: the request is pending, success sets userInfo (§4.2)', async (_, order) => {
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
  ] as const)('%s: failure clears pending, sets error and errorMessage (§4.2)', async (_, order) => {
    const store = makeStore(failing(400, 'The server’s words.'));
    await store.dispatch(order as ReturnType<typeof sendOtp>);
    expect(store.getState().user).toMatchObject({ pending: false, error: true, errorMessage: 'The server’s words.', userInfo: null });
  });
  test.each([
    ['forgot-password', sendOtp({ email: casey.email }), 'isOtp'],
    ['OTP', checkOtp({ email: casey.email, otp: '123456' }), 'isVerified'],
    ['change-password', changePassword({ email: casey.email, otp: '123456', newPassword: 'x' }), 'isPasswordChanged'],
    ['update-profile', saveProfile({ name: 'C', email: casey.email, password: '' }), 'updateSuccess'],
  ] as const)('%s: success sets its flag (§3.6, §4.3)', async (_, order, flag) => {
    const store = makeStore(answering(casey));
    expect(store.getState().user[flag]).toBe(false);
    await store.dispatch(order as ReturnType<typeof sendOtp>);
    expect(store.getState().user).toMatchObject({ [flag]: true, pending: false, error: false });
  });
  test('reset clears pending, error, errorMessage and updateSuccess, and takes the session that it is given (§4.4)', async () => {
    const store = makeStore(failing(400, 'Email is invalid'));
    await store.dispatch(sendOtp({ email: casey.email }));
    expect(store.getState().user).toMatchObject({ error: true, errorMessage: 'Email is invalid' });
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
    ['an order placed', placeOrder({ body: {} as never, idempotencyKey: 'k', onWait: () => undefined })],
    ['the profile', saveProfile({ name: 'C', email: casey.email, password: '' })],
    ['products', loadProducts({})],
  ] as const)('a 401 from %s logs out (§8.2)', async (_, order) => {
    const store = makeStore(failing(401));
    store.dispatch(userReset(casey));
    await store.dispatch(order as ReturnType<typeof loadMyOrders>);
    expect(store.getState().user).toMatchObject({ userInfo: null, notice: 'Please Login again' });
  });

  test.each([
    ['a screen of the back office', request('GET /api/users', { query: {} })],
    ['the check of the cart', request('POST /api/cart/check', { body: { orderItems: [] } })],
  ])('a 401 to %s logs out, and the screen hears of it', async (_, order) => {
    const store = makeStore(failing(401));
    store.dispatch(userReset(casey));
    await expect(store.dispatch(order as ReturnType<typeof request>)).rejects.toMatchObject({ status: 401 });
    expect(store.getState().user).toMatchObject({ userInfo: null, notice: 'Please Login again' });
  });

  test('a refused login ends no session', async () => {
    const store = makeStore(failing(401));
    store.dispatch(userReset(casey));
    await expect(store.dispatch(request('POST /api/users/login', { body: credentials }))).rejects.toMatchObject({ status: 401 });
    expect(store.getState().user.userInfo).toEqual(casey);
  });
});

describe('what belongs to one account', () => {
  const dana = { ...casey, _id: '2', name: 'Dana', token: 'd' };
  const orders = { orders: [{ _id: 'o' }], page: 1, pages: 1 };
  test('loaded orders go with a logout and with another account, and stay when the same one is only renamed', async () => {
    const store = makeStore(answering(orders));
    const list = () => store.getState().order.list;
    store.dispatch(userReset(casey));
    await store.dispatch(loadMyOrders(1));
    store.dispatch(userReset({ ...casey, name: 'Casey Renamed' }));
    expect(list()).toEqual(orders);
    store.dispatch(userReset(dana));
    expect(list()).toBeNull();
    await store.dispatch(loadMyOrders(1));
    expect(list()).toEqual(orders);
    store.dispatch(loggedOut());
    expect(list()).toBeNull();
  });

  /** A store whose calls are answered, or refused, when the test says so. */
  function held() {
    let resolve: (reply: unknown) => void = () => undefined;
    let reject: (error: Problem) => void = () => undefined;
    const reply = new Promise((...settle) => {
      [resolve, reject] = settle;
    });
    return { store: makeStore((() => reply) as Call), resolve, reject };
  }
  test('an answer that arrives after the account has changed reaches nobody (§4.4)', async () => {
    const { store, resolve } = held();
    store.dispatch(userReset(casey));
    const late = [store.dispatch(loadMyOrders(1)), store.dispatch(saveProfile({ name: 'C' }))];
    store.dispatch(loggedOut());
    store.dispatch(userReset(dana));
    resolve({ ...orders, ...casey });
    await Promise.all(late);
    expect(store.getState().user.userInfo).toEqual(dana);
    expect(store.getState().order.list).toBeNull();
  });
  test('a 401 for a session that was left ends no other', async () => {
    const { store, reject } = held();
    store.dispatch(userReset(casey));
    const late = [store.dispatch(loadMyOrders(1)), store.dispatch(request('GET /api/users', { query: {} })).catch(() => undefined)];
    store.dispatch(userReset(dana));
    reject(new Problem(401, 'Please log in.'));
    await Promise.all(late);
    expect(store.getState().user).toMatchObject({ userInfo: dana, notice: '' });
  });
  test('a logout takes effect before the server answers, and whatever it answers', async () => {
    const { store, reject } = held();
    store.dispatch(userReset(casey));
    store.dispatch(logOut());
    expect(store.getState().user.userInfo).toBeNull();
    reject(new Problem(401, 'Please log in.'));
    await Promise.resolve();
    expect(store.getState().user).toMatchObject({ userInfo: null, error: false, notice: '' });
  });
});

describe('lists and details', () => {
  const list = { products: [], page: 1, pages: 3, total: 30, suggestion: null, isPartial: false };
  test('a list is reset and pending, then stored; until then the one before it is shown (§4.5)', async () => {
    const store = makeStore(answering(list));
    await store.dispatch(loadProducts({}));
    expect(store.getState().productList).toMatchObject({ pending: false, error: false, ...list });
    const done = store.dispatch(loadProducts({ search: 'x' }));
    expect(store.getState().productList).toMatchObject({ pending: true, products: [], total: 0 });
    expect(selectShownList(store.getState()).total).toBe(30);
    await done;
  });
  test('what stands around a category comes with its list, in one answer, and stays while the category does', async () => {
    const around = { text: 'Sofas.', picture: '', subCategories: [], rooms: [] };
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const store = makeStore((async (name: string) => {
      if (name !== 'GET /api/products/category') return list;
      await held;
      return around;
    }) as Call);
    const head = () => selectHead(store.getState(), selectShownList(store.getState()).category);
    const done = store.dispatch(loadProducts({ category: 'Sofa', withHead: true }));
    await new Promise((resolve) => setTimeout(resolve));
    expect([store.getState().productList.pending, head()]).toEqual([true, null]);
    release();
    await done;
    expect(head()).toEqual({ ...around, category: 'Sofa' });
    await store.dispatch(loadProducts({ category: 'sofa', search: '' }));
    expect(head()).toMatchObject(around);
    await store.dispatch(loadProducts({}));
    expect(head()).toBeNull();
  });
  test('a list that fails keeps its message (§4.5)', async () => {
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
  ] as const)('a %s is reset and pending, then stored, or failed with its message (§4.5)', async (name, order, slice) => {
    const store = makeStore(answering({ _id: '1' }));
    const done = store.dispatch(order as ReturnType<typeof loadProduct>);
    expect(store.getState()[slice]).toMatchObject({ pending: true, [name]: null });
    await done;
    expect(store.getState()[slice]).toMatchObject({ pending: false, error: false, [name]: { _id: '1' } });
    const broken = makeStore(failing(404, 'Not there.'));
    await broken.dispatch(order as ReturnType<typeof loadProduct>);
    expect(broken.getState()[slice]).toMatchObject({ pending: false, error: true, errorMessage: 'Not there.', [name]: null });
  });
  test('an answer that comes late, after the next product or order was asked for, is dropped', async () => {
    const { call, answer } = answeringLater();
    const store = makeStore(call);
    const late = [loadProduct('A'), loadReviews({ id: 'A', search: '' }), loadRelated('A'), loadOrder('A'), loadMyOrders(1)];
    const next = [loadProduct('B'), loadReviews({ id: 'B', search: '' }), loadRelated('B'), loadOrder('B'), loadMyOrders(2)];
    const done = [...late, ...next].map((order) => store.dispatch(order as ReturnType<typeof loadProduct>));
    answer(next.length, 'B');
    await Promise.all(done.slice(late.length));
    answer(0, 'A');
    await Promise.all(done);
    expect(store.getState().productDetail).toMatchObject({ product: 'B', reviews: 'B', related: 'B', pending: false });
    expect(store.getState().order).toMatchObject({ order: 'B', list: 'B', pending: false });
  });
});

describe('the checkout', () => {
  const order = placeOrder({ body: {} as never, idempotencyKey: 'k', onWait: () => undefined });
  test('is loading, then a success, or an error; reset clears it (§4.7)', async () => {
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
  test('a success marks the cart, and then empties it (§4.7)', () => {
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

test('an order is sent again with the same key while the shop asks to come again soon, and not where it names a longer time', async () => {
  const sent: unknown[] = [];
  const busyFor = (seconds: number, times: number): Call =>
    (async (_name: string, { idempotencyKey }: { idempotencyKey?: string }) => {
      sent.push(idempotencyKey);
      if (sent.length <= times) throw new Problem(503, 'Busy.', undefined, seconds);
      return { _id: 'o1' };
    }) as Call;
  let waits = 0;
  const order = () => placeOrder({ body: {} as never, idempotencyKey: 'k', onWait: () => (waits += 1) });
  expect(await makeStore(busyFor(0.01, 2)).dispatch(order())).toMatchObject({ payload: { _id: 'o1' } });
  expect([sent, waits]).toEqual([['k', 'k', 'k'], 2]);
  sent.length = 0;
  expect(await makeStore(busyFor(60, 1)).dispatch(order())).toMatchObject({ error: { status: 503, message: 'Busy.' } });
  expect(sent).toEqual(['k']);
});
