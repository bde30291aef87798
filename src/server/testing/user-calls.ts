import { aCustomer, anAdmin, type SignedIn } from './factories.ts';
import type { TestShop } from './harness.ts';
import { inTurn } from './processes.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The calls about users, sent in turn to two processes of the shop, and an administrator to make them. */
export async function userCalls(shop: TestShop) {
  const ask = await inTurn(shop);
  const [customer, admin] = [await aCustomer(shop.db), await anAdmin(shop.db)];
  const send = (method: Method, url: string, payload?: object, headers: Record<string, string> = {}) =>
    ask({ method, url: `/api/users${url}`, headers, ...(payload && { payload }) });
  return {
    ask,
    send,
    customer,
    admin,
    logIn: (email: string, password: string) => send('POST', '/login', { email, password }),
    isLoggedIn: async (token: string) => (await ask({ url: '/api/orders/myorders', headers: { bearer: token } })).statusCode === 200,
    edit: (who: SignedIn, user: SignedIn, change: object) =>
      send('PUT', `/${user._id}`, { name: user.name, email: user.email, isAdmin: false, ...change }, who.headers),
  };
}
