import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import * as users from '#contract/accounts/users.endpoints.ts';
import type { EditedUser, Session } from '#contract/accounts/users.ts';
import type { Call } from '#contract/api.ts';
import * as orders from '#contract/orders/orders.endpoints.ts';
import type { Order } from '#contract/orders/orders.ts';
import { type Download, endpoint } from '#contract/platform/endpoint.ts';
import type { Admin, Customer } from '#server/context/context.ts';
import { route } from '#server/platform/http/route.ts';
import { formOf, jsonText } from '#web/browser/form-of.ts';

// The compiler is what tests here: each line below `@ts-expect-error` must be wrong.

const call: Call = async () => undefined as never;

test('a call sends what its endpoint reads, and answers what it replies', async () => {
  expectTypeOf(await call('POST /api/users/login', { body: { email: 'ann@example.com', password: 'x' } })).toEqualTypeOf<Session>();
  expectTypeOf(await call('GET /api/orders/export', { query: { paid: 'true' } })).toEqualTypeOf<Download>();
  // @ts-expect-error No endpoint has this name.
  await call('GET /api/user', {});
  // @ts-expect-error The body has no password.
  await call('POST /api/users/login', { body: { email: 'ann@example.com' } });
  // @ts-expect-error The token is a text.
  await call('POST /api/users/confirm-email', { body: { token: 7 } });
  // @ts-expect-error The link's text is called `token`.
  await call('POST /api/users/confirm-email', { body: { mark: 'x' } });
  // @ts-expect-error The address has an id.
  await call('GET /api/products/:id', {});
  // @ts-expect-error The list has no such filter.
  await call('GET /api/products', { query: { supplierQuery: 'x' } });
  // @ts-expect-error Only endpoints that honour the key take one.
  await call('POST /api/users/logout', { idempotencyKey: 'x' });
});

test('a form sends the fields of its endpoint', async () => {
  const params = { id: '1' };
  const file = new File(['x'], 'a.csv');
  await call('POST /api/products/import', { body: formOf({ file }) });
  // @ts-expect-error The file is missing.
  await call('POST /api/products/import', { body: formOf({ fingerprint: 'x' }) });
  // @ts-expect-error An untyped form may hold anything.
  await call('POST /api/products/import', { body: new FormData() });
  await call('PUT /api/reviews/:id', { params, body: formOf({ rating: '5', images: [file, '/images/a.webp'] }) });
  // @ts-expect-error The stars of a form are a text.
  await call('PUT /api/reviews/:id', { params, body: formOf({ rating: 5, images: [] }) });
  const texts = {
    isRecommend: false,
    newArrivals: false,
    name: 'Sofa',
    description: 'x',
    category: 'Sofas',
    subCategory: 'x',
    brand: 'x',
    price: '1',
    countInStock: '1',
  };
  await call('PUT /api/products/:id', { params, body: formOf({ ...texts, measurements: jsonText([{ name: 'Width', value: '90' }]) }) });
  // @ts-expect-error A measurement has a name.
  await call('PUT /api/products/:id', { params, body: formOf({ ...texts, measurements: jsonText([{ value: '90' }]) }) });
});

test('a route gets the validated input and the proof of its role, and must reply what the endpoint says', () => {
  const user = {} as EditedUser;
  const order = {} as Order;
  const asAdmin = async (_: Admin) => order;
  route(users.editUser, async ({ params, body, who }) => {
    expectTypeOf(params).toEqualTypeOf<{ id: string }>();
    expectTypeOf(body.isAdmin).toEqualTypeOf<boolean>();
    expectTypeOf(who).toEqualTypeOf<Admin>();
    return user;
  });
  route(orders.readOrder, async ({ who }) => {
    expectTypeOf(who).toEqualTypeOf<Customer>();
    return order;
  });
  // @ts-expect-error A customer is no administrator.
  route(orders.readOrder, ({ who }) => asAdmin(who));
  // @ts-expect-error Nobody is known to be logged in.
  route(users.login, async ({ who }) => who);
  // @ts-expect-error The body is another.
  route(users.editUser, async (_: { body: { name: number } }) => user);
  // @ts-expect-error The reply is another.
  route(users.editUser, async () => order);
  // @ts-expect-error A file of lines is no JSON.
  route(orders.exportOrders, async () => order);
  // @ts-expect-error A cached answer would be sent to strangers.
  route(orders.readOrder, async () => order, { cached: () => ({ key: '', dependsOn: [] }) });
  // @ts-expect-error A visitor has no account that is limited.
  route(users.login, async () => ({}) as Session, { limit: 'order' });
});

test('an endpoint must say who may call it, what it does and what it answers', () => {
  const reply = z.object({});
  expectTypeOf(endpoint('GET /api/things', { right: 'office', summary: 'List things', reply }).role).toEqualTypeOf<'admin'>();
  expectTypeOf(endpoint('GET /api/things', { role: 'customer', summary: 'List things', reply }).role).toEqualTypeOf<'customer'>();
  // @ts-expect-error With which right?
  endpoint('GET /api/things', { role: 'admin', summary: 'List things', reply });
  // @ts-expect-error Who may call it?
  endpoint('GET /api/things', { summary: 'List things', reply });
  // @ts-expect-error A customer has no rights of staff.
  endpoint('GET /api/things', { role: 'customer', right: 'office', summary: 'List things', reply });
  // @ts-expect-error What does it answer?
  endpoint('GET /api/things', { right: 'office', summary: 'List things' });
  // @ts-expect-error There is no such method.
  endpoint('FETCH /api/things', { right: 'office', summary: 'List things', reply });
});
