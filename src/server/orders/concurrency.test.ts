import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Attempt, Order } from '#contract/orders/orders.ts';
import { eventually } from '#server/testing/eventually.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, stockOf } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { runs } from '#server/testing/runs.ts';
import { lockWaits } from '#server/testing/while-waiting.ts';

const { app, db } = await testShop({ pool: 20, env: { RATE_LIMIT_FACTOR: '1000' } });

const place = (headers: Record<string, string>, payload: object, key?: string) =>
  app.inject({ method: 'POST', url: '/api/orders', headers: { ...headers, ...(key && { 'idempotency-key': key }) }, payload });

test('of a hundred buyers for one piece exactly one gets it (§11.1)', async () => {
  const sofa = await aProduct(db, { stock: 1 });
  const buyers = await Promise.all(Array.from({ length: 100 }, () => aCustomer(db)));
  const replies = await Promise.all(buyers.map((buyer) => place(buyer.headers, aPayload([aLine(sofa)]))));
  const count = (status: number) => replies.filter(({ statusCode }) => statusCode === status).length;
  expect([count(201), count(409), await stockOf(db, sofa._id)]).toEqual([1, 99, 0]);
});

test('of twenty buyers for the last two pieces of a size two get them, and the others are told (§11.1)', async () => {
  const sofa = await aProduct(db, { stock: 50, sizes: [{ size: 'L', quantity: 2 }] });
  const buyers = await Promise.all(Array.from({ length: 20 }, () => aCustomer(db)));
  const replies = await Promise.all(buyers.map((buyer) => place(buyer.headers, aPayload([aLine(sofa, { size: 'L' })]))));
  const count = (status: number) => replies.filter(({ statusCode }) => statusCode === status).length;
  expect([count(201), count(409), await stockOf(db, sofa._id)]).toEqual([2, 18, 48]);
});

test('ten equal orders with one key that arrive together are one order (§7.7)', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { stock: 1 });
  const payload = aPayload([aLine(sofa)]);
  const replies = await Promise.all(Array.from({ length: 10 }, () => place(buyer.headers, payload, 'key-1')));
  expect(replies.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(201));
  expect(new Set(replies.map((reply) => reply.json<Order>()._id)).size).toBe(1);
  expect(await stockOf(db, sofa._id)).toBe(0);
  expect((await place(buyer.headers, { ...payload, phone: '07700900999' }, 'key-1')).statusCode).toBe(409);
});

test('a retry with a newer name and picture of its product is the same order (§7.7)', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { stock: 5 });
  const first = await place(buyer.headers, aPayload([aLine(sofa)]), 'key-2');
  const renamed = { ...aLine(sofa), name: 'Renamed Sofa', image: '/images/newer.webp' };
  const second = await place(buyer.headers, aPayload([renamed]), 'key-2');
  expect([second.statusCode, second.json<Order>()._id]).toEqual([201, first.json<Order>()._id]);
  expect(await stockOf(db, sofa._id)).toBe(4);
  // Two pieces instead of one are another order.
  expect((await place(buyer.headers, aPayload([{ ...renamed, qty: 2 }]), 'key-2')).statusCode).toBe(409);
});

test('an order is found by the key it was sent with, by its buyer alone, and waited for while it is being placed (§7.7)', async () => {
  const [buyer, stranger] = [await aCustomer(db), await aCustomer(db)];
  const sofa = await aProduct(db, { stock: 1 });
  const find = async ({ headers }: typeof buyer, key: string) =>
    (await app.inject({ url: `/api/order-attempts/${encodeURIComponent(key)}`, headers })).json<Attempt>().order;
  expect(await find(buyer, 'key 3')).toBeNull();
  // The product's row is held, so that the order is under way until it is let go.
  const placing = await db.transaction().execute(async (tx) => {
    await tx.selectFrom('products').select('id').where('id', '=', sofa._id).forUpdate().execute();
    const answer = place(buyer.headers, aPayload([aLine(sofa)]), 'key 3').then((reply) => reply);
    await eventually(async () => expect(await lockWaits(db)).toBe(1));
    return { answer, found: find(buyer, 'key 3') };
  });
  const order = (await placing.answer).json<Order>();
  expect(await placing.found).toMatchObject({ _id: order._id, orderItems: [{ _id: sofa._id }] });
  expect(await find(stranger, 'key 3')).toBeNull();
  expect(await find(buyer, 'key 4')).toBeNull();
});

test('orders with crossed lines wait for each other instead of deadlocking', async () => {
  const buyers = await Promise.all(Array.from({ length: 40 }, () => aCustomer(db)));
  const [a, b] = [await aProduct(db, { stock: 40, sizes: [{ size: 'S' }] }), await aProduct(db, { stock: 40 })];
  const lines = [
    [aLine(a, { size: 'S' }), aLine(b)],
    [aLine(b), aLine(a)],
  ];
  const replies = await Promise.all(buyers.map(({ headers }, index) => place(headers, aPayload(lines[index % 2] ?? []))));
  expect(replies.every(({ statusCode }) => statusCode === 201)).toBe(true);
  expect([await stockOf(db, a._id), await stockOf(db, b._id)]).toEqual([0, 0]);
});

test('what is cancelled or comes back without being restocked waits for an order of the same products instead of deadlocking', async () => {
  const admin = await anAdmin(db);
  const act = (url: string, payload: object, method: 'POST' | 'PUT' = 'POST') =>
    app.inject({ method, url, headers: admin.headers, payload });
  const pieces = [0, 1, 2].map((line) => ({ line, qty: 1 }));
  const leave = {
    cancelled:
      async ({ _id }: Order) =>
      () =>
        act(`/api/office/orders/${_id}/cancel`, { reason: 'Not in stock', isRestocked: false }),
    returned: async ({ _id }: Order) => {
      await act(`/api/orders/${_id}/deliver`, { isDelivered: true }, 'PUT');
      const order = (await act(`/api/office/orders/${_id}/returns`, { lines: pieces, reason: 'Wrong piece' })).json<Order>();
      const lines = pieces.map(({ line }) => ({ line, restocked: 0, spoiled: 1 }));
      return () => act(`/api/office/returns/${order.returns[0]?._id}/received`, { lines });
    },
  };
  for (const prepare of Object.values(leave)) {
    const products = [await aProduct(db), await aProduct(db), await aProduct(db)];
    // The other way round than products are locked.
    const lines = products.toReversed().map((product) => aLine(product));
    const step = await prepare((await place((await aCustomer(db)).headers, aPayload(lines))).json<Order>());
    const buyer = await aCustomer(db);
    // Both meet at the product in the middle, which is busy until they wait.
    const both = await db.transaction().execute(async (tx) => {
      await tx
        .selectFrom('products')
        .select('id')
        .where('id', '=', products[1]?._id ?? '')
        .forUpdate()
        .execute();
      const left = Promise.resolve(step());
      await eventually(async () => expect(await lockWaits(db)).toBe(1));
      const ordered = Promise.resolve(place(buyer.headers, aPayload(lines)));
      await eventually(async () => expect(await lockWaits(db)).toBe(2));
      return [left, ordered] as const;
    });
    expect((await Promise.all(both)).map(({ statusCode }) => statusCode)).toEqual([200, 201]);
  }
});

test('a sale that ends for products of which one has just come on sale waits for an order of them instead of deadlocking', async () => {
  const admin = await anAdmin(db);
  const send = (method: 'POST' | 'PUT', url: string, payload: object) => app.inject({ method, url, headers: admin.headers, payload });
  const products = [await aProduct(db, { price: 10_000 }), await aProduct(db, { price: 10_000 })] as const;
  const startSale = ({ _id }: { _id: string }) =>
    send('PUT', `/api/office/products/${_id}/sale`, { salePrice: 9_000, sizes: [], saleFrom: null, saleTo: '2099-01-01T00:00:00.000Z' });
  const [first, second] = products;
  expect((await startSale(second)).statusCode).toBe(200);
  const buyer = await aCustomer(db);
  const [ended, ordered] = await db.transaction().execute(async (tx) => {
    await tx.selectFrom('products').select('id').where('id', '=', second._id).forUpdate().execute();
    const goods = { categories: [], brands: [], products: products.map(({ _id }) => _id) };
    const end = Promise.resolve(send('POST', '/api/office/sale-prices/end', { goods }));
    await eventually(async () => expect(await lockWaits(db)).toBe(1));
    expect((await startSale(first)).statusCode).toBe(200);
    const lines = products.map((product) => aLine({ ...product, price: 9_000 }));
    const order = Promise.resolve(place(buyer.headers, aPayload(lines)));
    await eventually(async () => expect(await lockWaits(db)).toBe(2));
    return [end, order] as const;
  });
  // The order finds another price by then.
  expect([(await ended).statusCode, (await ordered).statusCode]).toEqual([200, 409]);
});

test('stock is never lost and never negative, whatever is ordered at the same time', async () => {
  const quantities = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 10 }), quantities, async (stock, wanted) => {
      const sofa = await aProduct(db, { stock });
      const buyers = await Promise.all(wanted.map(() => aCustomer(db)));
      const replies = await Promise.all(wanted.map((qty, index) => place(buyers[index]?.headers ?? {}, aPayload([aLine(sofa, { qty })]))));
      const sold = wanted.reduce((sum, qty, index) => sum + (replies[index]?.statusCode === 201 ? qty : 0), 0);
      expect(sold + (await stockOf(db, sofa._id))).toBe(stock);
    }),
    { numRuns: runs(5) },
  );
});
